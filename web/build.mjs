// Bundles the scripts and style sheets of the pages into dist/, which is committed, so that building
// Vorrang needs no Node.
//
//   node build.mjs           writes dist/
//   node build.mjs --check   fails where dist/ is not what the sources say

import { readFile, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { workbench } from "./workbench.mjs";

// One line for each bundle: from what, to where.
const BUNDLES = [
  { from: "src/report/main.ts", to: "dist/report.js", format: "iife" },
  { from: "src/report/page.css", to: "dist/report.css" },
];

const folder = dirname(fileURLToPath(import.meta.url));

/** The text of one bundle. */
async function bundled({ from, to, format }) {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: [from],
    outfile: to,
    bundle: true,
    minify: true,
    write: false,
    charset: "utf8",
    target: "es2022",
    legalComments: "eof",
    logLevel: "warning",
    ...(format ? { format } : {}),
  });
  // In a page the script stands inside of an element that would end there.
  return outputFiles[0].text.replaceAll("</script", "<\\/script");
}

/** Everything in dist/ that is made here: its place, and its text. */
async function* made() {
  for (const bundle of BUNDLES) {
    yield { to: bundle.to, text: await bundled(bundle) };
  }
  yield { to: "dist/workbench.html", text: await workbench(folder, bundled) };
}

const stale = [];
await mkdir(`${folder}/dist`, { recursive: true });
for await (const { to, text } of made()) {
  const path = `${folder}/${to}`;
  if (!process.argv.includes("--check")) {
    await writeFile(path, text);
  } else if ((await readFile(path, "utf8").catch(() => "")) !== text) {
    stale.push(to);
  }
}
if (stale.length > 0) {
  console.error(`not what the sources say: ${stale.join(", ")}; run npm run build in web/ and commit it`);
  process.exit(1);
}
