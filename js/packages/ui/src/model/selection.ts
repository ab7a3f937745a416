/**
 * Store of the ticked files, with optimistic updates: a tick shows at once, and the server's list, which all
 * pages share, is authoritative. While a change is being sent, its own events must not undo newer ticks.
 */

import type { Rpc } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { escapeInvisible } from './file-location.ts';
import { type Dispose, Store } from './store.ts';
import { strings } from './wire.ts';

/** At most this many excluded files are named. */
const MAX_NAMED = 3;

export class SelectionStore extends Store {
  /** Whether a file is excluded: it can't be ticked. */
  isExcluded: (path: string) => boolean = () => false;
  #paths: readonly string[] = [];
  #set: ReadonlySet<string> = new Set();
  #byProgram: ReadonlySet<string> = new Set();
  #sending: Promise<void> | null = null;
  #unsent = false;
  #sawEvent = false;
  readonly #stopListening: Dispose;

  constructor(
    private readonly rpc: Rpc,
    private readonly onError: (message: string) => void,
  ) {
    super();
    this.#stopListening = rpc.on('filesChanged', (paths, byProgram) =>
      this.#onFilesChanged(strings(paths), strings(byProgram)),
    );
  }

  get paths(): readonly string[] {
    return this.#paths;
  }

  has(path: string): boolean {
    return this.#set.has(path);
  }

  /** Whether the program ticked this file, not the user: such a tick ends with the conversation. */
  isByProgram(path: string): boolean {
    return this.#byProgram.has(path);
  }

  /** Whether `paths` (files or folders; [] for all) contain a ticked file. */
  concerns(paths: readonly string[]): boolean {
    const meant = new Set(paths);
    return this.#paths.some((path) => meant.size === 0 || isIn(meant, path));
  }

  /** Replaces the list with the server's, and which of it the program ticked (by default as before). */
  adopt(paths: readonly string[], byProgram: Iterable<string> = this.#byProgram): void {
    this.#paths = [...paths];
    this.#set = new Set(paths);
    this.#byProgram = new Set([...byProgram].filter((path) => this.#set.has(path)));
    this.changed();
  }

  /** Ticks or unticks `paths`; the order of the others stays. An excluded file is reported instead. */
  mark(paths: readonly string[], ticked: boolean): void {
    const named = new Set(paths);
    const excluded = ticked ? paths.filter((path) => this.isExcluded(path)) : [];
    if (excluded.length) {
      const names = excluded.slice(0, MAX_NAMED).map(escapeInvisible).join(', ');
      this.onError(t('Excluded, and not ticked: %1. Include it in the list of files to send it.', names));
    }
    const next = ticked
      ? [...this.#paths, ...paths.filter((path) => !this.#set.has(path) && !excluded.includes(path))]
      : this.#paths.filter((path) => !named.has(path));
    if (next.length !== this.#paths.length) this.replace(next);
  }

  /** Ticks `paths` and nothing else. */
  replace(paths: readonly string[]): void {
    this.adopt(paths);
    this.#unsent = true;
    this.#sending ??= this.#send();
  }

  /** Resolves when the server has every tick made so far. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  dispose(): void {
    this.#stopListening();
  }

  #onFilesChanged(paths: string[], byProgram: string[]): void {
    if (this.#sending) {
      this.#sawEvent = true;
      this.#byProgram = new Set(byProgram);
    } else this.adopt(paths, byProgram);
  }

  async #send(): Promise<void> {
    try {
      let kept: string[] = [];
      while (this.#unsent) {
        this.#unsent = false;
        this.#sawEvent = false;
        kept = strings(await this.rpc.rpcExtract('LLMService.set_selected_files', this.#paths));
      }
      // An event in between was the echo of our change or another page's change: fetch the list to find out.
      if (this.#sawEvent) kept = strings(await this.rpc.rpcExtract('LLMService.get_selected_files'));
      if (!this.#unsent) this.adopt(kept);
    } catch (error) {
      this.#unsent = false;
      this.onError(
        t('The ticks could not be sent: %1', error instanceof Error ? error.message : String(error)),
      );
      await this.#revert();
    } finally {
      this.#sending = null;
    }
    if (this.#unsent) this.#sending = this.#send();
  }

  /** Shows the server's list without the refused ticks; after a lost connection, the next sync does it. */
  async #revert(): Promise<void> {
    try {
      const paths = strings(await this.rpc.rpcExtract('LLMService.get_selected_files'));
      if (!this.#unsent) this.adopt(paths);
    } catch {
      // The error has been reported.
    }
  }
}

/** Whether `paths` contains `path` or a folder above it. */
function isIn(paths: ReadonlySet<string>, path: string): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
    if (paths.has(path.slice(0, end))) return true;
  return false;
}
