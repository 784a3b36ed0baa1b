// With which values of each knob all of a description stays proven, one knob at a time.
//
//   proven ... proven   the value now   proven ... proven | not proven
//        from                                          to
//
// Away from the value, in the steps of its slider: doubling, then bisection, as `vorrang margin` does it. What lies between
// values that were looked at was not looked at. A bound needs no search of the simulator, so each look is a short one.

import type { Described } from "./address";
import type { Check, Look } from "./answers";
import type { Desk } from "./desk";
import { hasLine, inText, reach, type Knob } from "./knobs";

/** The ends of what is proven. */
export interface Proven {
  readonly from: number;
  readonly to: number;
}

export class Ranges {
  private number = 0;

  constructor(
    private readonly desk: Desk,
    private readonly found: (all: ReadonlyMap<number, Proven>) => void,
  ) {}

  /** Nothing is looked for any more. */
  giveUp(): void {
    this.number += 1;
    this.desk.giveUp();
  }

  /** Looks for those of a description that is proven as it is; `first` are the places that are in sight. */
  async at(described: Described, knobs: readonly Knob[], first: ReadonlySet<number>): Promise<void> {
    this.giveUp();
    const own = this.number;
    const all = new Map<number, Proven>();
    const places = [...knobs.keys()].sort((one, other) => Number(first.has(other)) - Number(first.has(one)));
    for (const place of places) {
      const knob = knobs[place];
      if (knob === undefined || !hasLine(knob)) {
        continue;
      }
      const { most, step } = reach(knob, knobs);
      const holds = async (value: number): Promise<boolean> => this.holds(described, knob, value);
      const up = await edge(Math.floor((most - knob.value) / step), (steps) => holds(knob.value + steps * step));
      const down = await edge(Math.floor((knob.value - 1) / step), (steps) => holds(knob.value - steps * step));
      if (own !== this.number) {
        return;
      }
      all.set(place, { from: knob.value - down * step, to: knob.value + up * step });
      this.found(new Map(all));
    }
  }

  private async holds(described: Described, knob: Knob, value: number): Promise<boolean> {
    const text = described.text.slice(0, knob.from) + inText(value, knob) + described.text.slice(knob.to);
    const request = { verb: "check", ...described, text, steps: 1, helps: false };
    const reply = await new Promise<string>((resolve) => {
      this.desk.ask(request, ({ text: answer }) => { resolve(answer); });
    });
    const { check } = JSON.parse(reply) as Look;
    return check !== undefined && (JSON.parse(check) as Check).verdict === "proven";
  }
}

/** The most steps with which it holds, of none to `most`: it holds with none. */
export async function edge(most: number, holds: (steps: number) => Promise<boolean>): Promise<number> {
  let [before, width] = [0, 1];
  let from: number | undefined;
  while (from === undefined && before < most) {
    const next = Math.min(before + width, most);
    if (await holds(next)) {
      [before, width] = [next, 2 * width];
    } else {
      from = next;
    }
  }
  while (from !== undefined && from - before > 1) {
    const middle = before + Math.floor((from - before) / 2);
    if (await holds(middle)) {
      before = middle;
    } else {
      from = middle;
    }
  }
  return before;
}
