import { describe, expect, it } from 'vitest';
import { parseBreakdown } from '../../src/model/breakdown.ts';
import { FLAGS, Tree, type TreeNode } from '../../src/model/tree.ts';
import {
  actionsOf,
  deleteConfirmation,
  discardConfirmation,
  newPath,
  refusalOf,
} from '../../src/picker/file-actions.ts';
import { BY_NAME, orderOf, parseSorting, type SortKey } from '../../src/picker/sorting.ts';

const IDLE = { isOffline: false, isStreaming: false, isCommitting: false, isReviewed: false, hasGit: true };

function treeOf(states: Readonly<Record<string, number>>): Tree {
  const tree = new Tree();
  for (const [path, flags] of Object.entries(states))
    tree.put({ path, flags, lines: 4, changedAt: 1, additions: 3, deletions: 2 });
  return tree;
}

function node(tree: Tree, path: string): TreeNode {
  const found = tree.files.get(path) ?? tree.root.folders.get(path);
  if (!found) throw new Error(path);
  return found;
}

const possible = (of: TreeNode, hindrances = IDLE) =>
  actionsOf(of, hindrances)
    .filter(({ refusal }) => refusal === '')
    .map(({ id }) => id);

describe('the actions on a file', () => {
  const tree = treeOf({
    'd/same.py': 0,
    'd/changed.py': FLAGS.modified,
    'd/new.py': FLAGS.untracked,
    staged: FLAGS.staged,
    gone: FLAGS.deleted,
    sub: FLAGS.submodule,
    'pic.png': FLAGS.binary,
  });

  it.each([
    ['d/same.py', ['open', 'rename', 'new-file', 'new-folder', 'delete']],
    ['d/changed.py', ['open', 'stage', 'discard', 'rename', 'new-file', 'new-folder', 'delete']],
    ['staged', ['open', 'unstage', 'discard', 'rename', 'new-file', 'new-folder', 'delete']],
    ['gone', ['stage', 'discard', 'new-file', 'new-folder']],
    ['sub', ['open', 'new-file', 'new-folder']],
    ['pic.png', ['rename', 'new-file', 'new-folder', 'delete']],
    ['d', ['stage', 'discard', 'rename', 'new-file', 'new-folder', 'delete']],
  ])('of %s are those that do something', (path, ids) => {
    expect(possible(node(tree, path))).toEqual(ids);
  });

  it.each([
    ['isOffline', 'no connection'],
    ['isStreaming', 'An answer is being made'],
    ['isCommitting', 'A commit is being made'],
    ['isReviewed', 'A review is open'],
  ])('are refused with the reason: %s', (name, reason) => {
    const hindrances = { ...IDLE, [name]: true };
    expect(refusalOf(hindrances)).toContain(reason);
    expect(possible(node(tree, 'd/changed.py'), hindrances)).toEqual(['open']);
  });
});

describe('a confirmation', () => {
  const tree = treeOf({
    'd/a.py': FLAGS.modified,
    'd/new\n.py': FLAGS.untracked,
    'd/same': 0,
    'd/gone': FLAGS.deleted,
  });

  it('of discarding names the file and what is lost', () => {
    const { question, loss } = discardConfirmation(node(tree, 'd/a.py'));
    expect(question).toBe('Discard the changes of d/a.py?');
    expect(loss).toBe(
      'The file becomes as in the last commit: 3 added lines and 2 removed lines are lost. This can’t be undone.',
    );
    expect(discardConfirmation(node(tree, 'd/gone')).loss).toContain('comes back');
    const unknown = discardConfirmation(node(tree, 'd/new\n.py'));
    expect(unknown.question).toContain('d/new');
    expect(unknown.question).not.toContain('\n');
    expect(unknown.loss).toContain('it is deleted');
    const all = discardConfirmation(node(tree, 'd'));
    expect(all.question).toBe('Discard the changes of 3 files in d?');
    expect(all.loss).toContain('1 file that git doesn’t track is deleted.');
  });

  it('of deleting in no repository says that nothing can be brought back', () => {
    expect(deleteConfirmation(node(tree, 'd/same'), false).loss).toContain('in no git repository');
    expect(deleteConfirmation(node(tree, 'd'), false).question).toBe('Delete d with 3 files?');
    expect(possible(node(tree, 'd/a.py'), { ...IDLE, hasGit: false })).toEqual([
      ...['open', 'rename', 'new-file', 'new-folder', 'delete'],
    ]);
  });

  it('of deleting says what can be brought back', () => {
    expect(deleteConfirmation(node(tree, 'd/same'), true).loss).toContain('can be brought back');
    expect(deleteConfirmation(node(tree, 'd/a.py'), true).loss).toContain('since the last commit are lost');
    expect(deleteConfirmation(node(tree, 'd/new\n.py'), true).loss).toContain('can’t be brought back');
    const { question, loss } = deleteConfirmation(node(tree, 'd'), true);
    expect(question).toBe('Delete d with 3 files?');
    expect(loss).toContain('2 files of them have changes');
  });

  it.each([
    ['d', 'x.py', 'd/x.py'],
    ['d', '/x.py', 'x.py'],
    ['', 'a/b/', 'a/b'],
    ['d', ' a b ', 'd/a b'],
  ])('in %s %s is %s', (folder, name, path) => {
    expect(newPath(folder, name)).toBe(path);
  });
});

describe('the order of files', () => {
  const tree = new Tree();
  const put = (path: string, lines: number, changedAt: number) =>
    tree.put({ path, lines, changedAt, flags: 0, additions: 0, deletions: 0 });
  put('b', 1, 30);
  put('a', 9, 10);
  put('c', 5, 20);
  const files = [...tree.files.values()];
  const breakdown = parseBreakdown({ breakdown: { files: 3, file_details: [{ path: 'c', tokens: 3 }] } });

  it.each([
    ['name', true, 'cba'],
    ['changed', false, 'bca'],
    ['changed', true, 'acb'],
    ['lines', false, 'acb'],
    ['tokens', false, 'cba'],
  ])('by %s, reversed %s, is %s', (key, isReversed, order) => {
    const compare = orderOf({ key: key as SortKey, isReversed }, breakdown);
    expect(
      [...files]
        .sort(compare ?? undefined)
        .map(({ name }) => name)
        .join(''),
    ).toBe(order);
  });

  it('is by name at first and with an unreadable setting', () => {
    expect(orderOf(BY_NAME, null)).toBeNull();
    for (const stored of [null, '', '{', '"x"', '{"key":"shoe size"}'])
      expect(parseSorting(stored)).toEqual(BY_NAME);
    expect(parseSorting('{"key":"lines","isReversed":true}')).toEqual({ key: 'lines', isReversed: true });
  });
});

describe('the actions on an excluded file', () => {
  const ids = (exclusion: 'none' | 'some' | 'all' | null) =>
    actionsOf(node(treeOf({ 'd/a.py': 0 }), 'd'), IDLE, exclusion)
      .map(({ id }) => id)
      .filter((id) => id === 'exclude' || id === 'include');

  it('exclude or include it, both of a folder that is partly excluded', () => {
    expect(ids('none')).toEqual(['exclude']);
    expect(ids('some')).toEqual(['exclude', 'include']);
    expect(ids('all')).toEqual(['include']);
    expect(ids(null)).toEqual([]);
  });

  it('are possible while an answer is being made, without a connection not', () => {
    const refusals = (hindrances: typeof IDLE) =>
      actionsOf(node(treeOf({ 'a.py': 0 }), 'a.py'), hindrances, 'none').find(({ id }) => id === 'exclude')
        ?.refusal;
    expect(refusals({ ...IDLE, isStreaming: true })).toBe('');
    expect(refusals({ ...IDLE, isOffline: true })).toContain('no connection');
  });
});
