/** Store of unified diffs that are fetched when asked for, each under a name of several parts. */

import { toResult } from './call-result.ts';
import { Store } from './store.ts';
import { type FileDiff, parseUnifiedDiff } from './unified-diff.ts';
import { fields, text } from './wire.ts';

export interface ShownDiff {
  readonly isLoading: boolean;
  readonly files: readonly FileDiff[];
  /** One sentence; '' for none. */
  readonly error: string;
}

export class DiffStore<Name extends readonly string[]> extends Store {
  readonly #shown = new Map<string, ShownDiff>();

  /** @param fetch - resolves to an object whose `diff` is the text */
  constructor(private readonly fetch: (...name: Name) => Promise<unknown>) {
    super();
  }

  /** Null while it is hidden. */
  of(...name: Name): ShownDiff | null {
    return this.#shown.get(JSON.stringify(name)) ?? null;
  }

  /** Shows a diff, or hides it when it is shown. */
  async toggle(...name: Name): Promise<void> {
    const key = JSON.stringify(name);
    if (this.#shown.delete(key)) {
      this.changed();
      return;
    }
    const loading: ShownDiff = { isLoading: true, files: [], error: '' };
    this.#shown.set(key, loading);
    this.changed();
    const { value, error } = await toResult(this.fetch(...name));
    if (this.#shown.get(key) !== loading) return;
    const files = parseUnifiedDiff(text(fields<{ diff: string }>(value).diff));
    this.#shown.set(key, { isLoading: false, files, error });
    this.changed();
  }
}
