/** Store of the file picker: the tree, its expanded folders, the filter, the active row. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import { ExcludedStore } from './excluded.ts';
import { PathMatches } from './path-filter.ts';
import type { SelectionStore } from './selection.ts';
import { type Dispose, Store } from './store.ts';
import { inSlices } from './time-slicing.ts';
import {
  byCodePoint,
  changedFiles,
  type FileNode,
  FLAGS,
  type Folder,
  filesBelow,
  type Tree,
  type TreeNode,
} from './tree.ts';
import { type CheckboxState, checkboxState, countTicked, type Row, rowsOf } from './tree-rows.ts';
import { TreeSync } from './tree-sync.ts';

/** Up to this many files, all folders start expanded. */
const OPEN_ALL = 150;
/** In a larger repository, the folders of at most this many changed files start expanded. */
const OPEN_CHANGED = 30;
const UNSTAGED = FLAGS.modified | FLAGS.untracked | FLAGS.deleted | FLAGS.conflicted;

/** Compares two files of a folder; 0 for the order of their names. */
export type FileOrder = (one: FileNode, other: FileNode) => number;

/** Files loaded of the first tree, and their total. */
export interface Progress {
  readonly loaded: number;
  readonly total: number;
}

export class FilesStore extends Store {
  readonly excluded: ExcludedStore;
  filter = '';
  /** Path of the row that was active last; see `current`. */
  active = '';
  readonly #sync: TreeSync;
  #wasWhole = false;
  #wasExpandedByHand = false;
  readonly #expanded = new Set<string>();
  #matches: PathMatches | null = null;
  #stopSearch: Dispose = () => {};
  /** The filter by which the rows are shown. */
  #searched = '';
  #rows: readonly Row[] | null = null;
  /** Order of the files in their folder; null: by name. */
  #order: FileOrder | null = null;
  #ordered = new WeakMap<Folder, readonly TreeNode[]>();
  #ticked: ReadonlyMap<string, number> | null = null;
  #excludedCount: number | null = null;
  #unlisted: readonly string[] = [];
  readonly #stopListening: Dispose[];

  constructor(
    rpc: Rpc,
    readonly selection: SelectionStore,
  ) {
    super();
    this.excluded = new ExcludedStore(rpc);
    selection.isExcluded = (path) => this.excluded.of(path) === 'all';
    this.#sync = new TreeSync(rpc);
    this.#stopListening = [
      this.#sync.subscribe(() => this.#treeChanged()),
      selection.subscribe(() => this.#selectionChanged()),
      this.excluded.subscribe(() => this.#recount()),
      () => this.excluded.dispose(),
      rpc.on('filesModified', () => void this.refresh()),
    ];
  }

  get tree(): Tree {
    return this.#sync.tree;
  }

  get branch(): string {
    return branchName(this.#sync.head);
  }

  /** The merge, rebase or the like under way; '' for none. */
  get operation(): string {
    return this.#sync.operation;
  }

  get error(): string {
    return this.#sync.error;
  }

  /** A whole tree has been loaded once. */
  get isLoaded(): boolean {
    return this.#sync.isWhole;
  }

  /** Progress of loading the first tree; null before and after. */
  get progress(): Progress | null {
    const loaded = this.tree.files.size;
    return loaded && !this.isLoaded ? { loaded, total: this.#sync.total } : null;
  }

  get rows(): readonly Row[] {
    this.#rows ??= rowsOf(
      this.tree.root,
      (path) => this.#matches !== null || this.#expanded.has(path),
      this.#matches,
      this.#order ? this.#childrenInOrder : undefined,
    );
    return this.#rows;
  }

  /** Ticked paths that aren't in the tree: deleted, or ignored by git. */
  get unlisted(): readonly string[] {
    return this.#unlisted;
  }

  /** Index of the active row; the first row when the active one isn't shown; -1 without rows. */
  get current(): number {
    const index = this.rows.findIndex((row) => row.node.path === this.active);
    return index < 0 && this.rows.length ? 0 : index;
  }

  checkbox(node: TreeNode): CheckboxState {
    const isOut = this.excluded.of(node.path) === 'all';
    if (!node.isDir)
      return checkboxState(Number(!isOut && this.selection.has(node.path)), Number(node.isSendable));
    this.#ticked ??= countTicked(this.tree, this.selection.paths, this.#matches);
    const sendable = this.#matches ? this.#matches.sendableBelow(node.path) : node.sendable;
    const ticked = isOut ? 0 : (this.#ticked.get(node.path) ?? 0);
    return checkboxState(ticked, sendable, this.#isPartial(node));
  }

  /** Whether the whole file is staged or committed; false for an unknown file. */
  isStaged(path: string): boolean {
    const file = this.tree.files.get(path);
    return file !== undefined && (file.state.flags & UNSTAGED) === 0;
  }

  /** Fetches the changes of the tree. */
  refresh(): Promise<void> {
    return this.#sync.refresh();
  }

  setFilter(filter: string): void {
    this.filter = filter;
    this.#search();
  }

  /** Sorts the files in each folder; folders stay first, by name. */
  setOrder(order: FileOrder | null): void {
    if (order === this.#order) return;
    this.#order = order;
    this.#ordered = new WeakMap();
    this.#redraw();
  }

  /** Opens or closes all folders. */
  setAllExpanded(isExpanded: boolean): void {
    this.#wasExpandedByHand = true;
    this.#expanded.clear();
    if (isExpanded) for (const file of this.tree.files.values()) this.#expandAbove(file);
    this.#redraw();
  }

  #expandAbove(file: FileNode): void {
    for (let at: Folder | null = file.parent; at && !this.#expanded.has(at.path); at = at.parent)
      this.#expanded.add(at.path);
  }

  /** Opens the folders above a path, and makes it the active row. */
  reveal(path: string): void {
    this.#wasExpandedByHand = true;
    for (let end = path.indexOf('/'); end > 0; end = path.indexOf('/', end + 1))
      this.#expanded.add(path.slice(0, end));
    this.active = path;
    this.#redraw();
  }

  setActive(path: string): void {
    this.active = path;
    this.changed();
  }

  setExpanded(path: string, isExpanded: boolean): void {
    this.#wasExpandedByHand = true;
    if (isExpanded) this.#expanded.add(path);
    else this.#expanded.delete(path);
    this.#redraw();
  }

  /** The file that matches the filter best; null without one, and until all files have been looked at. */
  get best(): FileNode | null {
    return this.#searched === this.filter.trim() ? (this.#matches?.best ?? null) : null;
  }

  /**
   * Ticks the shown files at or below `node`, or unticks them when all are ticked; without those that are excluded. One
   * that is excluded itself has to be included first.
   */
  toggle(node: TreeNode): void {
    if (this.#isPartial(node)) return;
    const shown = filesBelow(node).filter((file) => !this.#matches || this.#matches.has(file));
    const paths = shown
      .filter((file) => file.isSendable && this.excluded.of(file.path) === 'none')
      .map((file) => file.path);
    // A ticked file that has been deleted since must still be untickable.
    const known = paths.length ? paths : [node.path].filter((path) => this.selection.has(path));
    const areAllTicked = known.every((path) => this.selection.has(path));
    this.selection.mark(known, !areAllTicked);
  }

  /** Number of files that are excluded; of those that the tree has. */
  get excludedCount(): number {
    this.#excludedCount ??= this.excluded.paths.reduce((sum, path) => {
      const node = this.tree.get(path);
      return sum + (node ? filesBelow(node).length : 0);
    }, 0);
    return this.#excludedCount;
  }

  dispose(): void {
    this.#stopSearch();
    this.#sync.dispose();
    for (const stop of this.#stopListening) stop();
  }

  /** A folder that may not be loaded completely: ticking it would leave files out. */
  #isPartial(node: TreeNode): boolean {
    return node.isDir && !this.isLoaded;
  }

  readonly #childrenInOrder = (folder: Folder): readonly TreeNode[] => {
    const known = this.#ordered.get(folder);
    if (known) return known;
    const folders = folder.children.filter(({ isDir }) => isDir);
    const files = [...folder.files.values()].sort(
      (one, other) => this.#order?.(one, other) || byCodePoint(one.name, other.name),
    );
    const ordered = [...folders, ...files];
    this.#ordered.set(folder, ordered);
    return ordered;
  };

  #treeChanged(): void {
    this.#ordered = new WeakMap();
    if (this.isLoaded && !this.#wasWhole) this.#expandInitially();
    this.#wasWhole = this.isLoaded;
    this.#unlisted = this.#missing();
    this.#search();
  }

  /** A path ticked by the program is often a new file that the tree doesn't contain yet: not reported as unlisted. */
  #selectionChanged(): void {
    const before = new Set(this.#unlisted);
    this.#unlisted = this.#missing().filter((path) => before.has(path) || !this.selection.isByProgram(path));
    this.#recount();
  }

  #missing(): string[] {
    if (!this.isLoaded || this.error) return [];
    return this.selection.paths.filter((path) => !this.tree.files.has(path));
  }

  /** Filters in time slices; the previous result stays until all files have been matched. */
  #search(): void {
    this.#stopSearch();
    const query = this.filter.trim();
    const matches = query ? new PathMatches(query) : null;
    const show = (): void => {
      this.#matches = matches;
      this.#searched = query;
      this.#redraw();
    };
    if (!matches) show();
    else this.#stopSearch = inSlices(this.tree.files.values(), (file) => matches.add(file), show);
  }

  /** Expands the first folders, unless the user expanded or collapsed some while the tree was loading. */
  #expandInitially(): void {
    if (this.#wasExpandedByHand) return;
    const { files } = this.tree;
    const ticked = this.selection.paths.flatMap((path) => files.get(path) ?? []);
    const shown: Iterable<FileNode> =
      files.size <= OPEN_ALL ? files.values() : [...ticked, ...changedFiles(this.tree, OPEN_CHANGED)];
    for (const file of shown) this.#expandAbove(file);
  }

  #redraw(): void {
    if (this.#rows && this.isLoaded && !this.tree.has(this.active)) this.#moveActive(this.#rows);
    this.#rows = null;
    this.#recount();
  }

  /** Moves the active row, when it is gone, to the next remaining one after it, else before it. */
  #moveActive(rows: readonly Row[]): void {
    const at = rows.findIndex((row) => row.node.path === this.active);
    const near = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0)).reverse()];
    if (at >= 0) this.active = near.find(({ node }) => this.tree.has(node.path))?.node.path ?? '';
  }

  #recount(): void {
    this.#ticked = null;
    this.#excludedCount = null;
    this.changed();
  }
}

/** Name of the branch, or the short commit of a detached HEAD; from the text of `git status --branch`. */
function branchName(head: string): string {
  const [branch = '', commit = ''] = head.split(' ');
  return branch === '(detached)' ? commit.slice(0, 7) : branch;
}
