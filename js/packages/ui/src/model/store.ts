/** Observable state: base class of the stores, independent of rendering. */

export type Dispose = () => void;

export abstract class Store {
  readonly #listeners = new Set<() => void>();

  /** Runs `listener` after each change until disposed. */
  subscribe(listener: () => void): Dispose {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  protected changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}

/** Tells of changes that only some of a store's listeners need; has no state of its own. */
export class Signal extends Store {
  notify(): void {
    this.changed();
  }
}
