/**
 * The server's tree of files, kept up to date: a whole one in slices at first, then what differs.
 *
 * Invariant: `tree` is all of one of the server's versions, save while the first one comes in. What
 * differs is therefore put in when the last slice of it is there, and a second whole tree is built aside.
 */

import type { Rpc, TreeRows } from '@jupyter-ac/link/rpc';
import { Store } from './store.ts';
import { inSlices } from './time-slicing.ts';
import { type FileState, Tree } from './tree.ts';
import { fields, list, number, numberOrNull, strings, text } from './wire.ts';

interface Slice {
  readonly version: string;
  /** What the rows differ from; '' when they are a whole tree. */
  readonly since: string;
  readonly head: string;
  readonly operation: string;
  readonly total: number;
  readonly rows: readonly FileState[];
  readonly removed: readonly string[];
  readonly next: number | null;
}

export class TreeFeed extends Store {
  tree = new Tree();
  /** The branch and the commit, in the words of git. */
  head = '';
  /** The merge, rebase or the like under way; '' for none. */
  operation = '';
  error = '';
  /** How many files the server's tree has. */
  total = 0;
  /** Of `tree`; '' until the first one is whole. */
  #version = '';
  #running: Promise<void> | null = null;
  #again = false;
  #isDisposed = false;

  constructor(private readonly rpc: Rpc) {
    super();
  }

  /** One version of it has been read to its end. */
  get isWhole(): boolean {
    return this.#version !== '';
  }

  /** Asks the server for what differs; wishes that come meanwhile become one more request after it. */
  refresh(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#run();
    return this.#running;
  }

  dispose(): void {
    this.#isDisposed = true;
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#isDisposed) {
      this.#again = false;
      const { error } = this;
      let isNew = false;
      try {
        isNew = await this.#load();
        this.error = '';
      } catch (failure) {
        this.error = failure instanceof Error ? failure.message : String(failure);
      }
      if (isNew || error !== this.error) this.#tell();
    }
    this.#running = null;
  }

  /** Reads all slices of one version, anew when the server has dropped it meanwhile; whether it is another. */
  async #load(): Promise<boolean> {
    let first = await this.#ask(this.#version, 0, '');
    for (;;) {
      const again = first.since === '' ? await this.#takeWhole(first) : await this.#takeChanges(first);
      if (!again) break;
      first = again;
    }
    if (this.#isDisposed || first.version === this.#version) return false;
    this.#version = first.version;
    this.head = first.head;
    this.operation = first.operation;
    return true;
  }

  async #takeWhole(first: Slice): Promise<Slice | null> {
    const tree = new Tree();
    if (!this.isWhole) {
      this.tree = tree;
      this.head = first.head;
      this.operation = first.operation;
      this.total = first.total;
    }
    const again = await this.#follow(first, (slice) => {
      for (const row of slice.rows) tree.put(row);
      if (!this.isWhole) this.#tell();
    });
    if (!again) this.tree = tree;
    return again;
  }

  async #takeChanges(first: Slice): Promise<Slice | null> {
    const rows: FileState[] = [];
    const again = await this.#follow(first, (slice) => rows.push(...slice.rows));
    if (again) return again;
    const { tree } = this;
    await new Promise<void>((done) => inSlices(first.removed, (path) => tree.remove(path), done));
    await new Promise<void>((done) => inSlices(rows, (row) => tree.put(row), done));
    return null;
  }

  /** Hands over `first` and the slices after it; null at their end, or the first slice of another version. */
  async #follow(first: Slice, take: (slice: Slice) => void): Promise<Slice | null> {
    take(first);
    for (let { next } = first, at = 0; next !== null && next > at; ) {
      at = next;
      const slice = await this.#ask(first.since, at, first.version);
      if (slice.version !== first.version) return slice;
      take(slice);
      ({ next } = slice);
    }
    return null;
  }

  async #ask(since: string, start: number, version: string): Promise<Slice> {
    const answer = await this.rpc.rpcExtract('Repo.get_tree_rows', since, start, version);
    if (this.#isDisposed) throw new Error('The panel was closed.');
    return parseSlice(answer);
  }

  #tell(): void {
    if (!this.#isDisposed) this.changed();
  }
}

function parseSlice(raw: unknown): Slice {
  const answer = fields<TreeRows>(raw);
  return {
    version: text(answer.version),
    since: text(answer.since),
    head: text(answer.head),
    operation: text(answer.operation),
    total: number(answer.total),
    rows: list(answer.rows)
      .map(parseRow)
      .filter((row) => row.path !== ''),
    removed: strings(answer.removed),
    next: numberOrNull(answer.next),
  };
}

function parseRow(raw: unknown): FileState {
  const [path, , , flags, additions, deletions] = list(raw);
  return {
    path: text(path),
    flags: number(flags),
    additions: number(additions),
    deletions: number(deletions),
  };
}
