// What is asked of the module about a description, in this order:
//
//   quick     check, with few steps of the simulator: follows every key and slide
//             draw the requirement that is looked at
//   thorough  check, as `vorrang check` does it: once nothing moves any more
//             draw
//             margins of that requirement

import type { Described } from "./address";
import type { Designed, Drawn, Look } from "./answers";
import type { Desk, Reply } from "./desk";
import type { Progress } from "./wasm";

/** Steps of the simulator in a quick look; bounds do not depend on them. */
const QUICK = 20_000;

/** Jobs by chance for the distribution of response times. */
const JOBS = { quick: 10_000, thorough: 200_000 } as const;

/** A look at a description, and how long it took. */
export interface Seen {
  readonly look: Look;
  readonly isWhole: boolean;
  readonly took: number;
}

/** Who is told. */
export interface Shown {
  /** Says which requirement is to be drawn, if one is. */
  seen(seen: Seen): string | undefined;
  drawn(drawn: Drawn, isWhole: boolean): void;
  margins(drawn: Drawn): void;
}

export class Looking {
  private described: Described | undefined;
  /** What is being looked at was checked by this one last. */
  private by: "quick" | "thorough" = "quick";
  private isThoroughBegun = false;

  constructor(
    private readonly quick: Desk,
    private readonly thorough: Desk,
    private readonly shown: Shown,
  ) {}

  /** Looks; what was looked at before is given up. */
  at(described: Described): void {
    this.described = described;
    this.by = "quick";
    this.isThoroughBegun = false;
    this.thorough.giveUp();
    this.quick.ask({ ...this.request(), steps: QUICK, helps: false }, (reply) => {
      this.checked(reply, false);
    });
  }

  /** Draws a requirement of the last look. */
  draw(requirement: string): void {
    const isWhole = this.by === "thorough";
    const request = { verb: "draw", requirement, jobs: JOBS[this.by] };
    const told = (reply: Reply): void => {
      this.shown.drawn(JSON.parse(reply.text) as Drawn, isWhole);
      if (isWhole) {
        this.margins(requirement);
      } else {
        this.goOn();
      }
    };
    this[this.by].ask(request, told, true);
  }

  /** Chooses what a description leaves open; `told` has the completed text, or why there is none. */
  design(described: Described, told: (designed: Designed) => void, goesOn: (progress: Progress) => void): void {
    this.quick.giveUp();
    this.thorough.giveUp();
    const found = ({ text }: Reply): void => {
      told(JSON.parse(text) as Designed);
    };
    this.thorough.ask({ verb: "design", ...described }, found, false, goesOn);
  }

  private margins(requirement: string): void {
    const told = ({ text }: Reply): void => {
      this.shown.margins(JSON.parse(text) as Drawn);
    };
    this.thorough.ask({ verb: "margins", requirement }, told, true);
  }

  private request(): object {
    return { verb: "check", ...this.described };
  }

  private checked({ text, took }: Reply, isWhole: boolean): void {
    const look = JSON.parse(text) as Look;
    const wanted = this.shown.seen({ look, isWhole, took });
    if (look.check === undefined) {
      return;
    }
    if (wanted === undefined) {
      this.goOn();
    } else {
      this.draw(wanted);
    }
  }

  private goOn(): void {
    if (this.isThoroughBegun) {
      return;
    }
    this.isThoroughBegun = true;
    this.thorough.ask(this.request(), (reply) => {
      this.by = "thorough";
      this.checked(reply, true);
    });
  }
}
