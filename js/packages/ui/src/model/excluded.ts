/** Store of the excluded files and folders, of which nothing is sent to a model; the server's list is authoritative. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import { tn } from '@jupyter-ac/messages';
import { type Dispose, Store } from './store.ts';
import { strings } from './wire.ts';

/** Whether a file is excluded; of a folder also whether something in it is. */
export type Exclusion = 'none' | 'some' | 'all';

export class ExcludedStore extends Store {
  #paths: readonly string[] = [];
  #set: ReadonlySet<string> = new Set();
  /** The folders above them. */
  #above: ReadonlySet<string> = new Set();
  /** How many changes are being sent: the answer to the last one says what holds, not an event in between. */
  sending = 0;
  readonly #stopListening: Dispose;

  constructor(rpc: Rpc) {
    super();
    this.#stopListening = rpc.on('excludedFilesChanged', (paths) => {
      if (!this.sending) this.adopt(strings(paths));
    });
  }

  /** Files, and folders that stand for all that is below them. */
  get paths(): readonly string[] {
    return this.#paths;
  }

  of(path: string): Exclusion {
    if (!this.#set.size) return 'none';
    if (this.#set.has(path) || foldersAbove(path).some((folder) => this.#set.has(folder))) return 'all';
    return this.#above.has(path) ? 'some' : 'none';
  }

  adopt(paths: readonly string[]): void {
    this.#paths = paths;
    this.#set = new Set(paths);
    this.#above = new Set(paths.flatMap(foldersAbove));
    this.changed();
  }

  dispose(): void {
    this.#stopListening();
  }
}

export function excludedSentence(count: number): string {
  return tn(
    '%1 file is excluded: nothing of it is sent.',
    '%1 files are excluded: nothing of them is sent.',
    count,
  );
}

/** `a/b/c` → `a`, `a/b`. */
export function foldersAbove(path: string): string[] {
  const found: string[] = [];
  for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1)) found.push(path.slice(0, end));
  return found;
}
