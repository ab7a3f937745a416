/** Cache of typed texts and attached images while the panel shows another repository. */

import { sessionStore } from '@jupyter-ac/page';
import type { KeyValueStorage } from './model/stored-drafts.ts';

export class InputCache {
  readonly #images = new Map<string, readonly string[]>();
  readonly #texts = new Map<string, string>();
  /** Session storage, or an in-memory one where that is forbidden. */
  readonly storage: KeyValueStorage = sessionStore() ?? {
    getItem: (key) => this.#texts.get(key) ?? null,
    setItem: (key, text) => void this.#texts.set(key, text),
    removeItem: (key) => void this.#texts.delete(key),
  };

  /** Stores the images of a draft, until the page is left. */
  keepImages(key: string, images: readonly string[]): void {
    if (images.length) this.#images.set(key, images);
  }

  takeImages(key: string): readonly string[] {
    const images = this.#images.get(key) ?? [];
    this.#images.delete(key);
    return images;
  }
}
