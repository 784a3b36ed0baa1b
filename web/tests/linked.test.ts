// Rows of a schedule and tables of a text find each other.

import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf, tableAt } from "../src/workbench/linked";

const TEXT = '[core.0]\nscheduler = "edf"\n[task.b-1]\nwcet = "1us"\n  [ task."b" ]\non = "core.0"\n[interrupt.card]\nisr = "1us"\n';

test("a row leads to the header of its table", () => {
  const header = (row: string): string | undefined => {
    const place = placeOf(row, TEXT);
    return place === undefined ? undefined : TEXT.slice(place).split("\n")[0];
  };
  assert.equal(header("task.b-1"), "[task.b-1]");
  assert.equal(header("task.b"), '  [ task."b" ]');
  assert.equal(header("interrupt.card/kick in the guest"), "[interrupt.card]");
  assert.equal(header("overhead"), undefined);
  assert.equal(header("task.c"), undefined);
});

test("a place stands in the table before it", () => {
  assert.equal(tableAt(TEXT, 0), "core.0");
  assert.equal(tableAt(TEXT, TEXT.indexOf("1us")), "task.b-1");
  assert.equal(tableAt(TEXT, TEXT.indexOf("on =")), "task.b");
  assert.equal(tableAt(TEXT, TEXT.length), "interrupt.card");
  assert.equal(tableAt("# nothing", 3), undefined);
});
