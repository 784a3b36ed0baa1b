// What may be written at a place: tables, keys, words and names, from the tables that read descriptions.

import type { Completion, CompletionContext, CompletionResult, CompletionSource } from "@codemirror/autocomplete";
import type { Key, Words } from "./answers";

const HEADER = /^\s*\[([^\][]*)\]/;

/** Completes descriptions with these words. */
export function completing(words: Words): CompletionSource {
  return (context) => complete(words, context);
}

function complete(words: Words, context: CompletionContext): CompletionResult | null {
  const { state, pos } = context;
  const line = state.doc.lineAt(pos);
  const before = line.text.slice(0, pos - line.from);
  const header = /^\s*\[([\w.-]*)$/.exec(before);
  if (header !== null) {
    return result(pos - (header[1] ?? "").length, tables(words));
  }
  const above = state.doc.sliceString(0, line.from).split("\n");
  const value = /([\w$-]+)\s*=\s*"([^"]*)$/.exec(before);
  const keys = keysAt(words, above, before);
  if (value !== null) {
    const key = keys.find((known) => known.name === value[1]);
    return key === undefined ? null : result(pos - (value[2] ?? "").length, values(key, state.doc.toString()));
  }
  const begun = /(?:^|[{,])\s*([\w$-]*)$/.exec(before);
  if (begun === null || (begun[1] === "" && !context.explicit)) {
    return null;
  }
  const written = writtenBelow(above, line.text);
  return result(
    pos - (begun[1] ?? "").length,
    keys.filter((key) => !written.has(key.name)).map(ofKey),
  );
}

function result(from: number, options: readonly Completion[]): CompletionResult | null {
  return options.length === 0 ? null : { from, options, validFor: /^[\w.$:-]*$/ };
}

/** The keys that belong where `before` ends: of an inner table, of the table above, of the file. */
function keysAt(words: Words, above: readonly string[], before: string): readonly Key[] {
  const header = above.findLast((line) => HEADER.test(line));
  const noun = header === undefined ? undefined : HEADER.exec(header)?.[1]?.trim().split(".")[0];
  const own = noun === undefined ? words.file : (words.tables[noun]?.keys ?? []);
  const inner = /([\w$-]+)\s*=\s*\{[^}]*$/.exec(before)?.[1];
  return inner === undefined ? own : (own.find((key) => key.name === inner)?.keys ?? []);
}

/** The keys that the table has already. */
function writtenBelow(above: readonly string[], line: string): Set<string> {
  const begin = above.findLastIndex((text) => HEADER.test(text)) + 1;
  const names = [...above.slice(begin), line].map((text) => /^\s*([\w$-]+)\s*=/.exec(text)?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}

function tables(words: Words): Completion[] {
  return Object.entries(words.tables).map(([noun, { doc }]) => ({ label: `${noun}.`, type: "class", info: doc }));
}

function ofKey(key: Key): Completion {
  const apply = key.keys.length > 0 ? `${key.name} = { ` : key.quoted ? `${key.name} = "` : `${key.name} = `;
  return {
    label: key.name,
    type: "property",
    apply,
    detail: key.required ? "required" : "",
    info: `${key.doc} ${key.expected}.`,
    boost: key.required ? 1 : 0,
  };
}

/** Words that it may be set to, and names of what is declared anywhere in the text. */
function values(key: Key, text: string): Completion[] {
  const words = key.words.map(({ word, doc }) => ({ label: word, type: "enum", info: doc }));
  const declared = [...text.matchAll(/^\s*\[([\w.-]+)\]/gm)].map((match) => match[1] ?? "");
  const names = declared.filter((name) => key.references.includes(name.split(".")[0] ?? ""));
  return [...words, ...names.map((label) => ({ label, type: "variable" }))];
}
