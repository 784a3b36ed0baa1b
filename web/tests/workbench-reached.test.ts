// The workbench by keyboard, on every screen, with many tasks, and as it is served.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { VIEWS, isTooWide, open, violations } from "./browser";
import { inBrowser } from "./in-browser";
import { ROOT, vorrang } from "./program";
import { address, answered, drawn, folder, json, printed, quiet, settled, text, write } from "./workbench";

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
