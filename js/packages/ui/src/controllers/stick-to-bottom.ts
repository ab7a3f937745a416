/** Keeps a scroller at the bottom while content grows, unless the user has scrolled up. */

/** Tolerance: scrolling up by no more than this keeps it at the bottom. */
const SLACK_PX = 30;

export class StickToBottom {
  isStuck = true;
  #scroller: HTMLElement | null = null;
  #lastTop = 0;
  readonly #resized = new ResizeObserver(() => this.follow());
  readonly #onScroll = () => this.#scrolled();

  /**
   * @param onChange called when `isStuck` changes
   * @param isFollowing whether there is anything to follow; without it, the scroller stays where it is
   */
  constructor(
    private readonly onChange: () => void,
    private readonly isFollowing: () => boolean = () => true,
  ) {}

  attach(scroller: HTMLElement): void {
    if (scroller === this.#scroller) return;
    this.#scroller = scroller;
    scroller.addEventListener('scroll', this.#onScroll, { passive: true });
    this.#resized.observe(scroller);
  }

  /** Call it after the content has changed. */
  follow(): void {
    const scroller = this.#scroller;
    if (scroller && this.isStuck && this.isFollowing()) scroller.scrollTop = scroller.scrollHeight;
  }

  /** Call it before something else is scrolled to. */
  leave(): void {
    if (!this.isStuck) return;
    this.isStuck = false;
    this.onChange();
  }

  /**
   * Scroll anchoring: records the position of an element on the screen.
   *
   * @returns restores that position, after content was inserted above
   */
  anchor(element: Element | null): () => void {
    const scroller = this.#scroller;
    if (!scroller || !element) return () => {};
    const top = element.getBoundingClientRect().top;
    this.isStuck = false;
    return () => {
      const restore = () => {
        scroller.scrollTop += element.getBoundingClientRect().top - top;
        this.#lastTop = scroller.scrollTop;
      };
      restore();
      // Content far from the view gets its true height only when it is laid out.
      requestAnimationFrame(restore);
    };
  }

  detach(): void {
    this.#resized.disconnect();
    this.#scroller?.removeEventListener('scroll', this.#onScroll);
    this.#scroller = null;
    this.#lastTop = 0;
  }

  scrollToBottom(): void {
    this.isStuck = true;
    this.follow();
    this.onChange();
  }

  #scrolled(): void {
    const scroller = this.#scroller;
    if (!scroller) return;
    const distance = scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop;
    // Growing content also increases the distance to the bottom; only upward scrolling is the user's.
    const isUpward = scroller.scrollTop < this.#lastTop;
    this.#lastTop = scroller.scrollTop;
    const isStuck = distance <= SLACK_PX || (this.isStuck && !isUpward);
    if (isStuck === this.isStuck) return;
    this.isStuck = isStuck;
    this.onChange();
  }
}
