/** Keeps focus and selection while elements move; focus in what is removed goes to the container. */

interface Selected {
  readonly start: number | null;
  readonly end: number | null;
}

/** Runs `change`. */
export function keepFocus(container: HTMLElement, change: () => void): void {
  const root = container.getRootNode() as Document | ShadowRoot;
  const before = root.activeElement;
  const isInside = before !== container && container.contains(before);
  if (!isInside || !(before instanceof HTMLElement)) {
    change();
    return;
  }
  const selected = selectionOf(before);
  change();
  if (root.activeElement === before) return;
  if (!container.contains(before)) {
    container.focus({ preventScroll: true });
    return;
  }
  before.focus({ preventScroll: true });
  if (selected && isText(before)) before.setSelectionRange(selected.start, selected.end);
}

function isText(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
}

/** null for what has no caret, such as a checkbox. */
function selectionOf(element: Element): Selected | null {
  if (!isText(element) || element.selectionStart === null) return null;
  return { start: element.selectionStart, end: element.selectionEnd };
}
