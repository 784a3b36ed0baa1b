// The workbench in a real browser: from disk, and as it is served.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { before } from "node:test";
import { pathToFileURL } from "node:url";
import { inflateRawSync } from "node:zlib";
import type { Page } from "playwright-core";
import type { Check } from "../src/workbench/answers";
import { VIEWS, isTooWide, open, until, violations, type Opened } from "./browser";
import { inBrowser } from "./in-browser";
import { ROOT, vorrang, withoutTool } from "./program";

const folder = mkdtempSync(join(tmpdir(), "vorrang-workbench-"));
const file = join(folder, "hello.toml");
const address = pathToFileURL(join(folder, "page.html")).href;

before(() => {
  copyFileSync(join(ROOT, "examples/hello.toml"), file);
  const made = vorrang(["workbench", file, "--out", join(folder, "page.html")]);
  assert.equal(made.code, 0, made.err);
});

// The page is busy from the moment its text changes until that text was answered, so none of these is satisfied by what was
// there before. Between them and the next edit nothing on the page moves.

/** Waits until the newest text was answered, also by a refusal. */
async function answered(page: Page): Promise<void> {
  await page.waitForSelector('#results[aria-busy="false"]');
}

/** Waits until the newest text was looked at as a whole; its figures may still come. */
async function settled(page: Page): Promise<void> {
  await page.waitForSelector('#results[aria-busy="false"]:not(.old)');
}

/** Waits until the requirement that is looked at was drawn as the whole check has it: nothing is to come. */
async function drawn(page: Page): Promise<void> {
  await settled(page);
  // Without height where there is none.
  await page.waitForSelector('#drawing[aria-busy="false"][data-whole="true"]', { state: "attached" });
  await page.waitForSelector('#margins[aria-busy="false"]', { state: "attached" });
}

/** The text in the editor, as it is saved: on the page are only the lines in sight. */
async function text(page: Page): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save").click()]);
  return readFileSync(await download.path(), "utf8");
}

/** Replaces what the editor has, and waits until the page has all of it: after each key there is another text. */
async function write(page: Page, replaced: string, by: string): Promise<void> {
  const wanted = (await text(page)).replace(replaced, by);
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Control+f");
  await page.keyboard.type(replaced);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.keyboard.type(by);
  await until(`the text with ${by}`, async () => (await text(page)) === wanted);
}

/** What the address of the page says. */
async function addressed(page: Page): Promise<string> {
  const hash = await page.evaluate(() => location.hash);
  return hash.startsWith("#d=") ? inflateRawSync(Buffer.from(hash.slice(3), "base64url")).toString() : "";
}

/** What the command line says of this text. */
function printed(of: string, name = file): string {
  writeFileSync(name, of);
  return withoutTool(vorrang(["check", name, "--json"]).out);
}

async function json(page: Page): Promise<string> {
  return withoutTool((await page.locator("#json").textContent()) ?? "");
}

function quiet({ complaints, requests }: Opened): void {
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests.filter((request) => !request.startsWith("blob:")), []);
}

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

/** Opens an example of the list in the page. */
async function example(page: Page, name: string): Promise<void> {
  await page.locator("#offered").selectOption({ label: name });
  await page.waitForFunction((wanted) => document.querySelector("#name")?.textContent === wanted, name);
}

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

inBrowser("a row of the worst history leads to its place in the text, and the cursor marks its row", async (browser) => {
  const opened = await open(browser, address);
  const { page } = opened;
  await drawn(page);
  const row = page.locator("svg.vf-schedule [data-row='task.log']").first();
  await row.click();
  assert.equal(await page.locator(".cm-activeLine").textContent(), "[task.log]");
  const marked = (): Promise<(string | null)[]> =>
    page.locator("svg.vf-schedule .at").evaluateAll((all) => all.map((one) => one.getAttribute("data-row")));
  assert.deepEqual([...new Set(await marked())], ["task.log"]);
  for (let count = 0; count < 3; count += 1) {
    await page.keyboard.press("ArrowUp");
  }
  assert.deepEqual([...new Set(await marked())], ["task.control"]);
  quiet(opened);
  await page.close();
});

inBrowser("every example of the list can be checked or designed", async (browser) => {
  const { page } = await open(browser, address);
  await settled(page);
  const names = (await page.locator("#offered option").allTextContents()).slice(1);
  assert.ok(names.length >= 8, names.join());
  for (const name of names) {
    await example(page, name);
    await answered(page);
    const isChecked = await page.locator("#results").evaluate((one) => !one.classList.contains("old"));
    assert.ok(isChecked || (await page.locator("#design").isEnabled()), name);
    assert.equal(await text(page), readFileSync(join(ROOT, name), "utf8"));
  }
  await page.close();
});

inBrowser("interrupts have a column in the utilisation where there are some", async (browser) => {
  const opened = await open(browser, address);
  const { page } = opened;
  await drawn(page);
  const heads = (): Promise<string[]> => page.locator('[aria-label="Utilisation, in percent of a core"] th').allTextContents();
  assert.ok(!(await heads()).includes("interrupts [%]"));
  await write(page, "[core.0]", '[interrupt.card]\non = "core.0"\nisr = "50us"\nmin-interarrival = "10ms"\n\n[core.0]');
  await settled(page);
  assert.ok((await heads()).includes("interrupts [%]"), (await heads()).join());
  await page.close();
});

inBrowser("what is not proven is explained, and its remedy is written into the text", async (browser) => {
  const { page, complaints } = await open(browser, address);
  await drawn(page);
  const key = page.locator("#results .lines");
  assert.match((await key.textContent()) ?? "", /below a slider/);
  await write(page, 'wcet = "1200us"', 'wcet = "4900us"');
  await drawn(page);
  assert.doesNotMatch((await key.textContent()) ?? "", /below a slider/);
  const explained = page.locator("details.page");
  await explained.locator("summary").click();
  await explained.locator("p").first().waitFor();
  const remedy = page.locator("#results p", { hasText: "would be proven with" });
  const said = /with (\S+ = "[^"]+") of/.exec((await remedy.textContent()) ?? "")?.[1] ?? "nothing";
  await remedy.getByRole("button").click();
  await drawn(page);
  assert.ok((await text(page)).includes(said), said);
  assert.equal(await page.locator("#verdict").getAttribute("data-verdict"), "proven");
  assert.deepEqual(complaints, []);
  await page.close();
});

inBrowser("each supply stands behind the one that it is on", async (browser) => {
  const { page } = await open(browser, address);
  await drawn(page);
  const core = '[core.1]\nscheduler = "fixed-priority"\n\n[vcpu.motor]';
  await write(page, "[vcpu.motor]", core);
  await settled(page);
  const names = await page.locator('[aria-label="Utilisation, in percent of a core"] td:first-child').allTextContents();
  assert.deepEqual(names, ["core.0", "– vcpu.motor", "core.1"]);
  await page.close();
});

inBrowser("curves and the schedule follow the text, and the schedule is zoomed by keys alone", async (browser) => {
  const opened = await open(browser, address);
  const { page } = opened;
  await drawn(page);
  // The requirement with the least margin.
  assert.match((await page.locator("#chosen").textContent()) ?? "", /^task.control is/);
  const figures = (): Promise<(string | null)[]> =>
    page.locator("#drawing svg.vf").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")));
  assert.deepEqual(
    (await figures()).map((label) => (label ?? "").split(":")[0]),
    ["Supply against demand", "Response times", "The worst history seen"],
  );
  const decides = page.locator("#drawing svg.vf-chart").first();
  assert.match((await decides.textContent()) ?? "", /decides: 7.4ms/);

  await write(page, 'budget = "4ms"', 'budget = "3ms"');
  await drawn(page);
  assert.doesNotMatch((await decides.textContent()) ?? "", /decides: 7.4ms/);
  const bound = (JSON.parse(printed(await text(page))) as Check).requirements.find(({ name }) => name === "task.control")?.bound_ns;
  assert.ok(bound !== null && bound !== undefined);
  const numbers = await page.locator("#drawing .vf-numbers").first().textContent();
  assert.match(numbers ?? "", new RegExp(`decides: ${String(bound / 1_000_000)}ms`));

  const schedule = page.locator("#drawing svg.vf-schedule");
  await page.locator("#drawing .vf-scroll:has(svg.vf-schedule)").focus();
  await page.keyboard.press("+");
  await page.waitForFunction(() => document.querySelector<SVGSVGElement>("svg.vf-schedule")?.dataset["seenTo"] !== undefined);
  const [from, to, seenFrom, seenTo] = await schedule.evaluate((of) => {
    const { from: a, to: b, seenFrom: c, seenTo: d } = (of as SVGSVGElement).dataset;
    return [Number(a), Number(b), Number(c), Number(d)] as const;
  });
  assert.ok(seenTo - seenFrom < to - from, `${String(seenFrom)} ${String(seenTo)}`);

  await page.locator("button.name", { hasText: "task.log" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#drawing svg.vf")?.getAttribute("aria-label")?.endsWith("task.log"));
  quiet(opened);
  await page.close();
});

inBrowser("how far parameters may move is what the command line says, and is of the newest text", async (browser) => {
  const opened = await open(browser, address);
  const { page } = opened;
  const shown = async (): Promise<string[][]> => {
    await drawn(page);
    const rows = page.locator("#margins .vf-table tbody tr");
    return rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  };
  const wanted = async (): Promise<string[][]> => {
    writeFileSync(file, await text(page));
    const { out } = vorrang(["margin", file, "--of", "task.control"]);
    const lines = out.split("\n").slice(2).filter((line) => line !== "" && !line.endsWith("analyses."));
    return lines.map((line) => line.replace(/^task\.control/, "").trim().split(/ {2,}/));
  };
  // A page looks for less, above all of what refutes, and says so.
  const same = async (found: string[][], all: string[][]): Promise<void> => {
    const said = (await page.locator("#margins").textContent()) ?? "";
    const left = all.filter((row) => found.every((own) => own[0] !== row[0]));
    assert.ok(left.length <= 1 && left.every((row) => said.includes(row[0] ?? "")), said);
    const kept = all.filter((row) => !left.includes(row));
    const looked = kept.map((row, nth) => (found[nth]?.[4] === "not looked for" ? [...row.slice(0, 4), "not looked for"] : row));
    assert.deepEqual(found, looked);
  };
  const before = await shown();
  await same(before, await wanted());
  await write(page, 'budget = "4ms"', 'budget = "3ms"');
  const after = await shown();
  assert.notDeepEqual(after, before);
  await same(after, await wanted());
  quiet(opened);
  await page.close();
});

inBrowser("a history that breaks a requirement is drawn with its miss", async (browser) => {
  const opened = await open(browser, address);
  const { page } = opened;
  await drawn(page);
  await write(page, 'budget = "4ms"', 'budget = "500us"');
  await drawn(page);
  assert.equal(await page.locator("#verdict").getAttribute("data-verdict"), "refuted");
  assert.match((await page.locator("#drawing svg.vf-schedule").textContent()) ?? "", /deadline missed/);
  // Which job is late is said in the words of the command line.
  const late = /the job that arrives at \S+ is not complete at its deadline, [^.]+/i;
  const [said] = late.exec((await page.locator("#chosen ~ .reason").first().textContent()) ?? "") ?? [];
  const { out } = vorrang(["check", "-"], await text(page));
  const name = ((await page.locator("#chosen").textContent()) ?? "").split(" is ")[0];
  const [wanted] = late.exec(out.slice(out.indexOf(`${name ?? ""} is refuted`)).replaceAll(/\s+/g, " ")) ?? [];
  assert.equal(said?.toLowerCase().replace("; the schedule stands below", ""), wanted?.toLowerCase().replace("at 0ms", "at 0s"));
  assert.deepEqual(await violations(page), []);
  quiet(opened);
  await page.close();
});

inBrowser("what is required of chains has rows and a say in the verdict", async (browser) => {
  const system = join(folder, "chain.toml");
  copyFileSync(join(ROOT, "examples/chain.toml"), system);
  const chains = join(folder, "chain.html");
  assert.equal(vorrang(["workbench", system, "--out", chains]).code, 0);
  const opened = await open(browser, pathToFileURL(chains).href);
  const { page } = opened;
  await drawn(page);
  const said = (await page.locator("#verdict").textContent()) ?? "";
  const of = JSON.parse(printed(readFileSync(system, "utf8"), system)) as Check;
  assert.equal(of.verdict, "refuted");
  assert.equal(said, "Of 7 requirements, 1 is refuted, 6 are proven.");
  // The worst of all is looked at, with the commands that show it, and with the parts of its bound.
  assert.equal(await page.locator("#chosen").textContent(), "chain.estimate age is refuted");
  const broken = of.chains.find(({ verdict }) => verdict === "refuted");
  assert.equal(await page.locator("#chosen ~ pre").first().textContent(), broken?.witness?.replay.join("\n"));
  assert.match((await page.locator("#chosen ~ .reason").first().textContent()) ?? "", /^From the reading at \S+ it takes \S+\.$/);
  await page.locator("button.name", { hasText: "chain.brake age" }).click();
  await page.waitForFunction(() => document.querySelector("#drawing svg.vf")?.getAttribute("aria-label") === "The path of chain.brake: age");
  const lanes = await page.locator("#drawing .vf-table tbody tr").evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  assert.equal(lanes.length, 4);
  assert.deepEqual(lanes[2], ["task.plan", "20ms", "5.4ms", "it completes", "40.4ms"]);
  await drawn(page);
  assert.deepEqual(await violations(page), []);
  quiet(opened);
  await page.close();
});

inBrowser("what rests on an average is proven on average, in the table and in the sentence", async (browser) => {
  const system = join(folder, "five.toml");
  copyFileSync(join(ROOT, "examples/five-in-one.toml"), system);
  const five = join(folder, "five.html");
  assert.equal(vorrang(["workbench", system, "--out", five]).code, 0);
  const opened = await open(browser, pathToFileURL(five).href);
  const { page } = opened;
  await drawn(page);
  assert.equal(await page.locator("#verdict").textContent(), "Of 5 requirements, 4 are proven on average, 1 is proven.");
  const row = page.locator("tr", { has: page.locator("button.name", { hasText: "task.decode" }) });
  assert.equal(await row.locator(".verdict").first().textContent(), "proven on average");
  quiet(opened);
  await page.close();
});

inBrowser("a task that is called <script> is an error in words, and no element", async (browser) => {
  const opened = await open(browser, address);
  const { page } = opened;
  await settled(page);
  const scripts = await page.locator("script").count();
  await write(page, "[task.log]", '[task."<script>window.broken = 1<script>"]');
  await answered(page);
  assert.match((await page.locator("#complaints").textContent()) ?? "", /<script>/);
  assert.equal(await page.locator("script").count(), scripts);
  assert.equal(await page.evaluate(() => "broken" in window), false);
  quiet(opened);
  await page.close();
});

inBrowser("an error is marked where the command line names it", async (browser) => {
  const opened = await open(browser, address);
  const { page } = opened;
  await settled(page);
  await write(page, 'budget = "4ms"', 'budget = "4"');
  await answered(page);
  const wrong = await text(page);
  const place = /^ *--> .*?:(\d+):(\d+)$/m.exec(vorrang(["check", "-"], wrong).err);
  assert.ok(place !== null, vorrang(["check", "-"], wrong).err);
  const said = await page.locator("#complaints button").first().textContent();
  assert.ok(said?.endsWith(`:${place[1] ?? ""}:${place[2] ?? ""}`), said ?? "");
  const marked = await page.locator(".cm-line", { has: page.locator(".cm-lintRange-error") }).textContent();
  assert.equal(marked, wrong.split("\n")[Number(place[1]) - 1]);
  quiet(opened);
  await page.close();
});

inBrowser("completion knows keys and names", async (browser) => {
  const { page } = await open(browser, address);
  await settled(page);
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type('\n[task.new]\non = "');
  // Keys are offered before names are: it is the name that is waited for.
  await page.locator(".cm-completionLabel", { hasText: /^vcpu\.motor$/ }).waitFor();
  await page.close();
});

inBrowser("the keyboard reaches everything, and is never held", async (browser) => {
  const { page } = await open(browser, address);
  await drawn(page);
  const seen = new Set<string>();
  for (let count = 0; count < 40; count += 1) {
    await page.keyboard.press("Tab");
    seen.add(
      await page.evaluate(() => {
        const element = document.activeElement;
        return element?.id ?? element?.getAttribute("aria-label") ?? "";
      }),
    );
    const labels = await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");
    seen.add(labels);
  }
  for (const wanted of ["open", "save", "undo", "redo", "copy", "Description of the system", "budget of vcpu.motor"]) {
    assert.ok(seen.has(wanted), `${wanted} of ${[...seen].join(", ")}`);
  }
  await page.close();
});

for (const view of VIEWS) {
  inBrowser(`axe finds nothing and nothing is too wide: ${String(view.width)} ${view.colours}`, async (browser) => {
    const opened = await open(browser, address, view);
    const { page } = opened;
    await drawn(page);
    assert.deepEqual(await violations(page), []);
    assert.equal(await isTooWide(page), false);
    const shots = process.env["VORRANG_SHOTS"];
    if (shots !== undefined) {
      await page.screenshot({ path: join(shots, `workbench-${String(view.width)}-${view.colours}.png`), fullPage: true });
    }
    quiet(opened);
    await page.close();
  });
}

/** Twenty tasks on four virtual machines. */
function twenty(): string {
  const machines = [1, 2, 3, 4].map(
    (vm) => `[vcpu.m${vm}]\nvm = "m${vm}"\non = "core.0"\nserver = "deferrable"\nbudget = "2ms"\nperiod = "10ms"\npriority = ${vm}\nscheduler = "fixed-priority"\n`,
  );
  const tasks = Array.from({ length: 20 }, (_, place) => {
    const [vm, priority] = [1 + (place % 4), 1 + Math.floor(place / 4)];
    return `[task.t${place}]\non = "vcpu.m${vm}"\nwcet = "200us"\nperiod = "${40 + place}ms"\npriority = ${priority}\n`;
  });
  return `version = 1\n[core.0]\nscheduler = "fixed-priority"\n${machines.join("")}${tasks.join("")}`;
}

inBrowser("twenty tasks follow a slider", async (browser, context) => {
  const system = join(folder, "twenty.toml");
  writeFileSync(system, twenty());
  const page_ = join(folder, "twenty.html");
  assert.equal(vorrang(["workbench", system, "--out", page_]).code, 0);
  const { page } = await open(browser, pathToFileURL(page_).href);
  await drawn(page);
  assert.equal(await json(page), printed(twenty(), system));
  // What was chosen stands below some of the rows, not below all; they stay where they were scrolled to.
  assert.ok(((await page.locator("#chosen").boundingBox())?.y ?? Infinity) < 900);
  await page.evaluate(() => document.querySelector(".rows")?.scrollTo(0, 120));
  const slider = page.getByLabel("budget of vcpu.m1");
  await slider.focus();
  const took: number[] = [];
  for (let count = 0; count < 10; count += 1) {
    took.push(
      await page.evaluate(async () => {
        const results = document.querySelector("#results") as HTMLElement;
        const begun = performance.now();
        const input = document.activeElement as HTMLInputElement;
        input.stepDown();
        const drawn = new Promise<number>((resolve) => {
          const observer = new MutationObserver(() => {
            observer.disconnect();
            resolve(performance.now() - begun);
          });
          observer.observe(results, { childList: true });
        });
        input.dispatchEvent(new Event("input", { bubbles: true }));
        return drawn;
      }),
    );
  }
  // In one go: a locator could find rows that the whole check replaces before they are asked.
  assert.equal(await page.evaluate(() => document.querySelector(".rows")?.scrollTop), 120);
  const sorted = took.toSorted((one, other) => one - other);
  context.diagnostic(`from a slide to its verdicts, 20 tasks: median ${String(sorted[5]?.toFixed(0))} ms, longest ${String(sorted[9]?.toFixed(0))} ms`);
  await page.close();
});

inBrowser("it is served to its own address only", async (browser) => {
  const program = process.env["VORRANG"] ?? "";
  const server = spawn(program, ["workbench", "examples/hello.toml"], { cwd: ROOT });
  try {
    // A server that dies without a word ends its output, too.
    const said = await createInterface(server.stdout)[Symbol.asyncIterator]().next();
    assert.equal(said.done, false, "it says where it is");
    const own = said.value;
    const opened = await open(browser, own);
    await settled(opened.page);
    assert.equal(await opened.page.locator("#verdict").getAttribute("data-verdict"), "proven");
    quiet(opened);
    await opened.page.close();
    const { origin } = new URL(own);
    assert.equal((await fetch(`${origin}/`)).status, 404);
    assert.equal((await fetch(own, { method: "POST" })).status, 405);
    assert.equal((await fetch(own, { headers: { Origin: "http://evil.example" } })).status, 403);
  } finally {
    server.kill("SIGINT");
  }
  const code = await new Promise((resolve) => server.on("exit", resolve));
  assert.equal(code, 0);
});
