// The script of a report. Without it all is there to be read; with it tables are sorted and filtered,
// and schedules zoomed.

import { makeFilterable } from "./filter";
import { openTarget } from "./links";
import { makeSortable } from "./sort";
import { makeZoomable } from "./zoom";

for (const table of document.querySelectorAll<HTMLTableElement>("table[data-sortable]")) {
  makeSortable(table);
}
for (const form of document.querySelectorAll<HTMLElement>("[data-filter]")) {
  makeFilterable(form);
}
for (const drawing of document.querySelectorAll<SVGSVGElement>("svg.vf-schedule")) {
  makeZoomable(drawing);
}
window.addEventListener("hashchange", openTarget);
openTarget();
