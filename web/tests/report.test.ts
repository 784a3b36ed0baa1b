// Reports of the examples, opened from disk as their readers do.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { VIEWS, isTooWide, open, start, violations, type Browser } from "./browser";

const ROOT = resolve(import.meta.dirname, "../..");
const PROGRAM = process.env["VORRANG"] ?? join(ROOT, "target/debug/vorrang");
const EXAMPLES = ["hello", "storm", "irq-reservations", "consolidation", "kvm-host"];

let browser: Browser;
let folder: string;

/** Makes a report and says where it is. */
function report(description: string, name: string): string {
  const page = join(folder, `${name}.html`);
  try {
    execFileSync(PROGRAM, ["report", description, "--out", page, "--force"], { stdio: "pipe" });
  } catch (error) {
    // Refuted and undecided are no failures of the program.
    const { status } = error as { status?: number };
    assert.ok(status === 1 || status === 3, String(error));
  }
  return `file://${page}`;
}

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "vorrang-reports-"));
  browser = await start();
});

after(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

for (const name of EXAMPLES) {
  test(`the report of ${name}, in all views`, async () => {
    const address = report(join(ROOT, "examples", `${name}.toml`), name);
    for (const view of VIEWS) {
      const { page, complaints, requests } = await open(browser, address, view);
      const of = `${name}, ${view.width} wide, ${view.colours}`;
      assert.deepEqual(await violations(page), [], of);
      assert.equal(await isTooWide(page), false, of);
      assert.deepEqual(complaints, [], of);
      assert.deepEqual(requests, [], of);
      await page.close();
    }
  });
}

test("verdicts are sorted by a click and by keys, and filtered", async () => {
  const { page } = await open(browser, report(join(ROOT, "examples/irq-reservations.toml"), "irq"));
  const names = (): Promise<string[]> => page.locator("#all-verdicts tbody tr:visible td:first-child").allTextContents();
  const declared = await names();
  await page.locator("#all-verdicts th button", { hasText: "limit" }).focus();
  await page.locator("#all-verdicts th button", { hasText: "requirement" }).click();
  assert.deepEqual(await names(), declared.toSorted((one, other) => one.localeCompare(other, "en", { numeric: true })));
  await page.keyboard.press("Enter");
  assert.deepEqual(await names(), declared.toSorted((one, other) => other.localeCompare(one, "en", { numeric: true })));
  await page.locator('input[value="proven"]').uncheck();
  assert.deepEqual(await names(), ["task.overload-control"]);
  await page.locator('input[value="proven"]').check();
  await page.locator('input[type="search"]').fill("core.wide");
  assert.deepEqual(await names(), ["task.wide-control"]);
  assert.equal(await page.getByRole("status").textContent(), "1 of 5 shown");
});

test("a schedule is zoomed by wheel, keys and buttons, and dragged", async () => {
  const { page, complaints } = await open(browser, report(join(ROOT, "examples/hello.toml"), "zoomed"));
  const drawing = page.locator("svg.vf-schedule").first();
  const seen = async (): Promise<[number, number]> => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    return drawing.evaluate((of) => {
      const { seenFrom, from, seenTo, to } = (of as SVGSVGElement).dataset;
      return [Number(seenFrom ?? from), Number(seenTo ?? to)];
    });
  };
  const whole = await seen();
  const length = ([from, to]: [number, number]): number => to - from;
  await drawing.scrollIntoViewIfNeeded();
  await drawing.hover();
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  const wheeled = await seen();
  assert.ok(length(wheeled) < length(whole));
  await page.locator(".vf-scroll:has(svg.vf-schedule)").first().focus();
  await page.keyboard.press("+");
  const keyed = await seen();
  assert.ok(length(keyed) < length(wheeled));
  await page.keyboard.press("ArrowRight");
  const later = await seen();
  assert.ok(later[0] > keyed[0] && Math.abs(length(later) - length(keyed)) <= 2);
  const box = await drawing.boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  assert.ok((await seen())[0] < later[0]);
  await page.getByRole("button", { name: "The whole" }).first().click();
  assert.deepEqual(await seen(), whole);
  assert.deepEqual(complaints, []);
});

test("a link of the table leads to its requirement", async () => {
  const { page } = await open(browser, report(join(ROOT, "examples/hello.toml"), "linked"));
  await page.locator("#all-verdicts a", { hasText: "task.log" }).click();
  assert.match(page.url(), /#r\d+-task-log$/);
  assert.ok(await page.getByRole("heading", { name: "task.log" }).isVisible());
});

test("a task that is called <script> is refused, and a file that is called so is text", async () => {
  const text = readFileSync(join(ROOT, "examples/hello.toml"), "utf8");
  const nasty = join(folder, "nasty.toml");
  writeFileSync(nasty, text.replaceAll("task.log]", 'task."<script>"]'));
  assert.throws(() => execFileSync(PROGRAM, ["report", nasty, "--out", join(folder, "no.html")], { stdio: "pipe" }));
  const path = join(folder, "<script>window.broken = 1<script>.toml");
  writeFileSync(path, text);
  const { page, complaints } = await open(browser, report(path, "script"));
  assert.equal(await page.evaluate(() => "broken" in window), false);
  assert.ok((await page.locator("h1").textContent())?.includes("<script>window.broken"));
  assert.deepEqual(complaints, []);
});
