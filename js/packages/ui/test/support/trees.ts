/** Trees without a server. */

import { FLAGS, Tree } from '../../src/model/tree.ts';

type Flag = keyof typeof FLAGS;

/** Which paths have which flag. */
export type States = Partial<Record<Flag, readonly string[]>>;

export function flagsOf(path: string, states: States): number {
  const flags = (Object.keys(FLAGS) as Flag[]).filter((flag) => states[flag]?.includes(path));
  return flags.reduce((sum, flag) => sum | FLAGS[flag], 0);
}

export function treeOf(paths: readonly string[], states: States = {}): Tree {
  const tree = new Tree();
  for (const path of paths)
    tree.put({ path, flags: flagsOf(path, states), lines: 1, changedAt: 0, additions: 0, deletions: 0 });
  return tree;
}
