import assert from "node:assert/strict";
import { test } from "node:test";
import { compare } from "../src/report/sort";
import { labelled, moved, scaled, unit, within } from "../src/report/window";

const WHOLE = { from: 1_000_000, to: 11_000_000 };

test("a window never leaves the whole and never gets longer", () => {
  assert.deepEqual(within(WHOLE, { from: 0, to: 2_000_000 }), { from: 1_000_000, to: 3_000_000 });
  assert.deepEqual(within(WHOLE, { from: -5e9, to: 5e9 }), WHOLE);
  assert.deepEqual(moved(WHOLE, { from: 10_000_000, to: 11_000_000 }, 0.2), { from: 10_000_000, to: 11_000_000 });
});

test("zooming keeps its place and ends", () => {
  assert.deepEqual(scaled(WHOLE, WHOLE, 6_000_000, 0.5), { from: 3_500_000, to: 8_500_000 });
  let window = WHOLE;
  for (let step = 0; step < 100; step += 1) {
    window = scaled(WHOLE, window, 2_000_000, 0.5);
  }
  assert.ok(Math.abs(window.to - window.from - 100) < 1e-3);
});

test("labels are round, in the unit of the window", () => {
  assert.equal(unit(WHOLE).name, "ms");
  assert.equal(labelled(WHOLE).map(({ label }) => label).join(" "), "1 2 3 4 5 6 7 8 9 10 11");
  assert.deepEqual(labelled({ from: 0, to: 500 })[1], { at: 50, label: "50" });
});

test("numbers are sorted as numbers, before text", () => {
  const sorted = [Number.POSITIVE_INFINITY, "task.b", 10, 9, "task.a"].sort(compare);
  assert.deepEqual(sorted, [9, 10, Number.POSITIVE_INFINITY, "task.a", "task.b"]);
});
