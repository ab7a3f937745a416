/** What answers can be linked with: the repository's files, and its symbols as far as they are known. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import type { FilesStore } from './files.ts';
import { TreeFiles } from './known-files.ts';
import type { ModeStore } from './mode.ts';
import { type Dispose, Store } from './store.ts';
import { type KnownSymbol, KnownSymbols } from './symbols.ts';

export class Links extends Store {
  readonly files: TreeFiles;
  readonly #symbols: KnownSymbols;
  #count = 0;
  #wasReady = false;
  readonly #stopListening: Dispose[];

  constructor(
    rpc: Rpc,
    private readonly tree: FilesStore,
    private readonly mode: ModeStore,
  ) {
    super();
    this.files = new TreeFiles(() => tree.tree);
    this.#symbols = new KnownSymbols(rpc);
    this.#stopListening = [
      tree.subscribe(() => this.#filesChanged()),
      mode.subscribe(() => this.#modeChanged()),
      // What was no symbol may be one in the next answer.
      rpc.on('filesModified', () => this.#symbols.forget()),
    ];
  }

  /** All files are known. */
  get isReady(): boolean {
    return this.tree.isLoaded;
  }

  readonly peek = (name: string): readonly KnownSymbol[] | undefined => this.#symbols.peek(name);

  /** Asks for what isn't known; nothing while there is no index that could know. */
  async learn(names: readonly string[]): Promise<void> {
    if (this.mode.isCodeReady) await this.#symbols.learn(names);
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
  }

  /** Files have come: what was no file before may be one. */
  #filesChanged(): void {
    const { size } = this.tree.tree.files;
    if (!this.isReady || size === this.#count) return;
    this.#count = size;
    this.#symbols.forget();
    this.changed();
  }

  #modeChanged(): void {
    if (this.mode.isCodeReady === this.#wasReady) return;
    this.#wasReady = this.mode.isCodeReady;
    this.#symbols.forget();
    this.changed();
  }
}
