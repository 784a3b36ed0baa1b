// Knobs are found where durations are written, and nowhere else.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nanoseconds, readable, written } from "../src/workbench/duration";
import { knobs, reach } from "../src/workbench/knobs";

const TEXT = `# budget = "1ms"
[vcpu.a]
budget = "2.5ms" # period = "3ms"
period = "10ms"
[task.b]
on = "vcpu.a" # "#
wcet = "1us"
label = "wcet = x"
pseudo = { budget = "7ns", period = "1s" }
`;

test("budgets, periods and execution times are found, comments are not", () => {
  const found = knobs(TEXT).map(({ of, key, ns, from, to }) => [of, key, ns, TEXT.slice(from, to)]);
  assert.deepEqual(found, [
    ["vcpu.a", "budget", 2_500_000, "2.5ms"],
    ["vcpu.a", "period", 10_000_000, "10ms"],
    ["task.b", "wcet", 1_000, "1us"],
    ["task.b", "budget", 7, "7ns"],
    ["task.b", "period", 1_000_000_000, "1s"],
  ]);
});

test("a budget turns up to its period", () => {
  const all = knobs(TEXT);
  const budget = all[0];
  assert.ok(budget !== undefined);
  assert.deepEqual(reach(budget, all), { most: 10_000_000, step: 100_000 });
});

test("durations are exact both ways", () => {
  for (const [text, unit, ns] of [["0.000001", "s", 1_000], ["12.345", "ms", 12_345_000], ["7", "ns", 7]] as const) {
    assert.equal(nanoseconds(text, unit), ns);
    assert.equal(nanoseconds(written(ns, unit).replace(unit, ""), unit), ns);
  }
  assert.equal(readable(69_324_000), "69.324ms");
});
