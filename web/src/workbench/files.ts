// Descriptions from files and into files, by what a page may do: the user picks, the user saves.

import type { Described } from "./address";

/** The description among files that the user picked, and the profiles beside it. */
export async function opened(picked: readonly File[]): Promise<Described | undefined> {
  const texts = await Promise.all(picked.map(async (file) => [file.name, await file.text()] as const));
  const main = texts.find(([, text]) => /^\s*\[(core|task|vcpu|server)[.\]]/m.test(text)) ?? texts[0];
  if (main === undefined) {
    return undefined;
  }
  return { name: main[0], text: main[1], files: Object.fromEntries(texts.filter((one) => one !== main)) };
}

/** Gives the text to the browser as a file of this name. */
export function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name.split("/").at(-1) ?? name;
  link.click();
  URL.revokeObjectURL(address);
}
