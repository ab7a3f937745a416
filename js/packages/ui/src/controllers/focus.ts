/** Focus utilities across shadow roots: active element, tab stops, focus trap, arrow keys. */

const CANDIDATES = 'a[href], button, input, select, summary, textarea, [tabindex]';

/** The focused element, inside nested shadow roots. */
export function focused(root: DocumentOrShadowRoot = document): HTMLElement | null {
  const element = root.activeElement;
  if (element?.shadowRoot?.activeElement) return focused(element.shadowRoot);
  return element instanceof HTMLElement ? element : null;
}

/** The tab stops below `root`, in order. */
export function tabStops(root: ParentNode): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('*')].flatMap((element) => {
    const own = canStop(element) ? [element] : [];
    return element.shadowRoot ? [...own, ...tabStops(element.shadowRoot)] : own;
  });
}

function canStop(element: HTMLElement): boolean {
  return (
    element.matches(CANDIDATES) &&
    element.tabIndex >= 0 &&
    !(element as HTMLButtonElement).disabled &&
    !element.closest('[hidden], [inert]') &&
    (element.checkVisibility?.() ?? true)
  );
}

/** Focus trap: Tab after the last stop goes to the first, and vice versa. */
export function trapTab(event: KeyboardEvent, root: ParentNode): void {
  if (event.key !== 'Tab') return;
  const stops = tabStops(root);
  const first = stops[0];
  const last = stops.at(-1);
  const here = focused();
  const isAtEnd = here === null || here === (event.shiftKey ? first : last) || !stops.includes(here);
  if (!isAtEnd) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}

/**
 * Index of the entry that an arrow key moves to; null for other keys. Left and right act like up and down, so it
 * works for horizontal tabs as well as lists.
 */
export function arrowKeyIndex(key: string, index: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return Math.min(count - 1, index + 1);
    case 'ArrowUp':
    case 'ArrowLeft':
      return Math.max(0, index - 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}
