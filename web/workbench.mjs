// The workbench as one page that needs nothing else: its script, its worker and the compressed module are in it.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

/** The text of the page; `bundled` bundles a source. */
export async function workbench(folder, bundled) {
  const from = `${folder}/src/workbench`;
  const script = await bundled({ from: `${from}/main.ts`, to: "main.js", format: "iife" });
  const parts = {
    STYLE: await bundled({ from: `${from}/page.css`, to: "page.css" }),
    EXAMPLE: await readFile(`${folder}/../examples/hello.toml`, "utf8"),
    WORKER: await bundled({ from: `${from}/worker.ts`, to: "worker.js", format: "iife" }),
    // By scripts/webassembly.py.
    CORE: (await readFile(`${folder}/dist/core.wasm.gz`)).toString("base64"),
    SCRIPT_HASH: createHash("sha256").update(script).digest("base64"),
    SCRIPT: script,
  };
  const page = await readFile(`${from}/page.html`, "utf8");
  return page.replaceAll(/@([A-Z_]+)@/g, (_, name) => parts[name]);
}
