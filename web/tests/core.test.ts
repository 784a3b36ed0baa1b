// The module that is kept says what the command line says: byte for byte, for every example.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import type { Look, Words } from "../src/workbench/answers";
import { instantiate } from "../src/workbench/wasm";
import { ROOT, descriptions, vorrang, withoutTool } from "./program";

const bytes = gunzipSync(readFileSync(join(ROOT, "web/dist/core.wasm.gz")));
const ask = await instantiate(await WebAssembly.compile(bytes), () => undefined);

function look(name: string, text: string): Look {
  return JSON.parse(ask(JSON.stringify({ verb: "check", name, text }))) as Look;
}

for (const folder of ["examples", "published/systems"]) {
  test(`checks of ${folder} are those of the command line`, () => {
    let same = 0;
    for (const [name, text] of descriptions(folder)) {
      const printed = vorrang(["check", name, "--json"]);
      const answered = look(name, text);
      // What a profile beside the description says, the module is not told here.
      if (answered.refused === undefined || printed.code === 2) {
        assert.equal(withoutTool(answered.check ?? ""), withoutTool(printed.out), name);
        same += 1;
      }
    }
    assert.ok(same > 4, `${String(same)} of ${folder}`);
  });
}

const WRONG: readonly string[] = [
  'version = 1\n[core.0]\nscheduler = "fifo"\n',
  'version = 1\n[core.0]\nscheduler = "edf"\n[task.x]\non = "core.1"\nwcet = "5"\nperiod = "1ms"\n# ä\nä = 1\n',
  "version = 1\n[core.0\n",
  "",
];

test("errors stand where the command line says, with the same words", () => {
  for (const text of WRONG) {
    const printed = vorrang(["check", "-"], text);
    assert.equal(printed.code, 2);
    const refused = look("-", text).refused;
    assert.ok(refused !== undefined);
    assert.equal(refused.message, printed.err);
    for (const { line, column, from } of refused.diagnostics) {
      const before = text.slice(0, from).split("\n");
      assert.equal(before.length, line, text);
      assert.equal((before.at(-1) ?? "").length + 1, column, text);
    }
  }
});

test("what cannot be is answered, not a panic", () => {
  for (const request of ["", "{}", "[]", '{"verb":"check"}', '{"verb":"none"}', "\u0000"]) {
    assert.ok("wrong" in (JSON.parse(ask(request)) as object), request);
  }
});

test("there are words for every table", () => {
  const words = JSON.parse(ask('{"verb":"keys"}')) as Words;
  assert.ok(words.tables["task"]?.keys.some(({ name, required }) => name === "on" && required));
  assert.ok(words.tables["vcpu"]?.keys.some(({ words: kinds }) => kinds.some(({ word }) => word === "deferrable")));
});
