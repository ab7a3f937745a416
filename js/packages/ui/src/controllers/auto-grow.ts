/** Makes a text area as high as its text, where the browser can't do so by style alone. */

export class AutoGrow {
  readonly #observer = new ResizeObserver(() => this.fit());
  #area: HTMLTextAreaElement | null = null;

  attach(area: HTMLTextAreaElement): void {
    if (CSS.supports('field-sizing', 'content')) return;
    this.#area = area;
    // Another width breaks the lines elsewhere.
    this.#observer.observe(area);
  }

  detach(): void {
    this.#observer.disconnect();
    this.#area = null;
  }

  /** To be called after the text has changed. */
  fit(): void {
    const area = this.#area;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
  }
}
