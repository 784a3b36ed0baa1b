// What the workbench designs, repairs and compares.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { open, until, violations } from "./browser";
import { inBrowser } from "./in-browser";
import { ROOT, vorrang } from "./program";
import { address, answered, drawn, example, file, folder, quiet, settled, text, write } from "./workbench";

inBrowser("what is left open is designed, as the command line does it, and what changed is shown", async (browser) => {
  const opened = await open(browser, address);
  const { page } = opened;
  await settled(page);
  assert.ok(await page.locator("#design").isDisabled());
  await example(page, "designs/hello.toml");
  await answered(page);
  assert.equal(await page.locator("#state").textContent(), "2 values are left open.");
  // What was known of the description before is not shown beside another one.
  assert.match((await page.locator("#results").textContent()) ?? "", /^There are no results yet: “Design this”/);
  await page.locator("#design").click();
  // The page is not busy while a design is looked for.
  await page.waitForSelector(".cm-deletedLine");
  await settled(page);
  const wanted = vorrang(["design", "designs/hello.toml", "--out", "-"]);
  assert.equal(wanted.code, 0, wanted.err);
  assert.equal(await text(page), wanted.out);
  assert.equal(await page.locator("#verdict").getAttribute("data-verdict"), "proven");
  const removed = await page.locator(".cm-deletedLine").allTextContents();
  assert.deepEqual(removed, ['budget = "?"', 'period = { from = "1ms", to = "20ms", step = "500us" }']);
  assert.ok(await page.locator("#design").isDisabled());
  await drawn(page);
  assert.deepEqual(await violations(page), []);
  // One undo takes the design back; the way back of the browser leads to the description before.
  await page.locator("#undo").click();
  assert.equal(await text(page), readFileSync(join(ROOT, "designs/hello.toml"), "utf8"));
  await page.goBack();
  await page.waitForFunction((name) => document.querySelector("#name")?.textContent === name, file);
  assert.equal(await text(page), readFileSync(join(ROOT, "examples/hello.toml"), "utf8"));
  quiet(opened);
  await page.close();
});

inBrowser("a remedy is written into the text: a limit as the deadline that it is there", async (browser) => {
  const late = join(folder, "late.toml");
  const slot = (name: string, budget: string, offset: string): string =>
    `[vcpu.${name}]\nvm = "${name}"\non = "core.0"\nserver = "slot"\nbudget = "${budget}"\nperiod = "25ms"\noffset = "${offset}"\nscheduler = "fixed-priority"\n`;
  const task = '[task.b]\non = "vcpu.a"\nwcet = "1ms"\nperiod = "50ms"\ndeadline = "15ms"\npriority = 1\n';
  writeFileSync(late, `version = 1\n[core.0]\nscheduler = "slots"\n${slot("a", "10ms", "0ms")}${slot("b", "15ms", "10ms")}${task}`);
  assert.equal(vorrang(["workbench", late, "--out", join(folder, "late.html")]).code, 0);
  const opened = await open(browser, pathToFileURL(join(folder, "late.html")).href);
  const { page } = opened;
  await drawn(page);
  assert.equal(await page.locator("#verdict").getAttribute("data-verdict"), "refuted");
  await page.getByRole("button", { name: "Write it" }).click();
  await settled(page);
  assert.match(await text(page), /deadline = "16ms"/);
  assert.equal(await page.locator("#verdict").getAttribute("data-verdict"), "proven");
  quiet(opened);
  await page.close();
});

inBrowser("how far a long search for a design is, is shown until it ends, or an edit ends it", async (browser) => {
  const made = join(folder, "large.html");
  assert.equal(vorrang(["workbench", "designs/consolidation.toml", "--out", made]).code, 0);
  const opened = await open(browser, pathToFileURL(made).href);
  const { page } = opened;
  await answered(page);
  const search = page.locator("#search");
  assert.equal(await search.isVisible(), false);
  await page.locator("#design").click();
  await search.waitFor({ state: "visible" });
  const done = (): Promise<number> => page.locator("#searched").evaluate((bar) => (bar as HTMLProgressElement).value);
  const first = await done();
  assert.ok(first > 0, String(first));
  await until("more steps", async () => (await done()) > first);
  assert.match((await search.textContent()) ?? "", /^ \d+ of at most 50000 steps$/);
  assert.deepEqual(await violations(page), []);
  await write(page, "version = 1", "version = 1 ");
  await search.waitFor({ state: "hidden" });
  quiet(opened);
  await page.close();
});

inBrowser("why there is no design is said", async (browser) => {
  const { page } = await open(browser, address);
  await settled(page);
  await write(page, 'wcet = "3ms"', 'wcet = "90ms"');
  await write(page, 'budget = "4ms"', 'budget = "?"');
  await answered(page);
  await page.locator("#design").click();
  await page.waitForFunction(() => document.querySelector("#state")?.textContent.startsWith("There is no design: whatever is chosen"));
  await page.close();
});

inBrowser("two versions stand beside each other, and a slider keeps the keyboard between them", async (browser) => {
  const opened = await open(browser, address);
  const { page } = opened;
  await drawn(page);
  const column = (nth: number): Promise<string[]> => page.locator(`.rows td:nth-child(${nth})`).allTextContents();
  const bounds = await column(5);
  assert.deepEqual(await column(7), []);
  await page.locator("#compare").click();
  assert.deepEqual(await column(7), bounds);
  await page.getByLabel("budget of vcpu.motor").focus();
  for (let count = 0; count < 20; count += 1) {
    await page.keyboard.press("ArrowLeft");
  }
  assert.match(await text(page), /budget = "2ms"/);
  await drawn(page);
  assert.deepEqual(await column(7), bounds);
  assert.notDeepEqual(await column(5), bounds);
  assert.deepEqual(await page.locator(".cm-deletedLine").allTextContents(), ['budget = "4ms"']);
  // Where the verdict was another one, it is said.
  await write(page, 'budget = "2ms"', 'budget = "500us"');
  await settled(page);
  assert.ok((await column(7)).some((cell) => cell.startsWith("proven ")), (await column(7)).join());
  assert.deepEqual(await violations(page), []);
  await page.locator("#compare").click();
  assert.deepEqual(await column(7), []);
  assert.equal(await page.locator(".cm-deletedLine").count(), 0);
  quiet(opened);
  await page.close();
});
