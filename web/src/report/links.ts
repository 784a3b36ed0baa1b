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
  target.scrollIntoView();
}
