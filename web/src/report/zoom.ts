// A schedule that is zoomed and moved, by mouse, by finger, by keys and by buttons. The drawing says where
// everything is in time (`data-f`, `data-e`, `data-t`, `data-p`); only places along time are changed.

import { labelled, moved, scaled, unit, within, type Window } from "./window";

/** Something that moves with the window. */
type Placed = (x: (ns: number) => number) => void;

function attribute(element: Element, name: string): number {
  return Number(element.getAttribute(name));
}

/** What is to be done with every element that has a place in time; read once. */
function placed(drawing: SVGSVGElement): Placed[] {
  const all: Placed[] = [];
  for (const slice of drawing.querySelectorAll("[data-f]")) {
    const [from, to] = [attribute(slice, "data-f"), attribute(slice, "data-e")];
    all.push((x) => {
      const left = x(from);
      slice.setAttribute("x", left.toFixed(2));
      slice.setAttribute("width", Math.max(x(to) - left, 0.3).toFixed(2));
    });
  }
  for (const sign of drawing.querySelectorAll("[data-t]")) {
    const at = attribute(sign, "data-t");
    const down = /translate\(\S+ (\S+)\)/.exec(sign.getAttribute("transform") ?? "")?.[1] ?? "0";
    all.push((x) => {
      sign.setAttribute("transform", `translate(${x(at).toFixed(2)} ${down})`);
    });
  }
  for (const line of drawing.querySelectorAll("[data-p]")) {
    const corners = (line.getAttribute("data-p") ?? "").split(" ").map((corner) => corner.split(","));
    all.push((x) => {
      const places = corners.map(([at, up]) => `${x(Number(at)).toFixed(2)},${up ?? "0"}`);
      line.setAttribute("d", `M${places.join("L")}`);
    });
  }
  return all;
}

/** Draws the axis anew, in the form that the drawing had. */
function drawAxis(axis: SVGGElement, window: Window, x: (ns: number) => number): void {
  const line = axis.querySelector("path");
  const labels = axis.querySelectorAll("text");
  const [first, heading] = [labels[0], labels[labels.length - 1]];
  if (line === null || first === undefined || heading === undefined) {
    return;
  }
  const rest = /v.*$/.exec(line.getAttribute("d") ?? "")?.[0] ?? "";
  const top = /,([^v]*)/.exec(line.getAttribute("d") ?? "")?.[1] ?? "0";
  const parts: Element[] = [];
  for (const { at, label } of labelled(window)) {
    const tick = line.cloneNode() as Element;
    tick.setAttribute("d", `M${x(at).toFixed(2)},${top}${rest}`);
    const text = first.cloneNode() as Element;
    text.setAttribute("x", x(at).toFixed(2));
    text.textContent = label;
    parts.push(tick, text);
  }
  heading.textContent = `time [${unit(window).name}]`;
  axis.replaceChildren(...parts, heading);
}

/** A button of the row above a schedule. */
function button(label: string, sign: string, act: () => void): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = sign;
  made.title = label;
  made.setAttribute("aria-label", label);
  made.addEventListener("click", act);
  return made;
}

/** Lets a pointer drag the window. */
function drag(drawing: SVGSVGElement, perPixel: () => number, move: (by: number) => void): void {
  let last: number | null = null;
  drawing.addEventListener("pointerdown", (event) => {
    if (event.button === 0) {
      last = event.clientX;
      drawing.setPointerCapture(event.pointerId);
    }
  });
  drawing.addEventListener("pointermove", (event) => {
    if (last !== null) {
      move((last - event.clientX) * perPixel());
      last = event.clientX;
    }
  });
  for (const end of ["pointerup", "pointercancel"] as const) {
    drawing.addEventListener(end, () => {
      last = null;
    });
  }
}

/** Makes a drawing zoomable. */
export function makeZoomable(drawing: SVGSVGElement): void {
  const whole: Window = { from: attribute(drawing, "data-from"), to: attribute(drawing, "data-to") };
  const [left, right] = [attribute(drawing, "data-left"), attribute(drawing, "data-right")];
  const holder = drawing.closest<HTMLElement>(".vf-scroll");
  const axis = drawing.querySelector<SVGGElement>(".vf-axis");
  if (holder === null || axis === null || !(right > left)) {
    return;
  }
  // Read when it is first moved: a page may have many schedules, and most of them are only looked at.
  let elements: readonly Placed[] | undefined;
  let window = whole;
  let drawn = 0;
  const draw = (): void => {
    drawn = 0;
    const x = (ns: number): number => left + ((ns - window.from) / (window.to - window.from)) * (right - left);
    elements ??= placed(drawing);
    for (const place of elements) {
      place(x);
    }
    drawAxis(axis, window, x);
    drawing.dataset["seenFrom"] = String(Math.round(window.from));
    drawing.dataset["seenTo"] = String(Math.round(window.to));
  };
  const show = (next: Window): void => {
    window = next;
    drawn ||= requestAnimationFrame(draw);
  };
  const middle = (): number => (window.from + window.to) / 2;
  const zoom = (factor: number, at = middle()): void => {
    show(scaled(whole, window, at, factor));
  };
  const move = (part: number): void => {
    show(moved(whole, window, part));
  };
  const perPixel = (): number => {
    const shown = drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
    return (window.to - window.from) / ((right - left) * shown);
  };
  const timeAt = (clientX: number): number => {
    const box = drawing.getBoundingClientRect();
    const shown = box.width / drawing.viewBox.baseVal.width;
    return window.from + ((clientX - box.left) / shown - left) * shown * perPixel();
  };

  const acts: Record<string, () => void> = {
    "+": () => { zoom(0.5); },
    "=": () => { zoom(0.5); },
    "-": () => { zoom(2); },
    ArrowLeft: () => { move(-0.2); },
    ArrowRight: () => { move(0.2); },
    "0": () => { show(whole); },
    Home: () => { show(whole); },
  };
  holder.addEventListener("keydown", (event) => {
    const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : acts[event.key];
    if (act !== undefined) {
      event.preventDefault();
      act();
    }
  });
  // Without a key held the wheel scrolls the page.
  drawing.addEventListener(
    "wheel",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) {
        event.preventDefault();
        const by = event.deltaY === 0 ? event.deltaX : event.deltaY;
        zoom(by > 0 ? 1.25 : 0.8, timeAt(event.clientX));
      }
    },
    { passive: false },
  );
  drawing.addEventListener("dblclick", (event) => {
    zoom(0.5, timeAt(event.clientX));
  });
  drag(drawing, perPixel, (by) => {
    show(within(whole, { from: window.from + by, to: window.to + by }));
  });

  const row = document.createElement("div");
  row.className = "vf-zoom";
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", "Zoom of the schedule");
  row.append(
    button("Zoom in", "+", () => { zoom(0.5); }),
    button("Zoom out", "−", () => { zoom(2); }),
    button("Earlier", "←", () => { move(-0.2); }),
    button("Later", "→", () => { move(0.2); }),
    button("The whole", "whole", () => { show(whole); }),
  );
  const hint = document.createElement("span");
  hint.textContent = "drag; double click; wheel with Ctrl; keys + − ← → 0";
  row.append(hint);
  holder.before(row);
  drawing.classList.add("vf-zoomable");
}
