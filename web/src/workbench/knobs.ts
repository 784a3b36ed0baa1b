// The durations in a description that can be turned: budgets, periods and execution times.

import { nanoseconds, type Unit } from "./duration";

/** A duration in the text. */
export interface Knob {
  /** The table that it stands in, such as `task.log`. */
  readonly of: string;
  readonly key: string;
  /** Where the duration is written, without its quotes. */
  readonly from: number;
  readonly to: number;
  readonly ns: number;
  readonly unit: Unit;
}

const KEYS = /(?<![\w-])(budget|period|wcet)\s*=\s*"(\d+(?:\.\d+)?)(ns|us|ms|s)"/gd;
const HEADER = /^\s*\[([^\][]+)\]/;

/** All of them, from the top. */
export function knobs(text: string): Knob[] {
  const found: Knob[] = [];
  let of = "";
  let start = 0;
  for (const line of text.split("\n")) {
    of = HEADER.exec(line)?.[1]?.trim() ?? of;
    for (const match of withoutComment(line).matchAll(KEYS)) {
      const [, key = "", number = "0", unit = "ns"] = match;
      const begin = match.indices?.[2]?.[0] ?? 0;
      const end = match.indices?.[3]?.[1] ?? 0;
      const known = unit as Unit;
      found.push({ of, key, from: start + begin, to: start + end, ns: nanoseconds(number, known), unit: known });
    }
    start += line.length + 1;
  }
  return found;
}

/** Up to the first `#` that stands in no string. */
function withoutComment(line: string): string {
  let quote = "";
  for (let place = 0; place < line.length; place += 1) {
    const letter = line.charAt(place);
    if (quote === "" && letter === "#") {
      return line.slice(0, place);
    }
    if (letter === quote) {
      quote = "";
    } else if (quote === "" && (letter === '"' || letter === "'")) {
      quote = letter;
    }
  }
  return line;
}

/** How far a knob turns: a budget up to its period, everything else to twice what it is; in steps of about a 200th. */
export function reach(knob: Knob, all: readonly Knob[]): { readonly most: number; readonly step: number } {
  const period = all.find((other) => other.of === knob.of && other.key === "period");
  const most = knob.key === "budget" && period !== undefined ? Math.max(period.ns, knob.ns) : 2 * knob.ns;
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(most, 1) / 100)));
  return { most, step };
}
