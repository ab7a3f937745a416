/** Post-processing by a bundle that is loaded on demand. */

/** After a failed load, waits this long before the next attempt. */
const RETRY_AFTER_MS = 30_000;

export abstract class LazyProcessor<Module> {
  #module: Module | null = null;
  #isLoading = false;
  #notBefore = 0;
  readonly #waiting = new Set<Element>();

  constructor(private readonly load: () => Promise<Module>) {}

  /** Processes the elements now, or once the bundle is loaded; until then they stay unchanged. */
  protected processAll(places: Iterable<Element>): void {
    for (const place of places) {
      if (!this.#module && Date.now() >= this.#notBefore) void this.#fetch();
      if (this.#module) this.process(place, this.#module);
      else if (this.#isLoading) this.#waiting.add(place);
    }
  }

  protected abstract process(place: Element, module: Module): void;

  async #fetch(): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      this.#module = await this.load();
      for (const place of this.#waiting) this.process(place, this.#module);
    } catch {
      this.#notBefore = Date.now() + RETRY_AFTER_MS;
    } finally {
      this.#isLoading = false;
      this.#waiting.clear();
    }
  }
}
