/** Which of many equally high rows need to be in the page, for where a scroller stands. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Up to this many rows all are drawn. */
const DRAW_ALL = 300;
/** Rows drawn above and below the view. */
const OVERSCAN = 12;

export interface RowWindow {
  readonly first: number;
  /** Index after the last. */
  readonly end: number;
}

/** Pure part: rows on show between `top` and `top + height`. */
export function rowWindow(count: number, rowPx: number, top: number, height: number): RowWindow {
  if (count <= DRAW_ALL) return { first: 0, end: count };
  const first = Math.max(0, Math.min(count, Math.floor(top / rowPx)) - OVERSCAN);
  return { first, end: Math.min(count, first + Math.ceil(height / rowPx) + 2 * OVERSCAN) };
}

export class WindowOfRows implements ReactiveController {
  #scroller: HTMLElement | null = null;
  #shown: RowWindow = { first: 0, end: 0 };
  readonly #resized = new ResizeObserver(() => this.#moved());
  readonly #onScroll = () => this.#moved();

  constructor(
    private readonly host: ReactiveControllerHost,
    readonly rowPx: number,
    private readonly count: () => number,
  ) {
    host.addController(this);
  }

  get shown(): RowWindow {
    this.#shown = this.#compute();
    return this.#shown;
  }

  attach(scroller: HTMLElement | null): void {
    if (scroller === this.#scroller) return;
    this.hostDisconnected();
    this.#scroller = scroller;
    scroller?.addEventListener('scroll', this.#onScroll, { passive: true });
    if (scroller) this.#resized.observe(scroller);
  }

  hostConnected(): void {}

  hostDisconnected(): void {
    this.#resized.disconnect();
    this.#scroller?.removeEventListener('scroll', this.#onScroll);
    this.#scroller = null;
  }

  /** Scrolls just as far as needed for the row to be in view. */
  reveal(index: number): void {
    const scroller = this.#scroller;
    if (!scroller || index < 0) return;
    const top = index * this.rowPx;
    const bottom = top + this.rowPx - scroller.clientHeight;
    if (scroller.scrollTop > top) scroller.scrollTop = top;
    else if (scroller.scrollTop < bottom) scroller.scrollTop = bottom;
  }

  #compute(): RowWindow {
    const scroller = this.#scroller;
    return rowWindow(this.count(), this.rowPx, scroller?.scrollTop ?? 0, scroller?.clientHeight ?? 600);
  }

  #moved(): void {
    const next = this.#compute();
    if (next.first !== this.#shown.first || next.end !== this.#shown.end) this.host.requestUpdate();
  }
}
