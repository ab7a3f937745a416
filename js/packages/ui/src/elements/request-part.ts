/** Requests bundles with parts of the UI: their elements, which are in the page already, start to work then. */

import type { Part } from '../load-chunk.ts';

const EVENT = 'ac-part';

/** Requests a part for the panel around `element`; further requests do nothing. */
export function requestPart(element: HTMLElement, part: Part): void {
  element.dispatchEvent(new CustomEvent(EVENT, { detail: part, bubbles: true, composed: true }));
}

/** Loads each requested part once; a failure is reported once, and the page works without that part. */
export function onPartRequest(
  panel: HTMLElement,
  load: (part: Part) => Promise<void>,
  onError: (message: string) => void,
): void {
  const requested = new Set<Part>();
  panel.addEventListener(EVENT, (event) => {
    const { detail } = event as CustomEvent<Part>;
    if (requested.has(detail)) return;
    requested.add(detail);
    load(detail).catch((error: unknown) => onError(error instanceof Error ? error.message : String(error)));
  });
}
