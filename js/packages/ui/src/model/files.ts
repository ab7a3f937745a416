/** What the file picker shows: the tree, what is open in it, the filter, the row with the focus. */

import type { CurrentBranch, Rpc } from '@jupyter-ac/link/rpc';
import { countFiles, type Row, rowsOf } from './rows.ts';
import type { SelectionStore } from './selection.ts';
import { type Dispose, Store } from './store.ts';
import { ancestors, EMPTY_TREE, type FileNode, filesBelow, filtered, parseTree, type Tree } from './tree.ts';
import { fields, text } from './wire.ts';

/** Up to this many files everything starts open. */
const OPEN_ALL = 150;
/** In a larger repository the folders of at most this many changed files start open. */
const OPEN_CHANGED = 30;

export class FilesStore extends Store {
  tree: Tree = EMPTY_TREE;
  branch = '';
  filter = '';
  /** Path of the row that the keyboard was on last; see `current`. */
  active = '';
  isLoaded = false;
  error = '';
  #expanded = new Set<string>();
  #rows: readonly Row[] | null = null;
  #asked = 0;
  readonly #stopListening: Dispose[];

  constructor(
    private readonly rpc: Rpc,
    readonly selection: SelectionStore,
  ) {
    super();
    this.#stopListening = [
      selection.subscribe(() => this.#redraw()),
      rpc.on('filesModified', () => void this.refresh()),
    ];
  }

  get rows(): readonly Row[] {
    this.#rows ??= this.#makeRows();
    return this.#rows;
  }

  /** Index of the row that the keyboard is on: the first while the last one is not shown; -1 without rows. */
  get current(): number {
    const index = this.rows.findIndex((row) => row.node.path === this.active);
    return index < 0 && this.rows.length ? 0 : index;
  }

  /** Reads the tree again; of several at once the last answer wins. */
  async refresh(): Promise<void> {
    this.#asked += 1;
    const mine = this.#asked;
    try {
      const [tree, branch] = await Promise.all([
        this.rpc.rpcExtract('Repo.get_file_tree'),
        this.rpc.rpcExtract('Repo.get_current_branch'),
      ]);
      if (mine !== this.#asked) return;
      this.tree = parseTree(tree);
      this.branch = branchName(branch);
      this.error = '';
      if (!this.isLoaded) this.#openFirst();
      this.isLoaded = true;
    } catch (error) {
      if (mine !== this.#asked) return;
      this.error = error instanceof Error ? error.message : String(error);
    }
    this.#redraw();
  }

  setFilter(filter: string): void {
    this.filter = filter;
    this.#redraw();
  }

  setActive(path: string): void {
    this.active = path;
    this.changed();
  }

  setExpanded(path: string, isExpanded: boolean): void {
    if (isExpanded) this.#expanded.add(path);
    else this.#expanded.delete(path);
    this.#redraw();
  }

  /** Ticks what is shown at or below `node`, or unticks it when all of it is ticked. */
  toggle(node: FileNode): void {
    const paths = filesBelow(node).flatMap((file) => (file.isSendable ? file.path : []));
    // A file that was ticked and has been deleted since must still be possible to untick.
    const known = paths.length ? paths : [node.path].filter((path) => this.selection.has(path));
    const areAllTicked = known.every((path) => this.selection.has(path));
    this.selection.mark(known, !areAllTicked);
  }

  dispose(): void {
    this.#asked += 1;
    for (const stop of this.#stopListening) stop();
  }

  #makeRows(): Row[] {
    const root = filtered(this.tree.root, this.filter.trim()) ?? EMPTY_TREE.root;
    const isTicked = (path: string) => this.selection.has(path);
    return rowsOf({
      tree: this.tree,
      root,
      counts: countFiles(root, isTicked),
      isTicked,
      isExpanded: (path) => this.filter.trim() !== '' || this.#expanded.has(path),
    });
  }

  #openFirst(): void {
    const files = filesBelow(this.tree.root);
    const changed = [...this.tree.badges.keys()].slice(0, OPEN_CHANGED);
    const shown =
      files.length <= OPEN_ALL ? files.map((file) => file.path) : [...this.selection.paths, ...changed];
    this.#expanded = new Set(shown.flatMap(ancestors));
  }

  #redraw(): void {
    this.#rows = null;
    this.changed();
  }
}

function branchName(raw: unknown): string {
  const { branch, sha, detached } = fields<CurrentBranch>(raw);
  return detached === true ? text(sha).slice(0, 7) : text(branch);
}
