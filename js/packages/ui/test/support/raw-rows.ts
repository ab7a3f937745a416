/** What `get_tree_rows` answers. */

import { flagsOf, type States } from './trees.ts';

/** A whole tree in one slice, unless `more` says something else. */
export function rawRows(paths: readonly string[], states: States = {}, more: object = {}): object {
  return {
    name: 'repo',
    version: 'e-1',
    since: '',
    head: headOf('main'),
    operation: null,
    total: paths.length,
    rows: paths.map((path) => [path, 1, 1.5, flagsOf(path, states)]),
    removed: [],
    next: null,
    ...more,
  };
}

/** The branch and the commit as git tells them; no branch is a detached head. */
export function headOf(branch: string, commit = 'abcdef0123456789'): string {
  return `${branch || '(detached)'} ${commit}`;
}
