// Two versions beside each other: one that was kept, and the one that is edited.

import { unifiedMergeView } from "@codemirror/merge";
import { Compartment, type Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import type { Check } from "./answers";
import { asked, type Asked } from "./asked";

/** What is kept of a version: its text, and what was known of it. */
export interface Before {
  readonly text: string;
  readonly check: Check | undefined;
}

const PLACE = new Compartment();

/** Where an editor has the marks of what was changed: none at first. */
export const COMPARED: Extension = PLACE.of([]);

/** Marks in an editor what is not as it was before; nothing any more without a version. */
export function compare(view: EditorView, before: Before | undefined): void {
  const marks = before === undefined ? [] : unifiedMergeView({ original: before.text, mergeControls: false, gutter: true });
  view.dispatch({ effects: PLACE.reconfigure(marks) });
}

/** What was known before of what is asked now. */
export function wasOf(before: Before | undefined, one: Asked): Asked | undefined {
  const all = before?.check === undefined ? [] : asked(before.check);
  return all.find(({ name }) => name === one.name);
}
