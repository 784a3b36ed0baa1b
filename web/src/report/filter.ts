// A filter above a table: words, and one box for each verdict.

/** Makes the form in `form` show only those rows of its table that it asks for. */
export function makeFilterable(form: HTMLElement): void {
  const table = document.getElementById(form.dataset["filter"] ?? "");
  const words = form.querySelector<HTMLInputElement>("input[type=search]");
  const boxes = [...form.querySelectorAll<HTMLInputElement>("input[type=checkbox]")];
  const status = form.querySelector<HTMLElement>("[role=status]");
  if (!(table instanceof HTMLTableElement) || words === null) {
    return;
  }
  form.hidden = false;
  const rows = [...(table.tBodies[0]?.rows ?? [])];
  // Read once: a page may have a thousand rows.
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const update = (): void => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter((word) => word !== "");
    const verdicts = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let shown = 0;
    for (const row of rows) {
      const text = texts.get(row) ?? "";
      const matches = wanted.every((word) => text.includes(word));
      row.hidden = !(matches && verdicts.has(row.dataset["verdict"] ?? ""));
      shown += row.hidden ? 0 : 1;
    }
    if (status !== null) {
      status.textContent = shown === rows.length ? "" : `${shown} of ${rows.length} shown`;
    }
  };
  words.addEventListener("input", update);
  for (const box of boxes) {
    box.addEventListener("change", update);
  }
  update();
}
