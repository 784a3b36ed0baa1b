// Examples to open: they are in the page, which has no network.

import { checked, type Described } from "./address";
import { byId, element } from "./elements";

/** Fills the list of examples; `open` takes one. */
export function offerExamples(list: HTMLElement, open: (system: Described) => void): void {
  const given = JSON.parse(byId("examples").textContent) as unknown;
  const all = (Array.isArray(given) ? given : []).map(checked).filter((one) => one !== undefined);
  const select = list as HTMLSelectElement;
  select.append(...all.map(({ name }, place) => element("option", { value: String(place) }, name)));
  // Where an arrow takes the next entry of a closed list, nobody would come past the first one.
  select.addEventListener("keydown", (event) => {
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !event.altKey) {
      event.preventDefault();
      select.showPicker();
    }
  });
  select.addEventListener("change", () => {
    const one = all[Number(select.value)];
    if (select.value !== "" && one !== undefined) {
      open(one);
    }
    // The list is a button, not a state: what is opened may be edited.
    select.value = "";
  });
}
