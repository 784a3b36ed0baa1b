// The command line, which the workbench must agree with.

import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The root of the sources. */
export const ROOT = join(import.meta.dirname, "../..");

/** What the program printed. */
export interface Printed {
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
}

/** Runs `vorrang` in the root, with this on its standard input. */
export function vorrang(args: readonly string[], input = ""): Printed {
  const program = process.env["VORRANG"];
  if (program === undefined) {
    throw new Error("VORRANG must name the program");
  }
  const { stdout, stderr, status } = spawnSync(program, args, { cwd: ROOT, input, encoding: "utf8", maxBuffer: 1 << 26 });
  return { out: stdout, err: stderr, code: status };
}

/** A document without its tool: the module of the workbench cannot name the commit that it is kept in. */
export function withoutTool(document: string): string {
  return document.replace(/^ {2}"tool": .*$/m, '  "tool": "",');
}

/** The descriptions in a folder, by name. */
export function descriptions(folder: string): (readonly [string, string])[] {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".toml"));
  return names.sort().map((name) => [`${folder}/${name}`, readFileSync(join(ROOT, folder, name), "utf8")] as const);
}
