// Tables that are sorted by a column, with its head as a button.

type Order = "ascending" | "descending";

/** What a cell is sorted by: its number, if it says one, or its text. */
function keyOf(row: HTMLTableRowElement, column: number): number | string {
  const cell = row.cells[column];
  const value = cell?.dataset["v"];
  if (value === undefined) {
    return cell?.textContent.trim() ?? "";
  }
  return value === "" ? Number.POSITIVE_INFINITY : Number(value);
}

/** Numbers before text, both upwards. */
export function compare(one: number | string, other: number | string): number {
  if (typeof one === "number" && typeof other === "number") {
    return one === other ? 0 : one < other ? -1 : 1;
  }
  if (typeof one === "string" && typeof other === "string") {
    return one.localeCompare(other, "en", { numeric: true });
  }
  return typeof one === "number" ? -1 : 1;
}

function sort(table: HTMLTableElement, column: number, order: Order): void {
  const body = table.tBodies[0];
  if (body === undefined) {
    return;
  }
  const keyed = [...body.rows].map((row) => ({ row, key: keyOf(row, column) }));
  const sign = order === "ascending" ? 1 : -1;
  keyed.sort((one, other) => sign * compare(one.key, other.key));
  body.append(...keyed.map(({ row }) => row));
}

/** Makes a button of every head of a table. */
export function makeSortable(table: HTMLTableElement): void {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const order: Order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      for (const other of heads) {
        other.removeAttribute("aria-sort");
      }
      head.setAttribute("aria-sort", order);
      sort(table, column, order);
    });
  });
}
