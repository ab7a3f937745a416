/** Resolves names in answers to links: the repository's files, and its symbols as far as they are loaded. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import { FileResolver } from './file-resolver.ts';
import type { FilesStore } from './files.ts';
import type { ModeStore } from './mode.ts';
import { type Dispose, Store } from './store.ts';
import { type RepositorySymbol, SymbolCache } from './symbols.ts';

export class LinkResolver extends Store {
  readonly files: FileResolver;
  readonly #symbols: SymbolCache;
  #count = 0;
  #wasReady = false;
  readonly #stopListening: Dispose[];

  constructor(
    rpc: Rpc,
    private readonly tree: FilesStore,
    private readonly mode: ModeStore,
  ) {
    super();
    this.files = new FileResolver(() => tree.tree);
    this.#symbols = new SymbolCache(rpc);
    this.#stopListening = [
      tree.subscribe(() => this.#filesChanged()),
      mode.subscribe(() => this.#modeChanged()),
      // A name without a symbol may have one after the change.
      rpc.on('filesModified', () => this.#symbols.clear()),
    ];
  }

  /** The list of files is loaded. */
  get isReady(): boolean {
    return this.tree.isLoaded;
  }

  readonly peek = (name: string): readonly RepositorySymbol[] | undefined => this.#symbols.peek(name);

  /** Loads the symbols of the names that aren't cached; does nothing until the index is ready. */
  async load(names: readonly string[]): Promise<void> {
    if (this.mode.isCodeReady) await this.#symbols.load(names);
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
  }

  /** Files were added or removed: links have to be resolved again. */
  #filesChanged(): void {
    const { size } = this.tree.tree.files;
    if (!this.isReady || size === this.#count) return;
    this.#count = size;
    this.#symbols.clear();
    this.changed();
  }

  #modeChanged(): void {
    if (this.mode.isCodeReady === this.#wasReady) return;
    this.#wasReady = this.mode.isCodeReady;
    this.#symbols.clear();
    this.changed();
  }
}
