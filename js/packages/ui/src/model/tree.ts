/** The repository's files as a tree: parsing, filtering, counting. Pure. */

import type { DiffStat, FileTree, Node } from '@jupyter-ac/link/rpc';
import { type Fields, fields, list, number, strings, text } from './wire.ts';

/** M modified, S staged, U untracked, D deleted, C in conflict. */
export type Badge = 'M' | 'S' | 'U' | 'D' | 'C';

export interface FileNode {
  readonly path: string;
  readonly name: string;
  readonly isDir: boolean;
  readonly children: readonly FileNode[];
  readonly lines: number;
  readonly isBinary: boolean;
  /** Whether its text can be sent: a file that exists, is no binary and no submodule. */
  readonly isSendable: boolean;
}

export interface Tree {
  readonly root: FileNode;
  readonly badges: ReadonlyMap<string, readonly Badge[]>;
  readonly stats: ReadonlyMap<string, { readonly additions: number; readonly deletions: number }>;
}

const EMPTY_ROOT: FileNode = {
  path: '',
  name: '',
  isDir: true,
  children: [],
  lines: 0,
  isBinary: false,
  isSendable: false,
};

export const EMPTY_TREE: Tree = { root: EMPTY_ROOT, badges: new Map(), stats: new Map() };

/** From the answer to `Repo.get_file_tree`. */
export function parseTree(raw: unknown): Tree {
  const answer = fields<FileTree>(raw);
  const deleted = new Set(strings(answer.deleted));
  return {
    root: answer.tree ? parseNode(fields<Node>(answer.tree), deleted) : EMPTY_ROOT,
    badges: parseBadges(answer),
    stats: parseStats(fields(answer.diff_stats)),
  };
}

function parseNode(raw: Fields<Node>, deleted: ReadonlySet<string>): FileNode {
  const isDir = raw.type === 'dir';
  const path = text(raw.path);
  const isBinary = raw.is_binary === true;
  return {
    path,
    name: text(raw.name, path),
    isDir,
    children: isDir ? list(raw.children).map((child) => parseNode(fields<Node>(child), deleted)) : [],
    lines: number(raw.lines),
    isBinary,
    isSendable: !isDir && !isBinary && raw.submodule !== true && !deleted.has(path),
  };
}

function parseBadges(answer: Fields<FileTree>): Map<string, Badge[]> {
  const badges = new Map<string, Badge[]>();
  const lists: [Badge, unknown][] = [
    ['C', answer.conflicted],
    ['S', answer.staged],
    ['M', answer.modified],
    ['D', answer.deleted],
    ['U', answer.untracked],
  ];
  for (const [badge, paths] of lists) {
    for (const path of strings(paths)) badges.set(path, [...(badges.get(path) ?? []), badge]);
  }
  return badges;
}

function parseStats(raw: Fields): Map<string, { additions: number; deletions: number }> {
  const entries = Object.entries(raw).map(([path, value]) => {
    const { additions, deletions } = fields<DiffStat>(value);
    return [path, { additions: number(additions), deletions: number(deletions) }] as const;
  });
  return new Map(entries);
}

/** All files below a node, in the order in which they are shown. */
export function filesBelow(node: FileNode): FileNode[] {
  return node.isDir ? node.children.flatMap(filesBelow) : [node];
}

/** Whether the letters of `query` come in `path` in this order, case aside. */
export function isSubsequence(query: string, path: string): boolean {
  let at = 0;
  const wanted = query.toLowerCase();
  const letters = path.toLowerCase();
  for (const letter of wanted) {
    at = letters.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** The tree with only the files that match; null when none does. */
export function filtered(node: FileNode, query: string): FileNode | null {
  if (!query) return node;
  if (!node.isDir) return isSubsequence(query, node.path) ? node : null;
  const children = node.children.flatMap((child) => filtered(child, query) ?? []);
  return children.length || node.path === '' ? { ...node, children } : null;
}

/** `a/b/c.py` → `a`, `a/b`. */
export function ancestors(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}
