/** Controller that tells templates whether the host is narrow, like the container queries in the style sheet. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Width from which there are two columns; same value as in the style sheet. */
const COLUMNS_PX = 600;

export class WidthController implements ReactiveController {
  isNarrow = false;
  readonly #observer = new ResizeObserver(([entry]) => {
    const width = entry?.contentRect.width ?? 0;
    // A hidden panel has width 0: keep its layout.
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
