/** Stops key events of the panel from reaching the host page; the browser's defaults still apply. */

/**
 * Listener for `keydown` on the panel's root. Only Ctrl+S is passed on to the host: otherwise the browser would
 * offer to save the page.
 */
export function isolateKeys(event: Event): void {
  event.stopPropagation();
  if (!(event instanceof KeyboardEvent) || !isSave(event)) return;
  event.preventDefault();
  const host = (event.currentTarget as Element).parentElement;
  host?.dispatchEvent(new KeyboardEvent(event.type, { ...keyOf(event), bubbles: true, cancelable: true }));
}

function isSave(event: KeyboardEvent): boolean {
  return (
    event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  );
}

function keyOf({ key, code, keyCode, ctrlKey, metaKey }: KeyboardEvent): KeyboardEventInit {
  return { key, code, keyCode, ctrlKey, metaKey };
}
