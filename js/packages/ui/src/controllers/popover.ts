/** Popover controller: open state; Escape or a press outside closes it. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { Dismissal } from './dismissal.ts';
import { focused } from './focus.ts';

export class Popover implements ReactiveController {
  #isOpen = false;
  #wasOpen = false;
  readonly #dismissal: Dismissal;

  /** @param opened called when its content has been rendered */
  constructor(
    private readonly host: ReactiveControllerHost & HTMLElement,
    private readonly opened: () => void,
  ) {
    host.addController(this);
    this.#dismissal = new Dismissal(host, {
      isOpen: () => this.#isOpen,
      close: () => this.close(),
      isOutside: (event) => !event.composedPath().includes(host) && !isCovered(host),
      pressedOutside: () => {
        this.isOpen = false;
      },
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  set isOpen(isOpen: boolean) {
    this.#isOpen = isOpen;
    this.host.requestUpdate();
  }

  /** Closes it; returns the focus to its button, unless the focus is elsewhere. */
  close(): void {
    const here = focused();
    const isElsewhere = here !== null && here !== document.body && !this.host.shadowRoot?.contains(here);
    this.isOpen = false;
    if (!isElsewhere) this.host.shadowRoot?.querySelector('button')?.focus();
  }

  hostUpdated(): void {
    if (this.#isOpen === this.#wasOpen) return;
    this.#wasOpen = this.#isOpen;
    this.#dismissal.listen(this.#isOpen);
    if (this.#isOpen) this.opened();
  }

  hostDisconnected(): void {
    this.#isOpen = false;
    this.#dismissal.listen(false);
  }
}

/** Whether a modal covers the panel, possibly opened from here: a press in it is not a press outside. */
function isCovered(element: Element): boolean {
  if (element.closest('[inert]')) return true;
  const root = element.getRootNode();
  return root instanceof ShadowRoot && isCovered(root.host);
}
