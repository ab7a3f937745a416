/** Mutable tree of the repository's files: a change costs the same however many files there are. */

/** M modified, S staged, U untracked, D deleted, C in conflict. */
export type Badge = 'M' | 'S' | 'U' | 'D' | 'C';

/** Bits of a row's `flags` in `Repo.get_tree_rows`. */
export const FLAGS = {
  modified: 1,
  staged: 2,
  untracked: 4,
  deleted: 8,
  conflicted: 16,
  binary: 32,
  submodule: 64,
} as const;

/** In display order. */
const BADGES: readonly (readonly [Badge, number])[] = [
  ['C', FLAGS.conflicted],
  ['S', FLAGS.staged],
  ['M', FLAGS.modified],
  ['D', FLAGS.deleted],
  ['U', FLAGS.untracked],
];
const UNSENDABLE = FLAGS.deleted | FLAGS.binary | FLAGS.submodule;

/** State of a file from the server. */
export interface FileState {
  readonly path: string;
  readonly lines: number;
  /** Time of the last change, in seconds since 1970; 0 for a deleted file. */
  readonly changedAt: number;
  readonly flags: number;
  readonly additions: number;
  readonly deletions: number;
}

export class FileNode {
  readonly isDir = false;

  constructor(
    readonly parent: Folder,
    readonly name: string,
    public state: FileState,
  ) {}

  get path(): string {
    return this.state.path;
  }

  get isBinary(): boolean {
    return (this.state.flags & FLAGS.binary) !== 0;
  }

  /** Whether its text can be sent: it exists, and is neither binary nor a submodule. */
  get isSendable(): boolean {
    return (this.state.flags & UNSENDABLE) === 0;
  }

  get badges(): readonly Badge[] {
    return BADGES.flatMap(([badge, bit]) => (this.state.flags & bit ? badge : []));
  }
}

export class Folder {
  readonly isDir = true;
  readonly folders = new Map<string, Folder>();
  readonly files = new Map<string, FileNode>();
  /** Number of sendable files below it. */
  sendable = 0;
  #children: readonly TreeNode[] | null = null;

  constructor(
    readonly parent: Folder | null,
    readonly name: string,
    readonly path: string,
  ) {}

  /** Folders first; each kind sorted by code points. */
  get children(): readonly TreeNode[] {
    this.#children ??= [...sorted(this.folders.values()), ...sorted(this.files.values())];
    return this.#children;
  }

  /** Invalidates the sorted children, after an entry was added or removed. */
  reorder(): void {
    this.#children = null;
  }
}

export type TreeNode = Folder | FileNode;

export class Tree {
  readonly root = new Folder(null, '', '');
  readonly files = new Map<string, FileNode>();
  readonly #folders = new Map<string, Folder>([['', this.root]]);

  /** Whether there is such a file or folder. */
  has(path: string): boolean {
    return this.files.has(path) || this.#folders.has(path);
  }

  get(path: string): TreeNode | undefined {
    return this.files.get(path) ?? this.#folders.get(path);
  }

  /** Adds a file, or changes the one that is there. */
  put(state: FileState): void {
    const known = this.files.get(state.path);
    if (known) {
      const was = known.isSendable;
      known.state = state;
      if (was !== known.isSendable) count(known, was ? -1 : 1);
      return;
    }
    const [above, name] = split(state.path);
    const parent = this.#folder(above);
    const file = new FileNode(parent, name, state);
    this.files.set(state.path, file);
    parent.files.set(name, file);
    parent.reorder();
    if (file.isSendable) count(file, 1);
  }

  /** Removes a file, and the folders that become empty. */
  remove(path: string): void {
    const file = this.files.get(path);
    if (!file) return;
    if (file.isSendable) count(file, -1);
    this.files.delete(path);
    file.parent.files.delete(file.name);
    file.parent.reorder();
    this.#prune(file.parent);
  }

  #folder(path: string): Folder {
    const known = this.#folders.get(path);
    if (known) return known;
    const [above, name] = split(path);
    const parent = this.#folder(above);
    const folder = new Folder(parent, name, path);
    this.#folders.set(path, folder);
    parent.folders.set(name, folder);
    parent.reorder();
    return folder;
  }

  #prune(folder: Folder): void {
    const { parent } = folder;
    if (!parent || folder.files.size || folder.folders.size) return;
    this.#folders.delete(folder.path);
    parent.folders.delete(folder.name);
    parent.reorder();
    this.#prune(parent);
  }
}

/** All files below a node, in the order in which they are shown. */
export function filesBelow(node: TreeNode): FileNode[] {
  const found: FileNode[] = [];
  const visit = (at: TreeNode): void => {
    if (at.isDir) at.children.forEach(visit);
    else found.push(at);
  };
  visit(node);
  return found;
}

/** At most `count` changed files, the most important kinds of change first. */
export function changedFiles(tree: Tree, count: number): FileNode[] {
  const found = new Set<FileNode>();
  for (const [, bit] of BADGES) {
    for (const file of tree.files.values()) {
      if (found.size >= count) return [...found];
      if (file.state.flags & bit) found.add(file);
    }
  }
  return [...found];
}

function count(file: FileNode, by: number): void {
  for (let folder: Folder | null = file.parent; folder; folder = folder.parent) folder.sendable += by;
}

/** `a/b/c.py` → `a/b` and `c.py`. */
function split(path: string): [above: string, name: string] {
  const cut = path.lastIndexOf('/');
  return [path.slice(0, Math.max(cut, 0)), path.slice(cut + 1)];
}

function sorted<Node extends TreeNode>(nodes: Iterable<Node>): Node[] {
  return [...nodes].sort((one, other) => byCodePoint(one.name, other.name));
}

/** Compares like Python, by code points; `<` compares UTF-16 units, which sorts U+10000 and above before U+E000. */
export function byCodePoint(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  for (let at = 0; at < end; at += 1) {
    const [left, right] = [one.charCodeAt(at), other.charCodeAt(at)];
    if (left !== right) return rank(left) - rank(right);
  }
  return one.length - other.length;
}

/** Surrogates come last: they stand for the highest code points. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
