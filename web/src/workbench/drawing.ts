// The figures of a requirement: those of the report, zoomable, beside its verdict.

import { makeZoomable } from "../report/zoom";
import type { Drawn } from "./answers";
import { element } from "./elements";
import { linkRows, markRows } from "./linked";

export class Drawing {
  /** Where the figures are; it stays while what is around it is made anew. */
  readonly place = element("div", { id: "drawing", "aria-busy": "true" });
  /** Where the margins are: they come last, and those of a text before are never in sight. */
  readonly margins = element("div", { id: "margins", "aria-busy": "true" });
  private of: string | undefined;
  private table: string | undefined;

  /** `goTo` leads to a place of `text`. */
  constructor(
    private readonly text: () => string,
    private readonly goTo: (place: number) => void,
  ) {}

  /** The cursor stands in this table. */
  at(table: string | undefined): void {
    this.table = table;
    markRows(this.place, table);
  }

  /** What is drawn is of a check before, or of another requirement. */
  wait(requirement: string | undefined): void {
    this.place.setAttribute("aria-busy", String(requirement !== undefined));
    this.margins.setAttribute("aria-busy", String(requirement !== undefined));
    this.margins.replaceChildren();
    if (requirement !== this.of) {
      this.place.replaceChildren();
      this.of = undefined;
    }
  }

  /** Shows it. What was open stays open, and what had the keyboard has it. */
  show({ requirement, html }: Drawn, isWhole: boolean): void {
    if (requirement === undefined || html === undefined) {
      // Of some there is nothing to draw.
      this.place.replaceChildren();
      this.place.dataset["whole"] = String(isWhole);
      this.place.setAttribute("aria-busy", "false");
      return;
    }
    const details = (): HTMLDetailsElement[] => [...this.place.querySelectorAll("details")];
    const open = requirement === this.of ? details().map((one) => one.open) : [];
    const held = this.place.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-label") : null;
    // Everything in it that a user wrote is escaped by the module, and the page's policy runs no script of it.
    const made = new DOMParser().parseFromString(html, "text/html");
    this.place.replaceChildren(...made.body.childNodes);
    for (const [place, one] of details().entries()) {
      one.open = open[place] ?? false;
    }
    for (const drawing of this.place.querySelectorAll<SVGSVGElement>("svg.vf-schedule")) {
      makeZoomable(drawing);
    }
    linkRows(this.place, this.text, this.goTo);
    markRows(this.place, this.table);
    if (held !== null && held !== undefined) {
      const again = [...this.place.querySelectorAll<HTMLElement>("[aria-label]")];
      again.find((one) => one.getAttribute("aria-label") === held)?.focus();
    }
    this.of = requirement;
    this.place.dataset["whole"] = String(isWhole);
    this.place.setAttribute("aria-busy", "false");
  }

  /** Shows how far parameters may move. */
  showMargins({ html }: Drawn): void {
    const made = new DOMParser().parseFromString(html ?? "", "text/html");
    this.margins.replaceChildren(...made.body.childNodes);
    this.margins.setAttribute("aria-busy", "false");
  }
}
