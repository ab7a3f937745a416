/**
 * The ticked files. A tick shows at once; the server's list, which all pages share, has the last
 * word. While a change of ours is under way, its echoes are not allowed to undo newer ticks.
 */

import type { Rpc } from '@jupyter-ac/link/rpc';
import { type Dispose, Store } from './store.ts';
import { strings } from './wire.ts';

export class SelectionStore extends Store {
  #paths: readonly string[] = [];
  #known: ReadonlySet<string> = new Set();
  #byProgram: ReadonlySet<string> = new Set();
  #sending: Promise<void> | null = null;
  #unsent = false;
  #overheard = false;
  readonly #stopListening: Dispose;

  constructor(
    private readonly rpc: Rpc,
    private readonly onError: (message: string) => void,
  ) {
    super();
    this.#stopListening = rpc.on('filesChanged', (paths, byProgram) =>
      this.#hear(strings(paths), strings(byProgram)),
    );
  }

  get paths(): readonly string[] {
    return this.#paths;
  }

  has(path: string): boolean {
    return this.#known.has(path);
  }

  /** Whether the program has ticked this file, not the user: only until the conversation ends. */
  isByProgram(path: string): boolean {
    return this.#byProgram.has(path);
  }

  /** Whether something ticked may be meant by `paths`, of files or of folders; [] may mean all. */
  concerns(paths: readonly string[]): boolean {
    const meant = new Set(paths);
    return this.#paths.some((path) => meant.size === 0 || isIn(meant, path));
  }

  /** Takes over the server's list, and which of it the program has ticked: of those that stay, as before. */
  adopt(paths: readonly string[], byProgram: Iterable<string> = this.#byProgram): void {
    this.#paths = [...paths];
    this.#known = new Set(paths);
    this.#byProgram = new Set([...byProgram].filter((path) => this.#known.has(path)));
    this.changed();
  }

  /** Ticks or unticks `paths`, the order of all others kept. */
  mark(paths: readonly string[], ticked: boolean): void {
    const named = new Set(paths);
    const next = ticked
      ? [...this.#paths, ...paths.filter((path) => !this.#known.has(path))]
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

  #hear(paths: string[], byProgram: string[]): void {
    if (this.#sending) {
      this.#overheard = true;
      this.#byProgram = new Set(byProgram);
    } else this.adopt(paths, byProgram);
  }

  async #send(): Promise<void> {
    try {
      let kept: string[] = [];
      while (this.#unsent) {
        this.#unsent = false;
        this.#overheard = false;
        kept = strings(await this.rpc.rpcExtract('LLMService.set_selected_files', this.#paths));
      }
      // An event in between was our own echo or another page's change: ask which.
      if (this.#overheard) kept = strings(await this.rpc.rpcExtract('LLMService.get_selected_files'));
      if (!this.#unsent) this.adopt(kept);
    } catch (error) {
      this.#unsent = false;
      this.onError(`The ticks could not be sent: ${error instanceof Error ? error.message : String(error)}`);
      await this.#giveUp();
    } finally {
      this.#sending = null;
    }
    if (this.#unsent) this.#sending = this.#send();
  }

  /** Shows what is ticked without the ticks that were refused; a lost connection asks for it on its return. */
  async #giveUp(): Promise<void> {
    try {
      const paths = strings(await this.rpc.rpcExtract('LLMService.get_selected_files'));
      if (!this.#unsent) this.adopt(paths);
    } catch {
      // It has been said that something is wrong.
    }
  }
}

/** Whether `paths` has `path` or a folder above it. */
function isIn(paths: ReadonlySet<string>, path: string): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
    if (paths.has(path.slice(0, end))) return true;
  return false;
}
