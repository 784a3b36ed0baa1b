// Tests in a browser that those of one file share.

import { after, test, type TestContext } from "node:test";
import { start, type Browser } from "./browser";

let shared: Browser | undefined;

after(async () => {
  await shared?.close();
});

/** The browser of this file, started where there is none or it has died. */
async function alive(): Promise<Browser> {
  if (!shared) {
    const started = await start();
    started.context.on("close", () => {
      shared = undefined;
    });
    shared = started;
  }
  return shared;
}

/**
 * A test in a browser. One that dies by itself says nothing of the page: the test begins once more in another, and says
 * that it did. A page that kills its browser does so again.
 */
export function inBrowser(name: string, body: (browser: Browser, context: TestContext) => Promise<void>): void {
  test(name, async (context) => {
    try {
      await body(await alive(), context);
    } catch (error) {
      if (shared) {
        throw error;
      }
      context.diagnostic(`the browser died: ${String(error).split("\n", 1)[0] ?? ""}`);
      await body(await alive(), context);
    }
  });
}
