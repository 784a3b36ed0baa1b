// The workbench as a page on disk, and what tests do with it.

import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before } from "node:test";
import { pathToFileURL } from "node:url";
import { inflateRawSync } from "node:zlib";
import type { Page } from "playwright-core";
import { until, type Opened } from "./browser";
import { ROOT, vorrang, withoutTool } from "./program";

export const folder = mkdtempSync(join(tmpdir(), "vorrang-workbench-"));
export const file = join(folder, "hello.toml");
export const address = pathToFileURL(join(folder, "page.html")).href;

before(() => {
  copyFileSync(join(ROOT, "examples/hello.toml"), file);
  const made = vorrang(["workbench", file, "--out", join(folder, "page.html")]);
  assert.equal(made.code, 0, made.err);
});

// The page is busy from the moment its text changes until that text was answered, so none of these is satisfied by what was
// there before. Between them and the next edit nothing on the page moves.

/** Waits until the newest text was answered, also by a refusal. */
export async function answered(page: Page): Promise<void> {
  await page.waitForSelector('#results[aria-busy="false"]');
}

/** Waits until the newest text was looked at as a whole; its figures may still come. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('#results[aria-busy="false"]:not(.old)');
}

/** Waits until the requirement that is looked at was drawn as the whole check has it: nothing is to come. */
export async function drawn(page: Page): Promise<void> {
  await settled(page);
  // Without height where there is none.
  await page.waitForSelector('#drawing[aria-busy="false"][data-whole="true"]', { state: "attached" });
  await page.waitForSelector('#margins[aria-busy="false"]', { state: "attached" });
}

/** The text in the editor, as it is saved: on the page are only the lines in sight. */
export async function text(page: Page): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save").click()]);
  return readFileSync(await download.path(), "utf8");
}

/** Replaces what the editor has, and waits until the page has all of it: after each key there is another text. */
export async function write(page: Page, replaced: string, by: string): Promise<void> {
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
export async function addressed(page: Page): Promise<string> {
  const hash = await page.evaluate(() => location.hash);
  return hash.startsWith("#d=") ? inflateRawSync(Buffer.from(hash.slice(3), "base64url")).toString() : "";
}

/** What the command line says of this text. */
export function printed(of: string, name = file): string {
  writeFileSync(name, of);
  return withoutTool(vorrang(["check", name, "--json"]).out);
}

export async function json(page: Page): Promise<string> {
  return withoutTool((await page.locator("#json").textContent()) ?? "");
}

export function quiet({ complaints, requests }: Opened): void {
  assert.deepEqual(complaints, []);
  assert.deepEqual(requests.filter((request) => !request.startsWith("blob:")), []);
}

/** Opens an example of the list in the page. */
export async function example(page: Page, name: string): Promise<void> {
  await page.locator("#offered").selectOption({ label: name });
  await page.waitForFunction((wanted) => document.querySelector("#name")?.textContent === wanted, name);
}
