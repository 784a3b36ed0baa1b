// Debian's Chromium, driven by Playwright, on pages that are opened from disk. Whatever a page asks of a
// network, and whatever it says to its console, is kept for the tests.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { chromium, type BrowserContext, type Page } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** How a page is seen. */
export interface View {
  readonly width: number;
  readonly colours: "light" | "dark";
}

/** Both widths, light and dark. */
export const VIEWS: readonly View[] = [
  { width: 1280, colours: "light" },
  { width: 1280, colours: "dark" },
  { width: 390, colours: "light" },
  { width: 390, colours: "dark" },
];

/**
 * How long anything is waited for, in milliseconds, before a page counts as stuck. It decides nothing else: a test waits for
 * a state, never for a time, and on a machine that has other work to do a state may take many seconds.
 */
const PATIENCE = 120_000;

/** A browser with a profile of its own. */
export interface Browser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** Starts a browser. */
export async function start(): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), "vorrang-web-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: "/usr/bin/chromium",
    headless: true,
    args: FLAGS,
    timeout: PATIENCE,
  });
  context.setDefaultTimeout(PATIENCE);
  const close = async (): Promise<void> => {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  };
  return { context, close };
}

/** A page that was opened, with what it must not do. */
export interface Opened {
  readonly page: Page;
  /** Errors and warnings on its console, and exceptions. */
  readonly complaints: string[];
  /** Addresses that it asked for, except for its own. */
  readonly requests: string[];
}

/** Opens an address, and listens from the beginning. */
export async function open(browser: Browser, address: string, view: View = VIEWS[0] as View): Promise<Opened> {
  const page = await browser.context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => {
    complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`exception: ${error.message}`));
  page.on("request", (request) => {
    if (request.url() !== address && !request.url().startsWith("data:")) {
      requests.push(request.url());
    }
  });
  await page.emulateMedia({ colorScheme: view.colours });
  await page.setViewportSize({ width: view.width, height: 900 });
  await page.goto(address);
  return { page, complaints, requests };
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * What axe finds wrong with a page, one line each. What is inside of a picture is one image to those who read by ear, and what
 * is folded is not there for anybody: axe looks at neither, but passes all of it in rule after rule, of a large page for half a
 * minute. So it is taken out meanwhile.
 */
export async function violations(page: Page): Promise<string[]> {
  // By the debugger: a content security policy forbids a script element.
  const found = await page.evaluate(`(async () => {
    ${AXE}
    const taken = [];
    for (const of of document.querySelectorAll("svg[role=img], details:not([open])")) {
      const inside = [...of.childNodes].filter((node) => node.nodeName !== "SUMMARY");
      taken.push([of, inside]);
      inside.forEach((node) => node.remove());
    }
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    taken.forEach(([of, inside]) => of.append(...inside));
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ": " + html.slice(0, 160) + " " + failureSummary));
  })()`);
  return found as string[];
}

/** Opens all that is folded in a page. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const of of document.querySelectorAll("details")) {
      of.open = true;
    }
  });
}

/** Whether a page is wider than what shows it. */
export async function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}

/** Waits until something holds that only the test can tell. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const begun = performance.now();
  while (!(await holds())) {
    assert.ok(performance.now() - begun < PATIENCE, `never came: ${what}`);
    await setTimeout(20);
  }
}
