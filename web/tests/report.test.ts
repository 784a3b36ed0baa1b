// Reports of the examples, opened from disk as their readers do.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before } from "node:test";
import { VIEWS, isTooWide, open, unfold, until, violations } from "./browser";
import { inBrowser } from "./in-browser";

const ROOT = resolve(import.meta.dirname, "../..");
const PROGRAM = process.env["VORRANG"] ?? join(ROOT, "target/debug/vorrang");

let folder: string;

/** Pages that were made, by what they are called: a program with all its assertions takes seconds for some. */
const pages = new Map<string, string>();

/** Makes a report, the first time, and says where it is. */
function report(description: string, name: string): string {
  return made(["report", description, "--out"], name);
}

/** Makes a page by a command that ends with the option for it, the first time. */
function made(command: readonly string[], name: string): string {
  const page = pages.get(name) ?? join(folder, `${name}.html`);
  if (!pages.has(name)) {
    try {
      execFileSync(PROGRAM, [...command, page, "--force"], { stdio: "pipe", cwd: ROOT });
    } catch (error) {
      // Refuted and undecided are no failures of the program.
      const { status } = error as { status?: number };
      assert.ok(status === 1 || status === 3, String(error));
    }
    pages.set(name, page);
  }
  return `file://${page}`;
}

before(() => {
  folder = mkdtempSync(join(tmpdir(), "vorrang-reports-"));
});

after(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Makes the page of a published figure and says where it is. */
function reproduced(figure: string): string {
  const out = join(folder, `reproduced-${figure}`);
  execFileSync(PROGRAM, ["reproduce", figure, "--out", out], { stdio: "pipe", cwd: ROOT });
  return `file://${join(out, "index.html")}`;
}

const IRQ = ["report", "examples/irq-reservations.toml", "--margins", "20", "--out"];

/** A page, how it is made, and whether all that is folded in it is looked at too: of a large one that takes long. */
const PAGES: readonly (readonly [string, readonly string[], "unfolded" | "as it opens"])[] = [
  ["hello", ["report", "examples/hello.toml", "--out"], "unfolded"],
  ["storm", ["report", "examples/storm.toml", "--out"], "unfolded"],
  // Not all margins, for which a program with all its assertions takes long; the page says which.
  ["irq-reservations", IRQ, "as it opens"],
  ["consolidation", ["report", "examples/consolidation.toml", "--margins", "20", "--out"], "as it opens"],
  ["kvm-host", ["report", "examples/kvm-host.toml", "--margins", "20", "--out"], "as it opens"],
  ["simulate", ["simulate", "examples/proxy-edf.toml", "--report"], "unfolded"],
  ["simulate-network", ["simulate", "examples/irq-reservations.toml", "--for", "200ms", "--report"], "as it opens"],
  [
    "observe",
    ["observe", "crates/observe/tests/data/observe.toml", "--trace", "crates/observe/tests/data/6.12-rt.trace", "--report"],
    "unfolded",
  ],
  ["measure", ["measure", "--profile", "published/machines/celeron.toml", "--report"], "unfolded"],
  ["reproduce", ["reproduce", "vtrr-slices"], "unfolded"],
];

for (const [name, command, folding] of PAGES) {
  inBrowser(`the page of ${name}, in all views`, async (browser) => {
    const address = command[0] === "reproduce" ? reproduced(command[1] ?? "") : made(command, name);
    for (const view of VIEWS) {
      const { page, complaints, requests } = await open(browser, address, view);
      const of = `${name}, ${view.width} wide, ${view.colours}`;
      assert.equal(await isTooWide(page), false, of);
      const shots = process.env["VORRANG_SHOTS"];
      if (shots !== undefined) {
        await page.screenshot({ path: join(shots, `${name}-${String(view.width)}-${view.colours}.png`), fullPage: true });
      }
      // Each width and each ground once.
      if ((view.width === 390) === (view.colours === "dark")) {
        if (folding === "unfolded") {
          await unfold(page);
        }
        assert.deepEqual(await violations(page), [], of);
        assert.equal(await isTooWide(page), false, of);
      }
      assert.deepEqual(complaints, [], of);
      assert.deepEqual(requests, [], of);
      await page.close();
    }
  });
}

inBrowser("what is planted is found where it is seen, and not where it is folded", async (browser) => {
  const { page } = await open(browser, report("examples/hello.toml", "hello"));
  await page.evaluate(() => document.querySelector("details")?.append(document.createElement("img")));
  assert.deepEqual(await violations(page), []);
  await unfold(page);
  assert.match((await violations(page)).join("\n"), /^image-alt: <img>/m);
  await page.close();
});

inBrowser("a box is as wide as its figure, and contents lead to every part", async (browser) => {
  const { page } = await open(browser, report("examples/hello.toml", "hello"), { width: 1440, colours: "light" });
  const empty = await page.locator(".vf-scroll").evaluateAll((all) =>
    all.map((box) => box.clientWidth - (box.querySelector("svg")?.getBoundingClientRect().width ?? 0)),
  );
  assert.ok(empty.length > 9 && empty.every((left) => left >= 0 && left < 2), empty.join());
  for (const link of await page.locator("nav.contents a").all()) {
    await link.click();
    const title = page.locator(`h2${(await link.getAttribute("href")) ?? ""}`);
    await until("its part", async () => ((await title.boundingBox())?.y ?? Infinity) < 900);
    assert.equal(await title.textContent(), await link.textContent());
  }
  await page.close();
});

inBrowser("in print the ground is light, and nothing is there that only works on a screen", async (browser) => {
  const { page } = await open(browser, report("examples/hello.toml", "hello"), { width: 1280, colours: "dark" });
  const ground = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.notEqual(await ground(), "rgb(255, 255, 255)");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  assert.equal(await ground(), "rgb(255, 255, 255)");
  for (const hidden of [".filter", ".vf-zoom", ".skip"]) {
    assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
  }
  assert.ok(await page.locator("svg.vf-schedule").first().isVisible());
  // What is folded on a screen is read on paper.
  const steps = page.locator("details:not([open]) ol.steps").first();
  const height = (): Promise<number> => steps.evaluate((of) => of.getBoundingClientRect().height);
  assert.ok((await height()) > 20, String(await height()));
  await page.emulateMedia({ media: "screen" });
  assert.equal(await steps.evaluate((of) => of.checkVisibility()), false);
});

/** A description with so many tasks on ten cores. */
function many(tasks: number): string {
  const cores = Array.from({ length: 10 }, (_, core) => `[core.${core}]\nscheduler = "fixed-priority"\n`);
  const task = (_: unknown, nth: number): string =>
    `[task.t${nth}]\non = "core.${nth % 10}"\nwcet = "${20 + (nth % 7)}us"\nperiod = "${10 + (nth % 13)}ms"\n` +
    `priority = ${1 + Math.floor(nth / 10)}\n`;
  return `version = 1\n${cores.join("")}${Array.from({ length: tasks }, task).join("")}`;
}

inBrowser("a report of a thousand tasks opens, and is filtered", async (browser, context) => {
  const description = join(folder, "thousand.toml");
  writeFileSync(description, many(1000));
  const address = made(["report", description, "--margins", "20", "--out"], "thousand");
  const begun = performance.now();
  const { page, complaints } = await open(browser, address);
  const rows = page.locator("#all-verdicts tbody tr");
  assert.equal(await rows.count(), 1000);
  const opened = performance.now();
  await page.locator('input[type="search"]').fill("task.t999");
  assert.equal(await page.getByRole("status").textContent(), "1 of 1000 shown");
  assert.equal(await page.locator("section.requirement").count(), 60);
  assert.deepEqual(complaints, []);
  context.diagnostic(`a report of 1000 tasks is open after ${(opened - begun).toFixed(0)} ms`);
});

inBrowser("the keyboard alone leads from the top to a requirement and zooms its schedule", async (browser) => {
  const { page } = await open(browser, report("examples/hello.toml", "hello"));
  const focused = (selector: string): Promise<boolean> =>
    page.evaluate((of) => document.activeElement?.matches(of) ?? false, selector);
  const tabTo = async (selector: string): Promise<void> => {
    for (let count = 0; count < 60 && !(await focused(selector)); count += 1) {
      await page.keyboard.press("Tab");
    }
    assert.ok(await focused(selector), selector);
  };
  await tabTo(".skip");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#verdicts$/);
  await tabTo("#all-verdicts td a");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#r0-task-watchdog$/);
  await tabTo(".vf-scroll:has(svg.vf-schedule)");
  await page.keyboard.press("+");
  await page.waitForFunction(() => document.querySelector<SVGSVGElement>("svg.vf-schedule")?.dataset["seenTo"] !== undefined);
});

inBrowser("verdicts are sorted by a click and by keys, and filtered", async (browser) => {
  const { page } = await open(browser, made(IRQ, "irq-reservations"));
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

inBrowser("a schedule is zoomed by wheel, keys and buttons, and dragged", async (browser) => {
  const { page, complaints } = await open(browser, report("examples/hello.toml", "hello"));
  const drawing = page.locator("svg.vf-schedule").first();
  const seen = (): Promise<[number, number]> =>
    drawing.evaluate((of) => {
      const { seenFrom, from, seenTo, to } = (of as SVGSVGElement).dataset;
      return [Number(seenFrom ?? from), Number(seenTo ?? to)];
    });
  // It is drawn with the browser's next frame, whenever that is.
  const after = async (before: readonly [number, number]): Promise<[number, number]> => {
    await until(`another window than ${before.join(" to ")}`, async () => (await seen()).join() !== before.join());
    return seen();
  };
  const whole = await seen();
  const length = ([from, to]: [number, number]): number => to - from;
  await drawing.scrollIntoViewIfNeeded();
  await drawing.hover();
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  const wheeled = await after(whole);
  assert.ok(length(wheeled) < length(whole));
  await page.locator(".vf-scroll:has(svg.vf-schedule)").first().focus();
  await page.keyboard.press("+");
  const keyed = await after(wheeled);
  assert.ok(length(keyed) < length(wheeled));
  await page.keyboard.press("ArrowRight");
  const later = await after(keyed);
  assert.ok(later[0] > keyed[0] && Math.abs(length(later) - length(keyed)) <= 2);
  const box = await drawing.boundingBox();
  assert.ok(box !== null);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  assert.ok((await after(later))[0] < later[0]);
  await page.getByRole("button", { name: "The whole" }).first().click();
  await until("the whole", async () => (await seen()).join() === whole.join());
  assert.deepEqual(complaints, []);
});

inBrowser("a link of the table leads to its requirement", async (browser) => {
  const { page } = await open(browser, report("examples/hello.toml", "hello"));
  await page.locator("#all-verdicts a", { hasText: "task.log" }).click();
  await page.waitForURL(/#r\d+-task-log$/);
  await page.getByRole("heading", { name: "task.log" }).waitFor();
});

inBrowser("a task that is called <script> is refused, and a file that is called so is text", async (browser) => {
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
