/** Flattens the tree into visible rows, and computes the state of their checkboxes. Pure. */

import type { PathMatches } from './path-filter.ts';
import type { Folder, Tree, TreeNode } from './tree.ts';

/** There may be tens of thousands: data that only visible rows need is not in it. */
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

export interface CheckboxState {
  readonly check: Check;
  /** Number of ticked and of sendable files: of a folder, the shown ones below it; of a file, 0 or 1. */
  readonly ticked: number;
  readonly sendable: number;
  /** The folder isn't loaded completely yet. */
  readonly isPartial: boolean;
}

/** All visible rows from top to bottom; with `matches`, only the matching ones. */
export function rowsOf(
  root: Folder,
  isExpanded: (path: string) => boolean,
  matches: PathMatches | null,
  childrenOf: (folder: Folder) => readonly TreeNode[] = (folder) => folder.children,
): Row[] {
  const rows: Row[] = [];
  const visit = (folder: Folder, level: number): void => {
    const children = childrenOf(folder);
    const shown = matches ? children.filter((node) => matches.has(node)) : children;
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

/** By how many rows the row at `index` has moved; for a removed row, the next remaining one counts. */
export function rowShift(index: number, before: readonly Row[], after: readonly Row[]): number {
  const places = new Map(after.map(({ node }, place) => [node.path, place]));
  for (let at = index; at < before.length; at += 1) {
    const place = places.get((before[at] as Row).node.path);
    if (place !== undefined) return place - index;
  }
  return 0;
}

/** Number of ticked, shown and sendable files below each folder, by its path. */
export function countTicked(
  tree: Tree,
  ticked: readonly string[],
  matches: PathMatches | null,
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

export function checkboxState(ticked: number, sendable: number, isPartial = false): CheckboxState {
  const check = ticked === 0 ? 'off' : ticked < sendable ? 'mixed' : 'on';
  return { check, ticked, sendable, isPartial };
}
