// A schedule that is linked with the text: a row leads to what it is of, and where the cursor stands is marked in it.

/** Where in a text the table begins that a row of a schedule is of; `undefined`: it is of none, such as overhead. */
export function placeOf(row: string, text: string): number | undefined {
  const name = /(?:core|vcpu|server|task|interrupt|timer|device)\.[\w-]+/.exec(row)?.[0];
  if (name === undefined) {
    return undefined;
  }
  const written = name.replace(".", "\\s*\\.\\s*\"?");
  const header = new RegExp(`^[ \\t]*\\[[ \\t]*${written}"?[ \\t]*\\]`, "m");
  return header.exec(text)?.index;
}

/** The table that a place of a text stands in, such as `task.control`. */
export function tableAt(text: string, place: number): string | undefined {
  const headers = [...text.matchAll(/^[ \t]*\[([^\][]+)\]/gm)].filter(({ index }) => index <= place);
  return headers.at(-1)?.[1]?.replaceAll(/[\s"]/g, "");
}

/** How far a pointer may move, in pixels, and not have dragged. */
const STILL = 4;

/** The row at a place of the window: while a schedule holds the pointer, events name the schedule only. */
function rowAt(drawing: Element, x: number, y: number): SVGGElement | null {
  const parts = document.elementsFromPoint(x, y).filter((part) => drawing.contains(part));
  const rows = parts.map((part) => part.closest<SVGGElement>("[data-row]"));
  return rows.find((row) => row !== null) ?? null;
}

/** Makes the rows of the schedules in an element lead to their places in the text. */
export function linkRows(drawings: ParentNode, text: () => string, goTo: (place: number) => void): void {
  for (const row of drawings.querySelectorAll<SVGGElement>("svg.vf-schedule [data-row]")) {
    row.classList.toggle("linked", placeOf(row.dataset["row"] ?? "", text()) !== undefined);
  }
  for (const drawing of drawings.querySelectorAll<SVGSVGElement>("svg.vf-schedule")) {
    let [x, y] = [0, 0];
    drawing.addEventListener("pointerdown", ({ clientX, clientY }) => {
      [x, y] = [clientX, clientY];
    });
    drawing.addEventListener("click", ({ clientX, clientY }) => {
      const row = Math.hypot(clientX - x, clientY - y) > STILL ? null : rowAt(drawing, clientX, clientY);
      const place = row === null ? undefined : placeOf(row.dataset["row"] ?? "", text());
      if (place !== undefined) {
        goTo(place);
      }
    });
  }
}

/** Marks the rows of the table that the cursor is in. */
export function markRows(drawings: ParentNode, table: string | undefined): void {
  for (const row of drawings.querySelectorAll<SVGGElement>("svg.vf-schedule [data-row]")) {
    const name = row.dataset["row"] ?? "";
    const isOf = table !== undefined && (name === table || name.startsWith(`${table}/`) || name.endsWith(` ${table}`));
    row.classList.toggle("at", isOf);
  }
}
