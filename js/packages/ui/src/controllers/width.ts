/** Whether its host is narrow: what the style sheet's container queries know, for the templates. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** The first width with two columns, as in the style sheet. */
const COLUMNS_PX = 600;

export class WidthController implements ReactiveController {
  isNarrow = false;
  readonly #observer = new ResizeObserver(([entry]) => {
    const width = entry?.contentRect.width ?? 0;
    // A hidden panel has no width; it keeps the layout that it had.
    if (width > 0) this.#set(width < COLUMNS_PX);
  });

  constructor(private readonly host: ReactiveControllerHost & HTMLElement) {
    host.addController(this);
  }

  hostConnected(): void {
    this.#observer.observe(this.host);
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
  }

  #set(isNarrow: boolean): void {
    if (isNarrow === this.isNarrow) return;
    this.isNarrow = isNarrow;
    this.host.requestUpdate();
  }
}
