// A window of time: what is seen of a schedule. Times are nanoseconds.

import { tickStep, ticks } from "d3-array";
import { format, precisionFixed } from "d3-format";

/** From where to where. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Nothing is shown larger than this. */
const LEAST = 100;

/** Within the whole, as long as it was where that is possible. */
export function within(whole: Window, { from, to }: Window): Window {
  const length = Math.min(Math.max(to - from, LEAST), whole.to - whole.from);
  const start = Math.min(Math.max(from, whole.from), whole.to - length);
  return { from: start, to: start + length };
}

/** `factor` times as long, with `at` in its place. */
export function scaled(whole: Window, { from, to }: Window, at: number, factor: number): Window {
  return within(whole, { from: at - (at - from) * factor, to: at + (to - at) * factor });
}

/** Later by a part of itself. */
export function moved(whole: Window, { from, to }: Window, part: number): Window {
  const by = (to - from) * part;
  return within(whole, { from: from + by, to: to + by });
}

/** The unit in which a window is read, and its nanoseconds. */
export function unit({ from, to }: Window): { name: string; ns: number } {
  const length = to - from;
  if (length < 2e3) return { name: "ns", ns: 1 };
  if (length < 2e6) return { name: "us", ns: 1e3 };
  if (length < 2e9) return { name: "ms", ns: 1e6 };
  return { name: "s", ns: 1e9 };
}

/** Round numbers in a window, with their labels. */
export function labelled(window: Window): { at: number; label: string }[] {
  const { ns } = unit(window);
  const [from, to] = [window.from / ns, window.to / ns];
  const write = format(`.${precisionFixed(tickStep(from, to, 8))}f`);
  return ticks(from, to, 8).map((value) => ({ at: value * ns, label: write(value) }));
}
