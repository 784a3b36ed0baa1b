// The workbench as one page that needs nothing else: its script, its worker and the compressed module are in it.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

/** Those that a page can open, from the simplest on; they name no other file. */
const EXAMPLES = [
  "examples/hello.toml",
  "designs/hello.toml",
  "examples/chain.toml",
  "examples/path.toml",
  "examples/interrupts.toml",
  "examples/storm.toml",
  "examples/kvm-host.toml",
  "examples/consolidation.toml",
];

/** As JSON that closes no element around it. */
async function examples(folder) {
  const read = async (name) => ({ name, text: await readFile(`${folder}/../${name}`, "utf8"), files: {} });
  return JSON.stringify(await Promise.all(EXAMPLES.map(read))).replaceAll("<", "\\u003c");
}

/** The text of the page; `bundled` bundles a source. */
export async function workbench(folder, bundled) {
  const from = `${folder}/src/workbench`;
  const script = await bundled({ from: `${from}/main.ts`, to: "main.js", format: "iife" });
  const parts = {
    STYLE: await bundled({ from: `${from}/page.css`, to: "page.css" }),
    EXAMPLE: await readFile(`${folder}/../examples/hello.toml`, "utf8"),
    EXAMPLES: await examples(folder),
    WORKER: await bundled({ from: `${from}/worker.ts`, to: "worker.js", format: "iife" }),
    // By scripts/webassembly.py.
    CORE: (await readFile(`${folder}/dist/core.wasm.gz`)).toString("base64"),
    SCRIPT_HASH: createHash("sha256").update(script).digest("base64"),
    SCRIPT: script,
  };
  const page = await readFile(`${from}/page.html`, "utf8");
  return page.replaceAll(/@([A-Z_]+)@/g, (_, name) => parts[name]);
}
