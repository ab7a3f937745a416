/** Auto-growing text area, for browsers without `field-sizing`. */

export class AutoGrow {
  readonly #observer = new ResizeObserver(() => this.fit());
  #area: HTMLTextAreaElement | null = null;

  attach(area: HTMLTextAreaElement): void {
    if (CSS.supports('field-sizing', 'content')) return;
    this.#area = area;
    // Another width changes the line breaks.
    this.#observer.observe(area);
  }

  detach(): void {
    this.#observer.disconnect();
    this.#area = null;
  }

  /** Call it after the text has changed. */
  fit(): void {
    const area = this.#area;
    if (!area) return;
    area.style.height = 'auto';
    area.style.height = `${area.scrollHeight}px`;
  }
}
