/** Keeps scroll positions of an element that is taken out of the page and put back, as windowed notebooks do with cells. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';

interface Position {
  readonly top: number;
  readonly left: number;
}

export class KeepScroll implements ReactiveController {
  /** Of the scrollers that aren't at their beginning. */
  readonly #positions = new Map<Element, Position>();
  #root: Node | null = null;
  #isBack = false;

  constructor(private readonly host: ReactiveControllerHost & HTMLElement) {
    host.addController(this);
  }

  hostConnected(): void {
    this.#isBack = this.#root !== null;
    if (this.#isBack) this.host.requestUpdate();
  }

  hostUpdated(): void {
    if (!this.#root) {
      this.#root = this.host.shadowRoot;
      // Scroll events don't bubble; they are seen on their way down.
      this.#root?.addEventListener('scroll', this.#onScroll, { capture: true, passive: true });
    }
    if (!this.#isBack) return;
    this.#isBack = false;
    const positions = [...this.#positions];
    restore(positions);
    // Content far from the view gets its true height only when it is laid out.
    requestAnimationFrame(() => restore(positions));
  }

  readonly #onScroll = ({ target }: Event): void => {
    if (!(target instanceof Element) || this.#isBack) return;
    this.#positions.delete(target);
    if (target.scrollTop || target.scrollLeft)
      this.#positions.set(target, { top: target.scrollTop, left: target.scrollLeft });
  };
}

function restore(positions: readonly (readonly [Element, Position])[]): void {
  for (const [scroller, { top, left }] of positions) {
    scroller.scrollTop = top;
    scroller.scrollLeft = left;
  }
}
