// The description in an editor: highlighting, completion, diagnostics, undo.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Diagnostic, Words } from "./answers";
import { COMPARED } from "./before";
import { completing } from "./completion";
import { SLIDERS } from "./sliders";

const COLOURS = HighlightStyle.define([
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--string)" },
  { tag: [tags.number, tags.atom, tags.bool], color: "var(--number)" },
  { tag: [tags.propertyName, tags.typeName], color: "var(--key)" },
  { tag: tags.bracket, color: "var(--key)" },
]);

export interface Editor {
  readonly view: EditorView;
  /** Shows these, instead of those before. */
  show(diagnostics: readonly Diagnostic[]): void;
  /** Goes to a place and takes the keyboard there. */
  goTo(place: number): void;
  /** Replaces all of the text, with a way back. */
  replace(text: string): void;
  /** Another text, without a way back to the one before. */
  load(text: string): void;
}

/** An editor in an element. */
export function edit(parent: HTMLElement, text: string, words: Words, changed: (text: string) => void, moved: (place: number) => void): Editor {
  const extensions = [
    lineNumbers(),
    history({ newGroupDelay: 1000 }),
    drawSelection(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    closeBrackets(),
    StreamLanguage.define(toml),
    syntaxHighlighting(COLOURS),
    autocompletion({ override: [completing(words)] }),
    lintGutter(),
    SLIDERS,
    COMPARED,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": "Description of the system", tabindex: "0" }),
    // Tab leaves the editor, as it does every other element: without a mouse there is no other way out.
    keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) {
        changed(update.state.doc.toString());
      }
      if (update.selectionSet || update.docChanged) {
        moved(update.state.selection.main.head);
      }
    }),
  ];
  const begin = (doc: string): EditorState => EditorState.create({ doc, extensions });
  const view = new EditorView({ parent, state: begin(text) });
  return {
    view,
    show: (diagnostics) => {
      view.dispatch(setDiagnostics(view.state, diagnostics.map((found) => shown(found, view.state.doc.length))));
    },
    goTo: (place) => {
      const anchor = Math.min(place, view.state.doc.length);
      view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
      view.focus();
    },
    replace: (insert) => {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, userEvent: "input.replace" });
    },
    load: (doc) => {
      view.setState(begin(doc));
      changed(doc);
    },
  };
}

function shown(found: Diagnostic, length: number): {
  from: number;
  to: number;
  severity: "error" | "warning";
  message: string;
  source: string;
} {
  const from = Math.min(found.from, length);
  const help = found.help === null ? "" : `\nhelp: ${found.help}`;
  return {
    from,
    to: Math.max(from, Math.min(found.to, length)),
    severity: found.warning ? "warning" : "error",
    message: `${found.message}${found.label === "" ? "" : `: ${found.label}`}${help}`,
    source: found.code,
  };
}
