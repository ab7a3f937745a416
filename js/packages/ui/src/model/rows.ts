/** The tree as the list of rows that is on show, each with the state of its box. Pure. */

import { ancestors, type Badge, type FileNode, filesBelow, type Tree } from './tree.ts';

export type Check = 'on' | 'off' | 'mixed';

export interface Row {
  readonly node: FileNode;
  /** 1 for the top level, as in `aria-level`. */
  readonly level: number;
  /** null for a file. */
  readonly isExpanded: boolean | null;
  readonly check: Check;
  /** Ticked and all sendable files: of a folder, below it; of a file, 0 or 1. */
  readonly ticked: number;
  readonly sendable: number;
  readonly badges: readonly Badge[];
  readonly additions: number;
  readonly deletions: number;
  readonly position: number;
  readonly siblings: number;
}

export interface Counts {
  readonly ticked: ReadonlyMap<string, number>;
  readonly sendable: ReadonlyMap<string, number>;
}

/** For each folder below `root` (and `''`, the root) how many files it has, and how many are ticked. */
export function countFiles(root: FileNode, isTicked: (path: string) => boolean): Counts {
  const ticked = new Map<string, number>();
  const sendable = new Map<string, number>();
  for (const file of filesBelow(root)) {
    if (!file.isSendable) continue;
    for (const folder of ['', ...ancestors(file.path)]) {
      sendable.set(folder, (sendable.get(folder) ?? 0) + 1);
      if (isTicked(file.path)) ticked.set(folder, (ticked.get(folder) ?? 0) + 1);
    }
  }
  return { ticked, sendable };
}

export function checkOf(ticked: number, sendable: number): Check {
  if (ticked === 0) return 'off';
  return ticked === sendable ? 'on' : 'mixed';
}

export interface RowView {
  readonly tree: Tree;
  /** The tree's root, or what the filter left of it. */
  readonly root: FileNode;
  readonly counts: Counts;
  isTicked(path: string): boolean;
  isExpanded(path: string): boolean;
}

/** All rows on show, from top to bottom. */
export function rowsOf(view: RowView): Row[] {
  const rows: Row[] = [];
  const visit = (siblings: readonly FileNode[], level: number): void => {
    siblings.forEach((node, index) => {
      const isExpanded = node.isDir ? view.isExpanded(node.path) : null;
      rows.push(rowOf(view, node, { level, isExpanded, position: index + 1, siblings: siblings.length }));
      if (isExpanded) visit(node.children, level + 1);
    });
  };
  visit(view.root.children, 1);
  return rows;
}

type Standing = Pick<Row, 'level' | 'isExpanded' | 'position' | 'siblings'>;

function rowOf(view: RowView, node: FileNode, standing: Standing): Row {
  const own = view.isTicked(node.path) ? 1 : 0;
  const ticked = node.isDir ? (view.counts.ticked.get(node.path) ?? 0) : own;
  const sendable = node.isDir ? (view.counts.sendable.get(node.path) ?? 0) : Number(node.isSendable);
  const stats = view.tree.stats.get(node.path);
  return {
    ...standing,
    node,
    ticked,
    sendable,
    check: node.isDir ? checkOf(ticked, sendable) : own ? 'on' : 'off',
    badges: view.tree.badges.get(node.path) ?? [],
    additions: stats?.additions ?? 0,
    deletions: stats?.deletions ?? 0,
  };
}
