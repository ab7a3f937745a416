/** Something that hangs from its button: open or not; a press anywhere else closes it. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';

export class Popover implements ReactiveController {
  #isOpen = false;
  #wasOpen = false;
  readonly #elsewhere = (event: Event): void => {
    if (!event.composedPath().includes(this.host)) this.isOpen = false;
  };

  /** @param opened called when its content has been drawn */
  constructor(
    private readonly host: ReactiveControllerHost & HTMLElement,
    private readonly opened: () => void,
  ) {
    host.addController(this);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  set isOpen(isOpen: boolean) {
    this.#isOpen = isOpen;
    this.host.requestUpdate();
  }

  /** Closes it; the keyboard is on its button again. */
  close(): void {
    this.isOpen = false;
    this.host.shadowRoot?.querySelector('button')?.focus();
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
