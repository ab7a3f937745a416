/** Controller that tells templates how many columns the host has, like the container queries in the style sheet. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Widths from which there are two columns, and three; same values as in the style sheet. */
const TWO_COLUMNS_PX = 600;
const THREE_COLUMNS_PX = 1040;

export type Columns = 1 | 2 | 3;

export class WidthController implements ReactiveController {
  columns: Columns = 2;
  readonly #observer = new ResizeObserver(([entry]) => {
    const width = entry?.contentRect.width ?? 0;
    // A hidden panel has width 0: keep its layout.
    if (width > 0) this.#set(width < TWO_COLUMNS_PX ? 1 : width < THREE_COLUMNS_PX ? 2 : 3);
  });

  constructor(private readonly host: ReactiveControllerHost & HTMLElement) {
    host.addController(this);
  }

  get isNarrow(): boolean {
    return this.columns === 1;
  }

  hostConnected(): void {
    this.#observer.observe(this.host);
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
  }

  #set(columns: Columns): void {
    if (columns === this.columns) return;
    this.columns = columns;
    this.host.requestUpdate();
  }
}
