// The pictures of the README and the docs, of pages that are made now.
//
//   npm run pictures    writes ../docs/images/; VORRANG may name the program

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { open, start } from "./tests/browser";
import { ROOT, vorrang } from "./tests/program";

const folder = mkdtempSync(join(tmpdir(), "vorrang-pictures-"));
const browser = await start();

/** Opens a page that a command writes; `option` names its file. */
async function page(args: readonly string[], width: number, option = "--out"): Promise<Page> {
  const file = join(folder, `${String(args[1]).replaceAll("/", "-")}.html`);
  const { code, err } = vorrang([...args, option, file, "--force"]);
  if (code === 2 || code === 4 || code === null) {
    throw new Error(err);
  }
  const opened = await open(browser, pathToFileURL(file).href, { width, colours: "light" });
  return opened.page;
}

function picture(name: string): string {
  return join(ROOT, "docs/images", `${name}.png`);
}

/** An element of the report of an example. */
async function element(example: string, selector: string, name: string): Promise<void> {
  const opened = await page(["report", `examples/${example}.toml`], 1000);
  // What comes into sight is laid out then, and moves what is below it.
  await opened.locator(selector).scrollIntoViewIfNeeded();
  await opened.waitForTimeout(500);
  await opened.locator(selector).screenshot({ path: picture(name) });
  await opened.close();
}

try {
  const report = await page(["report", "examples/consolidation.toml"], 1000);
  await report.screenshot({ path: picture("report-consolidation") });
  await report.close();
  await element("irq-reservations", 'figure[id*="overload-control-schedule"]', "report-irq");
  await element("storm", 'figure[id$="-decides"] >> nth=0', "report-storm");

  const trace = "crates/observe/tests/data/6.12-rt.trace";
  const observed = await page(["observe", "crates/observe/tests/data/observe.toml", "--trace", trace], 1000, "--report");
  await observed.locator('figure[id="figure-t0-task-reserved"]').screenshot({ path: picture("report-observe") });

  const workbench = await page(["workbench", "examples/hello.toml"], 1100);
  await workbench.setViewportSize({ width: 1100, height: 760 });
  await workbench.waitForSelector('#drawing[aria-busy="false"][data-whole="true"]');
  // What is proven below each of the nine sliders.
  await workbench.waitForSelector('#editor[data-ranges="9"]');
  await workbench.screenshot({ path: picture("workbench") });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
