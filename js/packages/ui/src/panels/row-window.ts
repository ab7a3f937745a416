/** Renders only those of many rows of equal height that are in view. */

import { type VisibleRange, visibleRange } from '../controllers/virtual-list.ts';

export class RowWindow {
  #shown: VisibleRange | null = null;
  #count = 0;
  readonly #stop = new AbortController();
  readonly #resized = new ResizeObserver(() => this.#onMove());

  /** @param draw - renders the rows of a range, with that many rows left out above and below */
  constructor(
    private readonly scroller: HTMLElement,
    public rowPx: number,
    private readonly draw: (range: VisibleRange, count: number) => void,
  ) {
    scroller.addEventListener('scroll', () => this.#onMove(), { passive: true, signal: this.#stop.signal });
    this.#resized.observe(scroller);
  }

  /** Renders again, also the rows that have been rendered. */
  update(count: number): void {
    this.#count = count;
    this.#shown = this.#range();
    this.draw(this.#shown, count);
  }

  /** Scrolls as little as needed to show a row below a header. */
  reveal(index: number, headerPx = 0): void {
    const { scroller } = this;
    const top = index * this.rowPx;
    const bottom = top + this.rowPx + headerPx - scroller.clientHeight;
    if (scroller.scrollTop > top) scroller.scrollTop = top;
    else if (scroller.scrollTop < bottom) scroller.scrollTop = bottom;
    this.#onMove();
  }

  dispose(): void {
    this.#stop.abort();
    this.#resized.disconnect();
  }

  #range(): VisibleRange {
    const { scrollTop, clientHeight } = this.scroller;
    return visibleRange(this.#count, this.rowPx, scrollTop, clientHeight || 600);
  }

  #onMove(): void {
    const next = this.#range();
    if (next.first === this.#shown?.first && next.end === this.#shown.end) return;
    this.#shown = next;
    this.draw(next, this.#count);
  }
}
