// A link may lead into a closed `details` element, which is opened first.

/** Opens whatever the target of the address is folded up in. */
export function openTarget(): void {
  const name = decodeURIComponent(location.hash.slice(1));
  const target = name === "" ? null : document.getElementById(name);
  if (target === null) {
    return;
  }
  for (let at: Element | null = target; at !== null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) {
      at.open = true;
    }
  }
  scrollTo(target, FRAMES);
}

/** What comes into sight is laid out then, and moves what is below it: for so many frames it is gone to once more. */
const FRAMES = 8;

function scrollTo(target: HTMLElement, frames: number): void {
  target.scrollIntoView();
  if (frames > 0) {
    requestAnimationFrame(() => {
      scrollTo(target, frames - 1);
    });
  }
}
