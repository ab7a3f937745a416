/** Controller that keeps the focus in its host when an update removes the element that has it. */

import type { LitElement, ReactiveController } from 'lit';

export class LostFocusController implements ReactiveController {
  #hadFocus = false;

  /** @param refocus - gives the focus to an element that stays */
  constructor(
    private readonly host: LitElement,
    private readonly refocus: () => void,
  ) {
    host.addController(this);
  }

  hostUpdate(): void {
    this.#hadFocus = Boolean(this.host.shadowRoot?.activeElement);
  }

  hostUpdated(): void {
    if (this.#hadFocus && !this.host.shadowRoot?.activeElement) this.refocus();
  }
}
