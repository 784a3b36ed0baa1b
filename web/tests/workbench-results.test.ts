// What the workbench shows of the results.

import assert from "node:assert/strict";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Check } from "../src/workbench/answers";
import { open, violations } from "./browser";
import { inBrowser } from "./in-browser";
import { ROOT, vorrang } from "./program";
import { address, answered, drawn, example, file, folder, printed, quiet, settled, text, write } from "./workbench";

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
