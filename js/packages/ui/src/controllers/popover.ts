/** Something that hangs from its button: open or not; Escape and a press anywhere else close it. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { focused } from './focus.ts';
import { OverlayController } from './overlay-stack.ts';

export class Popover implements ReactiveController {
  #isOpen = false;
  #wasOpen = false;
  readonly #elsewhere = (event: Event): void => {
    if (!event.composedPath().includes(this.host) && !isCovered(this.host)) this.isOpen = false;
  };

  /** @param opened called when its content has been drawn */
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

  /** Closes it; a keyboard that was in it, or nowhere, is on its button again. */
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

/** Something lies over the panel, opened from here perhaps: a press in it is no press elsewhere. */
function isCovered(element: Element): boolean {
  if (element.closest('[inert]')) return true;
  const root = element.getRootNode();
  return root instanceof ShadowRoot && isCovered(root.host);
}
