// Knobs are found where durations are written, and nowhere else.

import assert from "node:assert/strict";
import { test } from "node:test";
import { nanoseconds, readable, written } from "../src/workbench/duration";
import { hasLine, inText, knobs, reach } from "../src/workbench/knobs";
import { edge } from "../src/workbench/ranges";

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
  const found = knobs(TEXT).map(({ of, key, value, from, to }) => [of, key, value, TEXT.slice(from, to)]);
  assert.deepEqual(found, [
    ["vcpu.a", "budget", 2_500_000, "2.5ms"],
    ["vcpu.a", "period", 10_000_000, "10ms"],
    ["task.b", "wcet", 1_000, "1us"],
    ["task.b", "budget", 7, "7ns"],
    ["task.b", "period", 1_000_000_000, "1s"],
  ]);
});

test("deadlines, jitter, interrupts and shares are found, a share without a unit", () => {
  const text = '[interrupt.a]\nisr = "3us"\nmin-interarrival = "1ms"\n[task.b]\nshare = 20\njitter = "0us"\ndeadline = "9ms"\nshared = 3\n';
  const found = knobs(text).map((knob) => [knob.key, text.slice(knob.from, knob.to), inText(knob.value, knob)]);
  assert.deepEqual(found, [
    ["isr", "3us", "3us"],
    ["min-interarrival", "1ms", "1ms"],
    ["share", "20", "20"],
    ["jitter", "0us", "0us"],
    ["deadline", "9ms", "9ms"],
  ]);
});

test("the edge of what is proven is found from where it is", async () => {
  for (const [most, last] of [[0, 0], [1, 0], [1, 1], [200, 0], [200, 77], [200, 199], [200, 200]] as const) {
    const asked: number[] = [];
    const found = await edge(most, (steps) => {
      asked.push(steps);
      return Promise.resolve(steps <= last);
    });
    assert.equal(found, last);
    assert.ok(asked.length < 18 && asked.every((steps) => steps > 0 && steps <= most), asked.join());
  }
});

test("a budget turns up to its period", () => {
  const all = knobs(TEXT);
  const budget = all[0];
  assert.ok(budget !== undefined);
  assert.deepEqual(reach(budget, all), { least: 100_000, most: 10_000_000, step: 100_000 });
});

test("durations are exact both ways", () => {
  for (const [text, unit, ns] of [["0.000001", "s", 1_000], ["12.345", "ms", 12_345_000], ["7", "ns", 7]] as const) {
    assert.equal(nanoseconds(text, unit), ns);
    assert.equal(nanoseconds(written(ns, unit).replace(unit, ""), unit), ns);
  }
  assert.equal(readable(69_324_000), "69.324ms");
});

test("an offset turns from zero to the end of its period, and has no line", () => {
  const all = knobs('[server.a]\nbudget = "2ms"\nperiod = "10ms"\noffset = "3ms"\n[task.b]\nperiod = "5ms"\noffset = "0ms"\n');
  const offsets = all.filter(({ key }) => key === "offset");
  assert.deepEqual(offsets.map((knob) => reach(knob, all)), [
    { least: 0, most: 8_000_000, step: 10_000 },
    { least: 0, most: 4_999_999, step: 10_000 },
  ]);
  assert.deepEqual(all.filter(hasLine).map(({ key }) => key), ["budget", "period", "period"]);
});
