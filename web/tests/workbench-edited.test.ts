// A text that is edited in the workbench, and the window that it is edited in.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import type { Check } from "../src/workbench/answers";
import { open, until } from "./browser";
import { inBrowser } from "./in-browser";
import { ROOT, vorrang } from "./program";
import { address, addressed, answered, drawn, example, file, folder, json, printed, quiet, settled, text, write } from "./workbench";

inBrowser("a budget is edited until the verdict turns, and both say the same as the command line", async (browser) => {
  const opened = await open(browser, address);
  const { page } = opened;
  await settled(page);
  assert.equal(await page.locator("#verdict").getAttribute("data-verdict"), "proven");
  assert.equal(await json(page), printed(await text(page)));
  await write(page, 'budget = "4ms"', 'budget = "1ms"');
  await settled(page);
  assert.notEqual(await page.locator("#verdict").getAttribute("data-verdict"), "proven");
  assert.equal(await json(page), printed(await text(page)));
  quiet(opened);
  await page.close();
});

inBrowser("a slider edits the text, undo takes it back, and the address remembers", async (browser) => {
  const opened = await open(browser, address);
  const { page } = opened;
  await settled(page);
  const before = await text(page);
  const slider = page.getByLabel("budget of vcpu.motor");
  const box = await slider.boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + box.width * 0.4, box.y + box.height / 2);
  await page.mouse.down();
  for (let part = 0.4; part > 0.05; part -= 0.05) {
    await page.mouse.move(box.x + box.width * part, box.y + box.height / 2);
  }
  await page.mouse.up();
  await settled(page);
  assert.notEqual(await page.locator("#verdict").getAttribute("data-verdict"), "proven");
  const slid = await text(page);
  assert.notEqual(slid, before);
  assert.equal(await json(page), printed(slid));
  await until("the address of what was slid", async () => (await addressed(page)).includes(JSON.stringify(slid)));

  await page.reload();
  await settled(page);
  assert.equal(await text(page), slid);

  const fresh = await open(browser, address);
  await settled(fresh.page);
  await fresh.page.getByLabel("budget of vcpu.motor").focus();
  await fresh.page.keyboard.press("ArrowLeft");
  await fresh.page.keyboard.press("ArrowLeft");
  assert.notEqual(await text(fresh.page), before);
  await fresh.page.locator("#undo").click();
  assert.equal(await text(fresh.page), before);
  await fresh.page.locator("#redo").click();
  assert.notEqual(await text(fresh.page), before);
  quiet(fresh);
  await page.close();
  await fresh.page.close();
});

/** What stands below a slider: with which values all is proven. */
async function proven(page: Page, label: string): Promise<{ from: number; to: number; step: number }> {
  const slider = page.getByLabel(label, { exact: true });
  const bar = page.locator(".knob", { has: slider }).locator(".proven");
  const number = async (name: string): Promise<number> => Number(await bar.getAttribute(name));
  const step = Number(await slider.getAttribute("min"));
  return { from: await number("data-from"), to: await number("data-to"), step };
}

inBrowser("below each slider is drawn with which values all is proven, as the command line says", async (browser) => {
  const opened = await open(browser, address);
  const { page } = opened;
  await settled(page);
  const before = await text(page);
  // Two budgets and periods, execution times, periods and deadlines of tasks: all that stands in the text.
  await page.waitForSelector('#editor[data-ranges="9"]');
  const verdict = (of: string): unknown => (JSON.parse(printed(of)) as Check).verdict;
  const { from, to, step } = await proven(page, "budget of vcpu.motor");
  assert.ok(from > step && from < 4_000_000 && to > 4_000_000, `${String(from)} to ${String(to)}`);
  const budget = (ns: number): string => before.replace('budget = "4ms"', `budget = "${String(ns)}ns"`);
  assert.deepEqual([from, to, from - step].map((ns) => verdict(budget(ns)) === "proven"), [true, true, false]);
  const deadline = await proven(page, "deadline of task.control");
  const limit = (ns: number): string => before.replace('deadline = "15ms"', `deadline = "${String(ns)}ns"`);
  assert.deepEqual([deadline.from, deadline.from - deadline.step].map((ns) => verdict(limit(ns)) === "proven"), [true, false]);
  // It is part of what is read aloud.
  assert.match((await page.getByLabel("budget of vcpu.motor").getAttribute("aria-valuetext")) ?? "", /^4ms, all is proven from /);
  // Of another text nothing is claimed until it was looked at.
  await write(page, 'wcet = "3ms"', 'wcet = "90ms"');
  await settled(page);
  assert.equal(await page.locator(".knob .proven:visible").count(), 0);
  quiet(opened);
  await page.close();
});

for (const [width, height] of [[1440, 900], [1100, 760], [800, 600]] as const) {
  inBrowser(`editor and results fill the window and scroll on their own: ${String(width)}x${String(height)}`, async (browser) => {
    const { page } = await open(browser, address, { width, colours: "light" });
    await page.setViewportSize({ width, height });
    await drawn(page);
    const box = async (of: string): Promise<{ top: number; bottom: number }> =>
      page.locator(of).evaluate((one) => ({ top: one.getBoundingClientRect().top, bottom: one.getBoundingClientRect().bottom }));
    const editor = await box("#editor");
    assert.ok(editor.bottom > height - 30 && editor.bottom <= height, String(editor.bottom));
    assert.ok(editor.bottom - editor.top > 0.7 * height, String(editor.bottom - editor.top));
    const right = page.locator(".right");
    const scrolled = await right.evaluate((one) => {
      one.scrollTo(0, 300);
      return [one.scrollTop, document.documentElement.scrollHeight - document.documentElement.clientHeight];
    });
    assert.deepEqual(scrolled, [300, 0]);
    assert.deepEqual(await box("#editor"), editor);
    // No column is cut.
    const rows = await page.locator(".rows").evaluate((one) => one.scrollWidth - one.clientWidth);
    assert.equal(rows, 0);
    assert.equal(await page.locator("p.key").textContent(), " bound  longest observed  limit");
    await page.close();
  });
}

for (const [name, width] of [["examples/interrupts.toml", 390], ["examples/interrupts.toml", 1280], ["examples/consolidation.toml", 1280]] as const) {
  inBrowser(`no column and no figure of half a page is cut: ${name} in ${String(width)}`, async (browser) => {
    const { page } = await open(browser, address, { width, colours: "light" });
    await settled(page);
    await example(page, name);
    await drawn(page);
    const cut = await page.evaluate(() => {
      // On a narrow screen a figure is scrolled sooner than its words are too small.
      const boxes = [...document.querySelectorAll(window.innerWidth < 1000 ? ".rows" : ".rows, #drawing .vf-scroll")];
      return boxes.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent);
    });
    assert.deepEqual(cut, []);
    assert.ok((await page.locator("#drawing svg.vf-schedule").count()) > 0);
    await page.close();
  });
}

inBrowser("an arrow in the list of examples opens it, so that the keyboard reaches each of them", async (browser) => {
  const opened = await open(browser, address);
  const { page } = opened;
  await settled(page);
  await page.locator("#offered").focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator("#name").textContent(), file);
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) {
    await page.keyboard.press(key);
  }
  await page.waitForFunction((before) => document.querySelector("#name")?.textContent !== before, file);
  await answered(page);
  assert.equal(await page.locator("#name").textContent(), "designs/hello.toml");
  quiet(opened);
  await page.close();
});

inBrowser("a page that begins with an error says what to do, and paper has all of the text", async (browser) => {
  const wrong = join(folder, "wrong.toml");
  writeFileSync(wrong, readFileSync(join(ROOT, "examples/hello.toml"), "utf8").replace('budget = "4ms"', 'budget = "4"'));
  const begun = join(folder, "wrong.html");
  assert.equal(vorrang(["workbench", wrong, "--out", begun]).code, 0);
  const { page } = await open(browser, pathToFileURL(begun).href);
  await answered(page);
  assert.match((await page.locator("#results").textContent()) ?? "", /correct what is marked in the text/);
  assert.equal(await page.locator("#state").textContent(), "1 error.");
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.locator("#printed").textContent(), readFileSync(wrong, "utf8"));
  assert.ok(await page.locator("#printed").isVisible());
  assert.equal(await page.locator("#editor").isVisible(), false);
  await page.close();
});
