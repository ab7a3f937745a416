/** The tree as the list of rows that is on show, and the state of their boxes. Pure. */

import type { Matches } from './filter.ts';
import type { Folder, Tree, TreeNode } from './tree.ts';

/** There may be tens of thousands: what only a row in view needs is not in it. */
export interface Row {
  readonly node: TreeNode;
  /** 1 for the top level, as in `aria-level`. */
  readonly level: number;
  /** null for a file. */
  readonly isExpanded: boolean | null;
  readonly position: number;
  readonly siblings: number;
}

export type Check = 'on' | 'off' | 'mixed';

export interface Box {
  readonly check: Check;
  /** Ticked and all sendable files: of a folder, those on show below it; of a file, 0 or 1. */
  readonly ticked: number;
  readonly sendable: number;
  /** Not all that it is about is known yet. */
  readonly isPartial: boolean;
}

/** All rows on show, from top to bottom; with `matches` only what they have. */
export function rowsOf(root: Folder, isExpanded: (path: string) => boolean, matches: Matches | null): Row[] {
  const rows: Row[] = [];
  const visit = (folder: Folder, level: number): void => {
    const shown = matches ? folder.children.filter((node) => matches.has(node)) : folder.children;
    let position = 0;
    for (const node of shown) {
      position += 1;
      const isOpen = node.isDir ? isExpanded(node.path) : null;
      rows.push({ node, level, isExpanded: isOpen, position, siblings: shown.length });
      if (node.isDir && isOpen) visit(node, level + 1);
    }
  };
  visit(root, 1);
  return rows;
}

/** By how many rows the one with this `index` has moved; when it is gone, the next one takes its place. */
export function moveOf(index: number, before: readonly Row[], after: readonly Row[]): number {
  const places = new Map(after.map(({ node }, place) => [node.path, place]));
  for (let at = index; at < before.length; at += 1) {
    const place = places.get((before[at] as Row).node.path);
    if (place !== undefined) return place - index;
  }
  return 0;
}

/** How many files below each folder are ticked, by its path; of those on show that can be sent. */
export function countTicked(
  tree: Tree,
  ticked: readonly string[],
  matches: Matches | null,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const path of ticked) {
    const file = tree.files.get(path);
    if (!file?.isSendable || (matches && !matches.has(file))) continue;
    for (let folder: Folder | null = file.parent; folder; folder = folder.parent)
      counts.set(folder.path, (counts.get(folder.path) ?? 0) + 1);
  }
  return counts;
}

export function boxOf(ticked: number, sendable: number, isPartial = false): Box {
  const check = ticked === 0 ? 'off' : ticked < sendable ? 'mixed' : 'on';
  return { check, ticked, sendable, isPartial };
}
