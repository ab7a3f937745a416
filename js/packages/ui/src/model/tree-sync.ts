/**
 * Synchronises the tree of files with the server: a snapshot in pages at first, then changes.
 *
 * Invariant: `tree` is one complete version of the server's, except while the first one is loading. Changes are
 * therefore applied when their last page has arrived, and a second snapshot is built separately.
 */

import type { Rpc, TreeRows } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { Store } from './store.ts';
import { inSlices } from './time-slicing.ts';
import { type FileState, Tree } from './tree.ts';
import { fields, list, number, numberOrNull, strings, text } from './wire.ts';

interface Slice {
  readonly version: string;
  /** Version that the changes are relative to; '' for a snapshot. */
  readonly since: string;
  readonly head: string;
  readonly operation: string;
  readonly total: number;
  readonly rows: readonly FileState[];
  readonly removed: readonly string[];
  readonly next: number | null;
}

export class TreeSync extends Store {
  tree = new Tree();
  /** Branch and commit, as git prints them. */
  head = '';
  /** The merge, rebase or the like under way; '' for none. */
  operation = '';
  error = '';
  /** Number of files in the server's tree. */
  total = 0;
  /** Version of `tree`; '' until the first one is complete. */
  #version = '';
  #running: Promise<void> | null = null;
  #again = false;
  #isDisposed = false;

  constructor(private readonly rpc: Rpc) {
    super();
  }

  /** One version has been loaded completely. */
  get isWhole(): boolean {
    return this.#version !== '';
  }

  /** Fetches the changes. Calls during a request are combined into one request after it. */
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
      if (isNew || error !== this.error) this.#notify();
    }
    this.#running = null;
  }

  /** Reads all pages of one version, starting again if the server has dropped it; returns whether it is a new version. */
  async #load(): Promise<boolean> {
    let first = await this.#request(this.#version, 0, '');
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
    const again = await this.#readSlices(first, (slice) => {
      for (const row of slice.rows) tree.put(row);
      if (!this.isWhole) this.#notify();
    });
    if (!again) this.tree = tree;
    return again;
  }

  async #takeChanges(first: Slice): Promise<Slice | null> {
    const rows: FileState[] = [];
    const again = await this.#readSlices(first, (slice) => rows.push(...slice.rows));
    if (again) return again;
    const { tree } = this;
    await new Promise<void>((done) => inSlices(first.removed, (path) => tree.remove(path), done));
    await new Promise<void>((done) => inSlices(rows, (row) => tree.put(row), done));
    return null;
  }

  /** Passes `first` and the following pages to `take`; returns null at the end, or the first page of another version. */
  async #readSlices(first: Slice, take: (slice: Slice) => void): Promise<Slice | null> {
    take(first);
    for (let { next } = first, at = 0; next !== null && next > at; ) {
      at = next;
      const slice = await this.#request(first.since, at, first.version);
      if (slice.version !== first.version) return slice;
      take(slice);
      ({ next } = slice);
    }
    return null;
  }

  async #request(since: string, start: number, version: string): Promise<Slice> {
    const answer = await this.rpc.rpcExtract('Repo.get_tree_rows', since, start, version);
    if (this.#isDisposed) throw new Error(t('The panel was closed.'));
    return parseSlice(answer);
  }

  #notify(): void {
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
  const [path, lines, changedAt, flags, additions, deletions] = list(raw);
  return {
    path: text(path),
    lines: number(lines),
    changedAt: number(changedAt),
    flags: number(flags),
    additions: number(additions),
    deletions: number(deletions),
  };
}
