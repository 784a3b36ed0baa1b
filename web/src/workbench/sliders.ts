// A slider for each knob of the description, beside its value in the text; turning one edits the text. Below it is drawn
// with which values all of it stays proven.
//
// An editor keeps the element of a widget for as long as the widget is the same, so a widget is only which knob it is, and
// what a slider shows is brought up to date by `follow`: one that is held is never taken away.

import { StateEffect, StateField, type EditorState, type Extension, type Transaction } from "@codemirror/state";
import { Decoration, EditorView, ViewPlugin, WidgetType, type DecorationSet, type ViewUpdate } from "@codemirror/view";
import type { Change } from "./answers";
import { element } from "./elements";
import { inText, knobs, reach, said, type Knob } from "./knobs";
import type { Proven } from "./ranges";

/** A slide of a knob joins the one before it, so that one undo takes back all of it. */
export const SLIDE = "input.type.slide";

class Slider extends WidgetType {
  constructor(private readonly place: number, private readonly name: string) {
    super();
  }

  override eq(other: Slider): boolean {
    return other.place === this.place && other.name === this.name;
  }

  override toDOM(view: EditorView): HTMLElement {
    const input = element("input", { type: "range" });
    input.addEventListener("input", () => {
      const knob = view.state.field(KNOBS)[this.place];
      if (knob !== undefined) {
        const changes = { from: knob.from, to: knob.to, insert: inText(Number(input.value), knob) };
        view.dispatch({ changes, userEvent: SLIDE });
        // Marks of a comparison make the line anew, and the slider with it: the keyboard stays with it.
        if (!input.isConnected || document.activeElement !== input) {
          view.contentDOM.querySelector<HTMLElement>(`.knob[data-place="${this.place}"] input`)?.focus();
        }
      }
    });
    // After it is released its range may grow.
    input.addEventListener("change", () => {
      delete input.dataset["most"];
      follow(view);
    });
    const made = element("span", { class: "knob" }, input, element("span", { class: "proven" }));
    made.dataset["place"] = String(this.place);
    show(made, view.state.field(KNOBS), view.state.field(PROVEN));
    return made;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const KNOBS = StateField.define<readonly Knob[]>({
  create: (state) => knobs(state.doc.toString()),
  update: (found, change) => (change.docChanged ? knobs(change.state.doc.toString()) : found),
});

/** What is proven, by the place of the knob. */
type All = ReadonlyMap<number, Proven>;

const FOUND = StateEffect.define<All>();

/** Of the text as it is: while a knob is slid its own remains, as nothing else moves. */
const PROVEN = StateField.define<All>({
  create: () => new Map(),
  update: (all, change) => {
    const found = change.effects.find((effect) => effect.is(FOUND));
    if (found !== undefined) {
      return found.value;
    }
    return change.docChanged ? ofSlid(all, change) : all;
  },
});

function ofSlid(all: All, change: Transaction): All {
  const place = change.isUserEvent(SLIDE) ? change.startState.field(KNOBS).findIndex((knob) => change.changes.touchesRange(knob.from, knob.to)) : -1;
  const own = all.get(place);
  return new Map(own === undefined ? [] : [[place, own]]);
}

function decorations(state: EditorState): DecorationSet {
  const all = state.field(KNOBS).map((knob, place) => {
    // Behind the quote that ends it.
    const at = knob.unit === undefined ? knob.to : knob.to + 1;
    return Decoration.widget({ widget: new Slider(place, `${knob.of} ${knob.key}`), side: 1 }).range(at);
  });
  return Decoration.set(all);
}

const WIDGETS = StateField.define<DecorationSet>({
  create: decorations,
  update: (found, change) => (change.docChanged ? decorations(change.state) : found),
  provide: (field) => EditorView.decorations.from(field),
});

/** Elements are brought up to date after an update, when they are there. */
const FOLLOWING = ViewPlugin.define(() => ({
  update(update: ViewUpdate): void {
    const isFound = update.transactions.some(({ effects }) => effects.some((effect) => effect.is(FOUND)));
    if (update.docChanged || update.viewportChanged || isFound) {
      queueMicrotask(() => { follow(update.view); });
    }
  },
}));

/** The sliders of an editor. */
export const SLIDERS: Extension = [KNOBS, PROVEN, WIDGETS, FOLLOWING];

/** The knobs of the text of an editor. */
export function knobsOf(view: EditorView): readonly Knob[] {
  return view.state.field(KNOBS);
}

/** Writes a remedy into the text, where what it changes stands there as one value. */
export function remedy(view: EditorView, { what, to }: Change): (() => void) | undefined {
  const found = (): Knob[] => knobsOf(view).filter(({ of, key }) => named(key).some((one) => what === `${one} of ${of}`));
  const { ns } = to;
  if (ns === null || found().length !== 1) {
    return undefined;
  }
  return () => {
    for (const knob of found()) {
      view.dispatch({ changes: { from: knob.from, to: knob.to, insert: inText(ns, knob) }, userEvent: "input" });
    }
  };
}

/** What a key is called in a remedy: a limit is written as a deadline, or as what an interrupt is handled within. */
function named(key: string): readonly string[] {
  return key === "deadline" || key === "handled-within" ? [key, "limit"] : [key];
}

/** Draws with which values all is proven; those of knobs that are not named are taken away. */
export function showProven(view: EditorView, proven: All): void {
  view.dispatch({ effects: FOUND.of(proven) });
}

/** The places of the knobs that are in sight. */
export function inSight(view: EditorView): ReadonlySet<number> {
  return new Set([...view.contentDOM.querySelectorAll<HTMLElement>(".knob")].map(({ dataset }) => Number(dataset["place"])));
}

function follow(view: EditorView): void {
  const all = view.state.field(KNOBS);
  for (const widget of view.contentDOM.querySelectorAll<HTMLElement>(".knob")) {
    show(widget, all, view.state.field(PROVEN));
  }
}

function show(widget: HTMLElement, all: readonly Knob[], proven: All): void {
  const place = Number(widget.dataset["place"]);
  const [knob, input, bar] = [all[place], widget.querySelector("input"), widget.querySelector<HTMLElement>(".proven")];
  if (knob === undefined || input === null || bar === null) {
    return;
  }
  const { least, most, step } = reach(knob, all);
  const isHeld = input.dataset["most"] !== undefined && Number(input.max) >= knob.value && input.matches(":active");
  if (!isHeld) {
    input.min = String(least);
    input.max = String(Math.max(most, step));
    // Whatever is in the text can be shown: a browser rounds to steps.
    input.step = String(knob.value % step === 0 ? step : 1);
    input.dataset["most"] = input.max;
  }
  input.value = String(knob.value);
  input.setAttribute("aria-label", `${knob.key} of ${knob.of}`);
  const found = proven.get(place);
  const told = found === undefined ? "" : `, all is proven from ${said(found.from, knob)} to ${said(found.to, knob)}`;
  input.setAttribute("aria-valuetext", `${said(knob.value, knob)}${told}`);
  widget.title = told === "" ? "" : `${knob.key} of ${knob.of}${told}, as far as was looked`;
  bar.hidden = found === undefined;
  if (found !== undefined) {
    const [start, end] = [Number(input.min), Number(input.max)];
    const part = (value: number): number => Math.min(1, Math.max(0, (value - start) / Math.max(1, end - start)));
    bar.style.setProperty("--from", String(part(found.from)));
    bar.style.setProperty("--to", String(part(found.to)));
    bar.dataset["from"] = String(found.from);
    bar.dataset["to"] = String(found.to);
  }
}
