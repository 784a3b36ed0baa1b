// Durations as descriptions write them, in whole nanoseconds.

const UNITS = { ns: 1, us: 1_000, ms: 1_000_000, s: 1_000_000_000 } as const;

export type Unit = keyof typeof UNITS;

/** The nanoseconds of a number and its unit. */
export function nanoseconds(number: string, unit: Unit): number {
  const [whole = "0", fraction = ""] = number.split(".");
  const digits = Math.log10(UNITS[unit]);
  const rest = fraction.padEnd(digits, "0").slice(0, digits);
  return Number(whole) * UNITS[unit] + (rest === "" ? 0 : Number(rest));
}

/** Written in a unit, exactly. */
export function written(ns: number, unit: Unit): string {
  const whole = Math.floor(ns / UNITS[unit]);
  const rest = ns % UNITS[unit];
  if (rest === 0) {
    return `${whole}${unit}`;
  }
  const fraction = String(rest).padStart(Math.log10(UNITS[unit]), "0").replace(/0+$/, "");
  return `${whole}.${fraction}${unit}`;
}

/** In the largest unit of which it is at least one. */
export function readable(ns: number): string {
  const units: readonly Unit[] = ["s", "ms", "us", "ns"];
  return written(ns, units.find((unit) => ns >= UNITS[unit]) ?? "s");
}
