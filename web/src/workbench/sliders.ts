// A slider for each knob of the description; turning one edits the text.

import { readable, written } from "./duration";
import { element } from "./elements";
import { knobs, reach, type Knob } from "./knobs";

/** Sliders that follow the text; `slide` replaces a part of it. */
export class Sliders {
  private inputs: HTMLInputElement[] = [];
  private shape = "";

  constructor(
    private readonly parent: HTMLElement,
    private readonly text: () => string,
    private readonly slide: (from: number, to: number, text: string) => void,
  ) {}

  /** Shows the knobs of the text. While one is held, its reach stays. */
  follow(): void {
    const all = knobs(this.text());
    const shape = all.map(({ of, key }) => `${of} ${key}`).join("\n");
    if (shape !== this.shape) {
      this.shape = shape;
      this.build(all);
    }
    for (const [place, knob] of all.entries()) {
      const input = this.inputs[place];
      if (input !== undefined) {
        this.show(input, knob, all);
      }
    }
  }

  private build(all: readonly Knob[]): void {
    this.inputs = all.map((_, place) => this.input(place));
    const rows = all.map((knob, place) => {
      const input = this.inputs[place] ?? this.input(place);
      return element("label", {}, element("span", { class: "of" }, `${knob.of} `, element("b", {}, knob.key)), input, element("output"));
    });
    const none = element("p", { class: "quiet" }, "The description states no budget, period or execution time.");
    this.parent.replaceChildren(...(rows.length > 0 ? rows : [none]));
  }

  private input(place: number): HTMLInputElement {
    const input = element("input", { type: "range" });
    input.addEventListener("input", () => {
      const all = knobs(this.text());
      const knob = all[place];
      if (knob !== undefined) {
        this.slide(knob.from, knob.to, written(Number(input.value), knob.unit));
      }
    });
    // After it is released its range may grow.
    input.addEventListener("change", () => {
      delete input.dataset["most"];
      this.follow();
    });
    return input;
  }

  private show(input: HTMLInputElement, knob: Knob, all: readonly Knob[]): void {
    const { most, step } = reach(knob, all);
    const isHeld = input.dataset["most"] !== undefined && Number(input.max) >= knob.ns && input.matches(":active");
    if (!isHeld) {
      input.min = String(step);
      input.max = String(Math.max(most, step));
      // Whatever is in the text can be shown: a browser rounds to steps.
      input.step = String(knob.ns % step === 0 ? step : 1);
      input.dataset["most"] = input.max;
    }
    input.value = String(knob.ns);
    input.setAttribute("aria-valuetext", readable(knob.ns));
    input.setAttribute("aria-label", `${knob.key} of ${knob.of}`);
    const output = input.nextElementSibling;
    if (output !== null) {
      output.textContent = written(knob.ns, knob.unit);
    }
  }
}
