/** What the file picker shows: the tree, what is open in it, the filter, the row with the focus. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import { Matches } from './filter.ts';
import { type Box, boxOf, countTicked, type Row, rowsOf } from './rows.ts';
import type { SelectionStore } from './selection.ts';
import { type Dispose, Store } from './store.ts';
import { inSlices } from './time-slicing.ts';
import {
  changedFiles,
  type FileNode,
  FLAGS,
  type Folder,
  filesBelow,
  type Tree,
  type TreeNode,
} from './tree.ts';
import { TreeFeed } from './tree-feed.ts';

/** Up to this many files everything starts open. */
const OPEN_ALL = 150;
/** In a larger repository the folders of at most this many changed files start open. */
const OPEN_CHANGED = 30;
const UNSTAGED = FLAGS.modified | FLAGS.untracked | FLAGS.deleted | FLAGS.conflicted;

/** How many files of the first tree are here, and how many it has. */
export interface Progress {
  readonly loaded: number;
  readonly total: number;
}

export class FilesStore extends Store {
  filter = '';
  /** Path of the row that the keyboard was on last; see `current`. */
  active = '';
  readonly #feed: TreeFeed;
  #wasWhole = false;
  #isTouched = false;
  readonly #expanded = new Set<string>();
  #matches: Matches | null = null;
  #stopSearch: Dispose = () => {};
  #rows: readonly Row[] | null = null;
  #ticked: ReadonlyMap<string, number> | null = null;
  #unlisted: readonly string[] = [];
  readonly #stopListening: Dispose[];

  constructor(
    rpc: Rpc,
    readonly selection: SelectionStore,
  ) {
    super();
    this.#feed = new TreeFeed(rpc);
    this.#stopListening = [
      this.#feed.subscribe(() => this.#treeChanged()),
      selection.subscribe(() => this.#selectionChanged()),
      rpc.on('filesModified', () => void this.refresh()),
    ];
  }

  get tree(): Tree {
    return this.#feed.tree;
  }

  get branch(): string {
    return branchName(this.#feed.head);
  }

  /** The merge, rebase or the like under way; '' for none. */
  get operation(): string {
    return this.#feed.operation;
  }

  get error(): string {
    return this.#feed.error;
  }

  /** All files have been here once. */
  get isLoaded(): boolean {
    return this.#feed.isWhole;
  }

  /** Of the first tree, while it comes in; null before and after. */
  get progress(): Progress | null {
    const loaded = this.tree.files.size;
    return loaded && !this.isLoaded ? { loaded, total: this.#feed.total } : null;
  }

  get rows(): readonly Row[] {
    this.#rows ??= rowsOf(
      this.tree.root,
      (path) => this.#matches !== null || this.#expanded.has(path),
      this.#matches,
    );
    return this.#rows;
  }

  /** Ticked paths of which the tree has no file: they are gone, or git ignores them. */
  get unlisted(): readonly string[] {
    return this.#unlisted;
  }

  /** Index of the row that the keyboard is on: the first while the last one is not shown; -1 without rows. */
  get current(): number {
    const index = this.rows.findIndex((row) => row.node.path === this.active);
    return index < 0 && this.rows.length ? 0 : index;
  }

  boxOf(node: TreeNode): Box {
    if (!node.isDir) return boxOf(Number(this.selection.has(node.path)), Number(node.isSendable));
    this.#ticked ??= countTicked(this.tree, this.selection.paths, this.#matches);
    const sendable = this.#matches ? this.#matches.sendableBelow(node.path) : node.sendable;
    return boxOf(this.#ticked.get(node.path) ?? 0, sendable, this.#isPartial(node));
  }

  /** All that the file holds is staged or committed; false while nothing is known of it. */
  isStaged(path: string): boolean {
    const file = this.tree.files.get(path);
    return file !== undefined && (file.state.flags & UNSTAGED) === 0;
  }

  /** Asks for what has changed in the repository. */
  refresh(): Promise<void> {
    return this.#feed.refresh();
  }

  setFilter(filter: string): void {
    this.filter = filter;
    this.#search();
  }

  setActive(path: string): void {
    this.active = path;
    this.changed();
  }

  setExpanded(path: string, isExpanded: boolean): void {
    this.#isTouched = true;
    if (isExpanded) this.#expanded.add(path);
    else this.#expanded.delete(path);
    this.#redraw();
  }

  /** Ticks what is shown at or below `node`, or unticks it when all of it is ticked. */
  toggle(node: TreeNode): void {
    if (this.#isPartial(node)) return;
    const shown = filesBelow(node).filter((file) => !this.#matches || this.#matches.has(file));
    const paths = shown.filter((file) => file.isSendable).map((file) => file.path);
    // A file that was ticked and has been deleted since must still be possible to untick.
    const known = paths.length ? paths : [node.path].filter((path) => this.selection.has(path));
    const areAllTicked = known.every((path) => this.selection.has(path));
    this.selection.mark(known, !areAllTicked);
  }

  dispose(): void {
    this.#stopSearch();
    this.#feed.dispose();
    for (const stop of this.#stopListening) stop();
  }

  /** A folder whose files may not all be here: a tick of it would leave some out. */
  #isPartial(node: TreeNode): boolean {
    return node.isDir && !this.isLoaded;
  }

  #treeChanged(): void {
    if (this.isLoaded && !this.#wasWhole) this.#openFirst();
    this.#wasWhole = this.isLoaded;
    this.#unlisted = this.#missing();
    this.#search();
  }

  /** What the program ticks it has often just made: the tree that has it is still to come. */
  #selectionChanged(): void {
    const before = new Set(this.#unlisted);
    this.#unlisted = this.#missing().filter((path) => before.has(path) || !this.selection.isByProgram(path));
    this.#recount();
  }

  #missing(): string[] {
    if (!this.isLoaded || this.error) return [];
    return this.selection.paths.filter((path) => !this.tree.files.has(path));
  }

  /** Until it has looked at all files what it found last stays on show. */
  #search(): void {
    this.#stopSearch();
    const query = this.filter.trim();
    const matches = query ? new Matches(query) : null;
    const show = (): void => {
      this.#matches = matches;
      this.#redraw();
    };
    if (!matches) show();
    else this.#stopSearch = inSlices(this.tree.files.values(), (file) => matches.look(file), show);
  }

  /** Leaves a tree alone in which somebody has opened or closed something while it came in. */
  #openFirst(): void {
    if (this.#isTouched) return;
    const { files } = this.tree;
    const ticked = this.selection.paths.flatMap((path) => files.get(path) ?? []);
    const shown: Iterable<FileNode> =
      files.size <= OPEN_ALL ? files.values() : [...ticked, ...changedFiles(this.tree, OPEN_CHANGED)];
    for (const file of shown)
      for (let at: Folder | null = file.parent; at; at = at.parent) this.#expanded.add(at.path);
  }

  #redraw(): void {
    if (this.#rows && this.isLoaded && !this.tree.has(this.active)) this.#moveOn(this.#rows);
    this.#rows = null;
    this.#recount();
  }

  /** From a row that is gone to the next one of those that stood after it, else before it. */
  #moveOn(rows: readonly Row[]): void {
    const at = rows.findIndex((row) => row.node.path === this.active);
    const near = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0)).reverse()];
    if (at >= 0) this.active = near.find(({ node }) => this.tree.has(node.path))?.node.path ?? '';
  }

  #recount(): void {
    this.#ticked = null;
    this.changed();
  }
}

/** From the branch and the commit as `git status --branch` names them; a detached head goes by its commit. */
function branchName(head: string): string {
  const [branch = '', commit = ''] = head.split(' ');
  return branch === '(detached)' ? commit.slice(0, 7) : branch;
}
