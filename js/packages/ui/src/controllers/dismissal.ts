/** Closes something that is open over its host: by Escape, and by a press outside. */

import type { ReactiveControllerHost } from 'lit';
import { OverlayController } from './overlay-stack.ts';

export interface Dismissable {
  isOpen(): boolean;
  /** Called on Escape. */
  close(): void;
  isOutside(event: Event): boolean;
  /** Called at a press outside, which takes the focus. */
  pressedOutside(): void;
}

export class Dismissal {
  readonly #onPress = (event: Event): void => {
    if (this.opened.isOutside(event)) this.opened.pressedOutside();
  };

  constructor(
    host: ReactiveControllerHost & HTMLElement,
    private readonly opened: Dismissable,
  ) {
    new OverlayController(
      host,
      () => opened.isOpen(),
      () => opened.close(),
    );
  }

  /** Listens for presses outside from now on, or no longer. */
  listen(isOpen: boolean): void {
    if (isOpen) document.addEventListener('pointerdown', this.#onPress, true);
    else document.removeEventListener('pointerdown', this.#onPress, true);
  }
}
