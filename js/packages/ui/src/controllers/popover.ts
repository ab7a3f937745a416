/** Popover controller: open state; Escape or a press outside closes it. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { focused } from './focus.ts';
import { OverlayController } from './overlay-stack.ts';

export class Popover implements ReactiveController {
  #isOpen = false;
  #wasOpen = false;
  readonly #elsewhere = (event: Event): void => {
    if (!event.composedPath().includes(this.host) && !isCovered(this.host)) this.isOpen = false;
  };

  /** @param opened called when its content has been rendered */
  constructor(
    private readonly host: ReactiveControllerHost & HTMLElement,
    private readonly opened: () => void,
  ) {
    host.addController(this);
    new OverlayController(
      host,
      () => this.#isOpen,
      () => this.close(),
    );
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
    this.#forget();
    if (!this.#isOpen) return;
    document.addEventListener('pointerdown', this.#elsewhere, true);
    this.opened();
  }

  hostDisconnected(): void {
    this.#isOpen = false;
    this.#forget();
  }

  #forget(): void {
    document.removeEventListener('pointerdown', this.#elsewhere, true);
  }
}

/** Whether a modal covers the panel, possibly opened from here: a press in it is not a press outside. */
function isCovered(element: Element): boolean {
  if (element.closest('[inert]')) return true;
  const root = element.getRootNode();
  return root instanceof ShadowRoot && isCovered(root.host);
}
