/** Virtual list: which rows of equal height are rendered, by the scroll position. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** Up to this many rows, all are rendered. */
const DRAW_ALL = 300;
/** Rows rendered above and below the viewport. */
const OVERSCAN = 12;

export interface VisibleRange {
  readonly first: number;
  /** Index after the last. */
  readonly end: number;
}

/** The rows to render for the viewport from `top` to `top + height`. Pure. */
export function visibleRange(count: number, rowPx: number, top: number, height: number): VisibleRange {
  if (count <= DRAW_ALL) return { first: 0, end: count };
  const first = Math.max(0, Math.min(count, Math.floor(top / rowPx)) - OVERSCAN);
  return { first, end: Math.min(count, first + Math.ceil(height / rowPx) + 2 * OVERSCAN) };
}

export class VirtualList implements ReactiveController {
  #scroller: HTMLElement | null = null;
  #shown: VisibleRange = { first: 0, end: 0 };
  /** Scroll position to set after the current update; null to keep it. */
  #top: number | null = null;
  readonly #resized = new ResizeObserver(() => this.#onMove());
  readonly #onScroll = () => this.#onMove();

  constructor(
    private readonly host: ReactiveControllerHost,
    readonly rowPx: number,
    private readonly count: () => number,
  ) {
    host.addController(this);
  }

  get shown(): VisibleRange {
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

  hostUpdated(): void {
    if (this.#scroller && this.#top !== null) this.#scroller.scrollTop = this.#top;
    this.#top = null;
  }

  hostDisconnected(): void {
    this.#resized.disconnect();
    this.#scroller?.removeEventListener('scroll', this.#onScroll);
    this.#scroller = null;
  }

  /**
   * Scroll anchoring: call it before an update with other rows. The rows in view stay in view when rows above are
   * added or removed; at the very top, the first row stays in view.
   *
   * @param moveOf by how many rows the row at this index moves
   */
  anchor(moveOf: (index: number) => number): void {
    const top = this.#scroller?.scrollTop ?? 0;
    if (top > 0) this.#top = Math.max(0, top + moveOf(Math.floor(top / this.rowPx)) * this.rowPx);
  }

  /** Scrolls as little as needed to show the row. */
  reveal(index: number): void {
    const scroller = this.#scroller;
    if (!scroller || index < 0) return;
    const top = index * this.rowPx;
    const bottom = top + this.rowPx - scroller.clientHeight;
    if (scroller.scrollTop > top) scroller.scrollTop = top;
    else if (scroller.scrollTop < bottom) scroller.scrollTop = bottom;
  }

  #compute(): VisibleRange {
    const scroller = this.#scroller;
    const top = this.#top ?? scroller?.scrollTop ?? 0;
    return visibleRange(this.count(), this.rowPx, top, scroller?.clientHeight ?? 600);
  }

  #onMove(): void {
    const next = this.#compute();
    if (next.first !== this.#shown.first || next.end !== this.#shown.end) this.host.requestUpdate();
  }
}
