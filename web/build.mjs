// Bundles the scripts and style sheets of the pages into dist/, which is committed, so that building
// Vorrang needs no Node.
//
//   node build.mjs           writes dist/
//   node build.mjs --check   fails where dist/ is not what the sources say

import { readFile, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

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

const stale = [];
await mkdir(`${folder}/dist`, { recursive: true });
for (const bundle of BUNDLES) {
  const text = await bundled(bundle);
  const path = `${folder}/${bundle.to}`;
  if (!process.argv.includes("--check")) {
    await writeFile(path, text);
  } else if ((await readFile(path, "utf8").catch(() => "")) !== text) {
    stale.push(bundle.to);
  }
}
if (stale.length > 0) {
  console.error(`not what the sources say: ${stale.join(", ")}; run npm run build in web/ and commit it`);
  process.exit(1);
}
