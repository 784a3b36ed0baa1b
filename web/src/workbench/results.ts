// What is known of the description: the verdict, the requirements, how a bound comes about, what is left.

import { asked, ruled, type Asked, type Ruled } from "./asked";
import type { Change, Check, Share } from "./answers";
import { wasOf, type Before } from "./before";
import { readable } from "./duration";
import { element, marked, table } from "./elements";

const SVG = "http://www.w3.org/2000/svg";

/** What the results ask of the page. */
export interface Around {
  /** Takes another requirement. */
  readonly choose: (name: string) => void;
  /** Says what a code means. */
  readonly explain: (code: string) => string;
  /** Writes a remedy into the text; none where it is no single value there. */
  readonly write: (change: Change) => (() => void) | undefined;
  /** A version to compare with. */
  readonly before: Before | undefined;
}

/** The whole result: `chosen` is the requirement that is looked at, `drawings` its figures and margins. */
export function results(check: Check, chosen: Asked | undefined, drawings: readonly HTMLElement[], around: Around): Node[] {
  const required = asked(check);
  const { choose, before } = around;
  return [
    ...(required.length > 0 ? [requirements(required, chosen, choose, before), lines(check)] : []),
    ...(chosen === undefined ? [] : [...detail(chosen, around), ...drawings]),
    budgets(check),
    utilisation(check),
    foot(check),
  ];
}

function word(one: Asked): HTMLElement {
  return element("span", { class: `verdict ${one.verdict}` }, ruled(one));
}

/** Says the verdict on all of it, in one sentence, where the page has it. */
export function sayVerdict(place: HTMLElement, check: Check): void {
  const { budgets: servers } = check;
  const of = check.verdict ?? "undecided";
  place.className = `whole verdict ${of}`;
  place.dataset["verdict"] = of;
  const open = servers.filter((one) => one.verdict !== "proven").length;
  const budgets = open === 0 ? "" : ` Budgets that are not guaranteed: ${open} of ${servers.length}.`;
  place.textContent = sentence(asked(check)) + budgets;
}

function sentence(required: readonly Asked[]): string {
  const count = (wanted: Ruled): number => required.filter((one) => ruled(one) === wanted).length;
  const parts = (["refuted", "undecided", "proven on average", "proven"] as const).map((one) => [one, count(one)] as const);
  const found = parts.filter(([, number]) => number > 0);
  const [first] = found;
  if (first === undefined) {
    return "Nothing is required, so nothing is proven.";
  }
  if (found.length === 1) {
    return required.length === 1 ? `The requirement is ${first[0]}.` : `All ${required.length} requirements are ${first[0]}.`;
  }
  const said = found.map(([one, number]) => `${number} ${number === 1 ? "is" : "are"} ${one}`);
  return `Of ${required.length} requirements, ${said.join(", ")}.`;
}

function requirements(
  required: readonly Asked[],
  chosen: Asked | undefined,
  choose: (name: string) => void,
  before?: Before,
): HTMLElement {
  const time = (ns: number | null): string => (ns === null ? "–" : readable(ns));
  /** The bound that there was, and the verdict where it was another one. */
  const said = (was: Asked | undefined, one: Asked): Node => {
    const bound = time(was?.bound_ns ?? null);
    return was === undefined || ruled(was) === ruled(one) ? element("span", {}, bound) : element("span", {}, word(was), ` ${bound}`);
  };
  const row = (one: Asked): (Node | string)[] => {
    const attributes = { type: "button", class: "name", "aria-pressed": String(one === chosen) };
    // A long name is broken behind its dot sooner than elsewhere.
    const [first = "", ...others] = one.name.split(/(?<=\.)/);
    const button = element("button", attributes, first, ...others.flatMap((part) => [element("wbr", {}), part]));
    button.addEventListener("click", () => {
      choose(one.name);
    });
    const cells = [button, word(one), room(one), time(one.observed_ns), time(one.bound_ns), time(one.limit_ns)];
    const was = wasOf(before, one);
    return before === undefined ? cells : [...cells, said(was, one)];
  };
  const header = [
    { text: "requirement" },
    { text: "verdict" },
    { text: "of the limit" },
    { text: "observed", number: true },
    { text: "bound", number: true },
    { text: "limit", number: true },
    ...(before === undefined ? [] : [{ text: "before", number: true }]),
  ];
  const made = table("Requirements", header, required.map(row));
  made.classList.add("rows");
  made.classList.toggle("compared", before !== undefined);
  return element("div", {}, made, roomKey(required.some(isOnlySeen)));
}

/** Whether there is no bound, so that only what was observed is drawn. */
function isOnlySeen({ bound_ns, observed_ns }: Asked): boolean {
  return bound_ns === null && observed_ns !== null;
}

/** What the marks beside a requirement are: samples of them. */
function roomKey(isOneOnlySeen: boolean): HTMLElement {
  const sample = (name: string, x: number, y: number, width: number, height: number): Element => {
    const picture = drawing(22, "sample");
    shape(picture, "rect", { class: "track", x: 0, y: 4, width: 22, height: 6 });
    if (name === "observed") {
      shape(picture, "rect", { class: "bound", x: 0, y: 4, width: 22, height: 6 });
    }
    shape(picture, "rect", { class: name, x, y, width, height });
    picture.setAttribute("aria-hidden", "true");
    return picture;
  };
  const entries: (Node | string)[] = [
    sample("bound", 0, 4, 14, 6), " bound ",
    sample("observed", 0, 6, 14, 2), " longest observed ",
    sample("limit", 14, 0, 1.5, 14), " limit",
    ...(isOneOnlySeen ? [sample("seen", 0, 4, 14, 6), " longest observed, without a bound"] : []),
  ];
  return element("p", { class: "quiet key" }, ...entries);
}

function drawing(width: number, name: string): Element {
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("viewBox", `0 0 ${width} 14`);
  picture.setAttribute("class", `room ${name}`);
  return picture;
}

function shape(picture: Element, name: string, attributes: Readonly<Record<string, number | string>>): void {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, String(value));
  }
  picture.append(made);
}

/** Observed and bound on a line as long as the limit, and a quarter more. */
function room({ limit_ns, bound_ns, observed_ns }: Asked): Element {
  const width = 100;
  const place = (ns: number): number => Math.min(width, (ns / limit_ns) * 0.8 * width);
  const said = [
    ...(observed_ns === null ? [] : [`observed ${percent(observed_ns, limit_ns)}`]),
    ...(bound_ns === null ? ["no bound"] : [`bound ${percent(bound_ns, limit_ns)}`]),
  ].join(", ");
  const picture = drawing(width, "share");
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `${said} of the limit`);
  shape(picture, "rect", { class: "track", x: 0, y: 4, width, height: 6 });
  if (bound_ns !== null) {
    shape(picture, "rect", { class: "bound", x: 0, y: 4, width: place(bound_ns), height: 6 });
  } else if (observed_ns !== null) {
    // The line of what was observed is seen on something dark only.
    const than = observed_ns > limit_ns ? "longer" : "shorter";
    shape(picture, "rect", { class: `seen ${than}`, x: 0, y: 4, width: place(observed_ns), height: 6 });
  }
  if (observed_ns !== null) {
    shape(picture, "rect", { class: "observed", x: 0, y: 6, width: place(observed_ns), height: 2 });
  }
  shape(picture, "rect", { class: "limit", x: 0.8 * width - 0.75, y: 0, width: 1.5, height: 14 });
  return picture;
}

function percent(part: number, of: number): string {
  return `${((part / of) * 100).toFixed(1)} %`;
}

/** What the lines below sliders are, or why there are none. */
function lines(check: Check): HTMLElement {
  const said =
    check.verdict === "proven"
      ? " below a slider: with these values all stays proven"
      : "Once all is proven, lines below sliders say with which values it stays so.";
  const line = check.verdict === "proven" ? [element("span", { class: "line", "aria-hidden": "true" })] : [];
  return element("p", { class: "quiet lines" }, ...line, said);
}

/** What a code means, once that is opened. */
function page(code: string, explain: (code: string) => string): HTMLElement {
  const made = element("details", { class: "page" }, element("summary", {}, `What ${code} means`));
  made.addEventListener("toggle", () => {
    if (made.open && made.childElementCount === 1) {
      made.append(...explain(code).trim().split(/\n\s*\n/).slice(1).map(paragraph));
    }
  });
  return made;
}

/** Lines of a program stay as they are; others are as long as there is room. */
function paragraph(text: string): HTMLElement {
  return /^(?: {4}|\t|[-*|] )/.test(text) ? element("pre", { tabindex: "0" }, text) : element("p", {}, text.replaceAll("\n", " "));
}

function detail(one: Asked, { explain, write }: Around): Node[] {
  const parts: Node[] = [element("h2", { id: "chosen" }, one.name, " is ", word(one))];
  if (one.reason !== null) {
    parts.push(element("p", { class: "reason" }, ...marked(`${one.reason}.`)));
  }
  if (one.broken !== undefined) {
    const { said, replays } = one.broken;
    const command = element("pre", { tabindex: "0" }, replays.join("\n"));
    parts.push(element("p", { class: "reason" }, said), element("p", {}, "To see that history in a terminal:"), command);
  }
  if (one.help !== null) {
    const remedy = element("p", {}, element("b", {}, "help: "), ...marked(one.help));
    const writing = one.change === null ? undefined : write(one.change);
    if (writing !== undefined) {
      const button = element("button", { type: "button" }, "Write it");
      button.addEventListener("click", writing);
      remedy.append(" ", button);
    }
    parts.push(remedy);
  }
  if (one.code !== null) {
    parts.push(page(one.code, explain));
  }
  const assumed = element("ul", {}, ...one.assumptions.map((text) => element("li", {}, text)));
  parts.push(element("p", { class: "quiet" }, `By ${one.by}.`));
  if (one.assumptions.length > 0) {
    parts.push(element("details", {}, element("summary", {}, "What the bound assumes"), assumed));
  }
  return parts;
}

function budgets(check: Check): HTMLElement {
  const open = check.budgets.filter(({ verdict }) => verdict !== "proven");
  const lines = open.map(({ name, reason }) => element("li", {}, ...marked(`${name}: ${reason ?? "not guaranteed"}`)));
  return lines.length === 0
    ? element("p", { class: "quiet" }, check.budgets.length === 0 ? "" : "All budgets of servers are guaranteed.")
    : element("section", {}, element("h3", {}, "Budgets that are not guaranteed"), element("ul", {}, ...lines));
}

/** What is taken of each supply; interrupts and costs only where there are any. */
function utilisation(check: Check): HTMLElement {
  const rows = inOrder(check.utilisation);
  const isUsed = (of: (share: Share) => string): boolean => rows.some((share) => Number(of(share)) !== 0);
  const columns: readonly { text: string; of: (share: Share) => string; shown: boolean }[] = [
    { text: "reserved [%]", of: (share) => share.reserved_percent, shown: true },
    { text: "tasks [%]", of: (share) => share.tasks_percent, shown: true },
    { text: "interrupts [%]", of: (share) => share.interrupts_percent, shown: isUsed((share) => share.interrupts_percent) },
    { text: "costs [%]", of: (share) => share.costs_percent, shown: isUsed((share) => share.costs_percent) },
    { text: "left [%]", of: (share) => share.left_percent ?? "–", shown: true },
  ];
  const shown = columns.filter((column) => column.shown);
  const header = [{ text: "supply" }, ...shown.map(({ text }) => ({ text, number: true }))];
  const cells = rows.map((share) => [
    "– ".repeat(depth(share, rows)) + share.name,
    ...shown.map(({ of }) => of(share)),
  ]);
  return table("Utilisation, in percent of a core", header, cells);
}

/** Each supply behind the one that it is on. */
function inOrder(all: readonly Share[], on: string | null = null): Share[] {
  return all.filter((share) => share.on === on).flatMap((share) => [share, ...inOrder(all, share.name)]);
}

/** In how many others a supply is. */
function depth(share: Share, all: readonly Share[]): number {
  const on = all.find(({ name }) => name === share.on);
  return on === undefined ? 0 : 1 + depth(on, all);
}

function foot(check: Check): HTMLElement {
  const { runs, seed } = check.simulation;
  const text = `${check.tool}, sha256 ${check.input_sha256.slice(0, 16)}…, ${runs} histories, seed ${seed}`;
  return element("p", { class: "quiet" }, text);
}
