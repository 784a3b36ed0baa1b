// What is asked of a system: its requirements, and what is required of its chains, as rows of one table.

import type { Chain, Change, Check, Requirement, Verdict } from "./answers";
import { readable } from "./duration";

export interface Asked extends Pick<Requirement, "limit_ns" | "bound_ns" | "observed_ns" | "verdict" | "by" | "averages" | "assumptions" | "code" | "reason"> {
  /** What it is called, with what is required of it where that is not one thing. */
  readonly name: string;
  readonly help: string | null;
  readonly change: Change | null;
  /** What breaks it, where something does. */
  readonly broken: Broken | undefined;
}

/** A history that breaks what is asked. */
export interface Broken {
  /** Where in it, as a sentence. */
  readonly said: string;
  /** The commands that show it. */
  readonly replays: readonly string[];
}

export type Ruled = Verdict | "proven on average";

/** All of it, chains behind the rest. */
export function asked(check: Check): Asked[] {
  return [...check.requirements.map(ofRequirement), ...check.chains.map(ofChain)];
}

function ofRequirement({ witness, ...one }: Requirement): Asked {
  const broken = witness && {
    said: `The job that arrives at ${readable(witness.arrival_ns)} is not complete at its deadline, ${readable(witness.deadline_ns)}; the schedule stands below.`,
    replays: [witness.replay],
  };
  return { ...one, broken: broken ?? undefined };
}

function ofChain({ witness, ...one }: Chain): Asked {
  const broken = witness && {
    said: `From the reading at ${readable(witness.from_ns)} it takes ${readable(one.observed_ns ?? 0)}.`,
    replays: witness.replay,
  };
  return { ...one, name: `${one.name} ${one.requires}`, averages: [], change: null, broken: broken ?? undefined };
}

/** The verdict on one of them, in words. */
export function ruled({ verdict, averages }: Pick<Asked, "verdict" | "averages">): Ruled {
  return verdict === "proven" && averages.length > 0 ? "proven on average" : verdict;
}

/** The one of this name, or the first of the worst. */
export function looked(all: readonly Asked[], name: string | undefined): Asked | undefined {
  return all.find((one) => one.name === name) ?? worst(all);
}

/** Of those with the worst verdict the one that comes closest to its limit. */
function worst(all: readonly Asked[]): Asked | undefined {
  const order: readonly Verdict[] = ["refuted", "undecided", "proven"];
  const worst = order.map((verdict) => all.filter((one) => one.verdict === verdict)).find((some) => some.length > 0);
  const share = ({ bound_ns, observed_ns, limit_ns }: Asked): number => (bound_ns ?? observed_ns ?? 0) / limit_ns;
  return worst?.reduce((one, other) => (share(other) > share(one) ? other : one));
}
