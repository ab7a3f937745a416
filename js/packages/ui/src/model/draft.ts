/** The question being typed; survives a reload of the page. */

import { Store } from './store.ts';

export interface DraftStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export class DraftStore extends Store {
  #text: string;

  /** @param storage null where the browser forbids storage: then the draft lives with the page. */
  constructor(
    private readonly storage: DraftStorage | null,
    private readonly key: string,
  ) {
    super();
    this.#text = this.#read();
  }

  get text(): string {
    return this.#text;
  }

  set(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#write();
    this.changed();
  }

  /** Puts a question back, but never over one that has been typed meanwhile. */
  giveBack(text: string): boolean {
    if (this.#text.trim()) return false;
    this.set(text);
    return true;
  }

  #read(): string {
    try {
      return this.storage?.getItem(this.key) ?? '';
    } catch {
      return '';
    }
  }

  #write(): void {
    try {
      if (this.#text) this.storage?.setItem(this.key, this.#text);
      else this.storage?.removeItem(this.key);
    } catch {
      // Storage is full or forbidden: the draft still lives with the page.
    }
  }
}
