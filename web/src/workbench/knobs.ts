// What can be turned in a description: budgets, periods, execution times, deadlines, jitter, offsets, interrupts and shares.

import { nanoseconds, readable, written, type Unit } from "./duration";

/** A duration or a share in the text. */
export interface Knob {
  /** The table that it stands in, such as `task.log`. */
  readonly of: string;
  readonly key: string;
  /** Where it is written, without its quotes. */
  readonly from: number;
  readonly to: number;
  /** In nanoseconds where it is a duration. */
  readonly value: number;
  /** None of a share. */
  readonly unit: Unit | undefined;
}

const DURATIONS = "budget|period|wcet|deadline|jitter|offset|blocking|isr|min-interarrival|handled-within|reaction|age";
const KEYS = new RegExp(`(?<![\\w-])(?:(${DURATIONS})\\s*=\\s*"(\\d+(?:\\.\\d+)?)(ns|us|ms|s)"|(share)\\s*=\\s*(\\d+)(?![\\w.]))`, "gd");
const HEADER = /^\s*\[([^\][]+)\]/;

/** All of them, from the top. */
export function knobs(text: string): Knob[] {
  const found: Knob[] = [];
  let of = "";
  let start = 0;
  for (const line of text.split("\n")) {
    of = HEADER.exec(line)?.[1]?.trim() ?? of;
    for (const match of withoutComment(line).matchAll(KEYS)) {
      const [, key, number = "0", unit, share, count = "0"] = match;
      const [begin, end] = key === undefined ? (match.indices?.[5] ?? [0, 0]) : [match.indices?.[2]?.[0] ?? 0, match.indices?.[3]?.[1] ?? 0];
      const known = unit as Unit | undefined;
      const value = known === undefined ? Number(count) : nanoseconds(number, known);
      found.push({ of, key: key ?? share ?? "", from: start + begin, to: start + end, value, unit: known });
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

/** Another value as it is written there. */
export function inText(value: number, { unit }: Knob): string {
  return unit === undefined ? String(value) : written(value, unit);
}

/** A value as it is said. */
export function said(value: number, { unit }: Knob): string {
  return unit === undefined ? String(value) : readable(value);
}

/** From where to where a knob turns, and in which steps. */
export interface Reach {
  readonly least: number;
  readonly most: number;
  readonly step: number;
}

/**
 * A budget turns up to its period, an offset from zero to where its period ends or its budget no longer fits, what is zero up
 * to the period or a millisecond, everything else to twice what it is; in steps of about a 200th.
 */
export function reach(knob: Knob, all: readonly Knob[]): Reach {
  const beside = (key: string): number | undefined => all.find((other) => other.of === knob.of && other.key === key)?.value;
  const most = farthest(knob, beside("period"), beside("budget"));
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(most, 1) / 100)));
  return { least: knob.key === "offset" || knob.value === 0 ? 0 : step, most, step };
}

function farthest({ key, value }: Knob, period: number | undefined, budget = 1): number {
  if (key === "budget" && period !== undefined) {
    return Math.max(period, value);
  }
  if (key === "offset" && period !== undefined) {
    return Math.max(period - budget, value);
  }
  return value === 0 ? (period ?? 1_000_000) : 2 * value;
}

/**
 * Whether a line is drawn below it. Along an offset what is proven may turn again and again, as jobs move apart and together
 * once more, so the ends that a search finds would say nothing of what is between them.
 */
export function hasLine({ key }: Knob): boolean {
  return key !== "offset";
}
