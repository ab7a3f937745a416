/** Lazy drawing: elements in a scroller draw their content when they come near the view, a few in each frame. */

export interface Drawable extends HTMLElement {
  readonly isDrawn: boolean;
  /** Draws the content now; it stays drawn. */
  draw(): void;
}

/** So far outside of the view, elements are drawn ahead. */
const NEAR = '1500px 0px';
/** Drawing takes about this long in a frame, then waits for the next one. */
const BUDGET_MS = 7;

export class LazyDrawing {
  #observer: IntersectionObserver | null = null;
  #scroller: HTMLElement | null = null;
  readonly #waiting = new Set<Drawable>();
  #isScheduled = false;

  /** @param onDrawn called after heights have changed */
  constructor(private readonly onDrawn: () => void) {}

  /** Watches elements that are not drawn; draws them at once where the browser can't observe them. */
  watch(scroller: HTMLElement, elements: Iterable<Drawable>): void {
    if (scroller !== this.#scroller) this.#attach(scroller);
    for (const element of elements) {
      if (element.isDrawn) continue;
      if (this.#observer) this.#observer.observe(element);
      else element.draw();
    }
  }

  detach(): void {
    this.#observer?.disconnect();
    this.#observer = null;
    this.#scroller = null;
    this.#waiting.clear();
  }

  #attach(root: HTMLElement): void {
    this.detach();
    this.#scroller = root;
    if (!globalThis.IntersectionObserver) return;
    this.#observer = new IntersectionObserver((entries) => this.#seen(entries), { root, rootMargin: NEAR });
  }

  #seen(entries: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of entries) {
      const element = target as Drawable;
      if (isIntersecting && !element.isDrawn) this.#waiting.add(element);
      else this.#waiting.delete(element);
      if (element.isDrawn) this.#observer?.unobserve(element);
    }
    if (this.#waiting.size) this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    requestAnimationFrame(() => {
      this.#isScheduled = false;
      this.#drawNearest();
    });
  }

  #drawNearest(): void {
    const end = performance.now() + BUDGET_MS;
    const middle = this.#middle();
    const distance = (element: Drawable) => {
      const { top, bottom } = element.getBoundingClientRect();
      return Math.abs((top + bottom) / 2 - middle);
    };
    const nearest = [...this.#waiting]
      .filter((element) => element.isConnected)
      .map((element) => ({ element, far: distance(element) }))
      .sort((one, other) => one.far - other.far);
    this.#waiting.clear();
    for (const { element } of nearest) {
      if (performance.now() < end) {
        element.draw();
        this.#observer?.unobserve(element);
      } else this.#waiting.add(element);
    }
    if (nearest.length) this.onDrawn();
    if (this.#waiting.size) this.#schedule();
  }

  #middle(): number {
    const { top, bottom } = this.#scroller?.getBoundingClientRect() ?? { top: 0, bottom: 0 };
    return (top + bottom) / 2;
  }
}
