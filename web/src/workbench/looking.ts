// Two looks at a description: a quick one, which follows every key and slide, and the whole one, as
// `vorrang check` does it, once nothing moves any more.

import type { Described } from "./address";
import type { Look } from "./answers";
import type { Desk, Reply } from "./desk";

/** Steps of the simulator in a quick look; bounds do not depend on them. */
const QUICK = 150_000;

/** A look at a description, and how long it took. */
export interface Seen {
  readonly look: Look;
  readonly isWhole: boolean;
  readonly took: number;
}

export class Looking {
  constructor(
    private readonly quick: Desk,
    private readonly thorough: Desk,
    private readonly show: (seen: Seen) => void,
  ) {}

  /** Looks; what was looked at before is given up. */
  at({ name, text, files }: Described): void {
    const request = { verb: "check", name, text, files };
    const told = (isWhole: boolean) => (reply: Reply): void => {
      this.show({ look: JSON.parse(reply.text) as Look, isWhole, took: reply.took });
      if (!isWhole) {
        this.thorough.ask(request, told(true));
      }
    };
    this.thorough.giveUp();
    this.quick.ask({ ...request, steps: QUICK, helps: false }, told(false));
  }
}
