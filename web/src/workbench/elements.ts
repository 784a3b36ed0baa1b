// Elements from words: what a user wrote gets into the page as text only.

type Child = Node | string;

/** An element with attributes and what is in it. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** A sentence in which what stands between backticks is code. */
export function marked(text: string): Child[] {
  return text.split(/`([^`]*)`/).map((part, place) => (place % 2 === 1 ? element("code", {}, part) : part));
}

/** The element of the page with this id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`the page has no #${id}`);
  }
  return found;
}

/** A table with a header, and cells that stand to the right where they are numbers. */
export function table(
  caption: string,
  header: readonly { readonly text: string; readonly number?: boolean }[],
  rows: readonly (readonly Child[])[],
): HTMLElement {
  const side = (place: number): Record<string, string> => (header[place]?.number === true ? { class: "n" } : {});
  const head = header.map(({ text }, place) => element("th", { scope: "col", ...side(place) }, text));
  const body = rows.map((cells) => element("tr", {}, ...cells.map((cell, place) => element("td", side(place), cell))));
  const made = element(
    "table",
    {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...body),
  );
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, made);
}
