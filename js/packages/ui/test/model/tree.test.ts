import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSubsequence, PathMatches } from '../../src/model/path-filter.ts';
import {
  byCodePoint,
  changedFiles,
  type Folder,
  filesBelow,
  type Tree,
  type TreeNode,
} from '../../src/model/tree.ts';
import { checkboxState, countTicked, rowShift, rowsOf } from '../../src/model/tree-rows.ts';
import { treeOf } from '../support/trees.ts';

const segment = fc.stringMatching(/^[a-d]{1,2}$/);
/** Folders and files never share a name: files end in `.f`. */
const somePaths = fc.uniqueArray(
  fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.f`),
  { maxLength: 30 },
);
const pathsOf = (files: readonly TreeNode[]) => files.map((file) => file.path);
const folderOf = (tree: Tree, name: string): Folder => {
  const folder = tree.root.folders.get(name);
  if (!folder) throw new Error(`there is no folder ${name}`);
  return folder;
};
const found = (tree: Tree, query: string): PathMatches => {
  const matches = new PathMatches(query);
  for (const file of tree.files.values()) matches.add(file);
  return matches;
};
/** All of a tree that can be seen of it. */
const picture = (tree: Tree) =>
  rowsOf(tree.root, () => true, null).map(({ node, level, position, siblings }) => {
    return [node.path, level, position, siblings, node.isDir ? node.sendable : node.state.flags];
  });

describe('the tree', () => {
  it('has every file once, whatever the folders', () => {
    fc.assert(
      fc.property(somePaths, (paths) => {
        expect(pathsOf(filesBelow(treeOf(paths).root)).sort()).toEqual([...paths].sort());
      }),
    );
  });

  it('is the same after any changes as one that is made at once', () => {
    const state = fc.constantFrom('modified', 'binary', 'deleted', 'removed', 'plain');
    const changes = fc.array(fc.tuple(somePaths, state), { maxLength: 6 });
    fc.assert(
      fc.property(changes, (steps) => {
        const tree = treeOf([]);
        const flags = new Map<string, number>();
        for (const [paths, name] of steps) {
          for (const path of paths) {
            if (name === 'removed') {
              tree.remove(path);
              flags.delete(path);
              continue;
            }
            const bits = { modified: 1, binary: 32, deleted: 8, plain: 0 }[name];
            tree.put({ path, flags: bits, lines: 1, changedAt: 0, additions: 0, deletions: 0 });
            flags.set(path, bits);
          }
          // Looking at it in between must not freeze an order.
          picture(tree);
        }
        const afresh = treeOf([]);
        for (const [path, bits] of flags)
          afresh.put({ path, flags: bits, lines: 1, changedAt: 0, additions: 0, deletions: 0 });
        expect(picture(tree)).toEqual(picture(afresh));
      }),
    );
  });

  it('has folders before files, each in the order of their code points', () => {
    const names = ['b', 'a', 'B', 'ä', '\uff5a', '\u{1f600}', 'a b', 'a-b', '.x', '_'];
    const python = ['.x', 'B', '_', 'a', 'a b', 'a-b', 'b', 'ä', '\uff5a', '\u{1f600}'];
    const { root } = treeOf(names.flatMap((name) => [`${name}/in`, `${name}.f`]));
    const ended = (end: string) => python.map((name) => `${name}${end}`).sort(byCodePoint);
    expect(pathsOf(root.children)).toEqual([...python, ...ended('.f')]);
  });

  it('orders strings as their lists of code points are ordered', () => {
    const points = (text: string) => [...text].map((sign) => sign.codePointAt(0) ?? 0);
    const plain = (one: string, other: string): number => {
      const [left, right] = [points(one), points(other)];
      const at = left.findIndex((point, index) => point !== right[index]);
      if (at < 0) return left.length - right.length;
      return at < right.length ? (left[at] ?? 0) - (right[at] ?? 0) : 1;
    };
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\ue000', '\uffff', '\u{10000}') });
    fc.assert(
      fc.property(word, word, (one, other) => {
        expect(Math.sign(byCodePoint(one, other))).toBe(Math.sign(plain(one, other)));
      }),
    );
  });

  it('takes the folders away that a removed file leaves empty', () => {
    const tree = treeOf(['a/b/c/one', 'a/two']);
    tree.remove('a/b/c/one');
    expect(picture(tree).map(([path]) => path)).toEqual(['a', 'a/two']);
    tree.remove('nothing/like/it');
    tree.remove('a/two');
    expect(tree.root.children).toEqual([]);
  });

  it('lets a file take the name of a folder that is gone, and the other way round', () => {
    const tree = treeOf(['a/b']);
    tree.remove('a/b');
    tree.put({ path: 'a', flags: 0, lines: 1, changedAt: 0, additions: 0, deletions: 0 });
    expect(picture(tree)).toEqual([['a', 1, 1, 1, 0]]);
    tree.remove('a');
    tree.put({ path: 'a/c', flags: 0, lines: 1, changedAt: 0, additions: 0, deletions: 0 });
    expect(picture(tree).map(([path]) => path)).toEqual(['a', 'a/c']);
  });

  it('takes a path of a thousand folders', () => {
    const tree = treeOf([`${'d/'.repeat(1000)}deep`]);
    expect(rowsOf(tree.root, () => true, null)).toHaveLength(1001);
    expect(filesBelow(tree.root)).toHaveLength(1);
  });

  it('knows the badges, one file may have several', () => {
    const { files } = treeOf(['a', 'b'], {
      modified: ['a'],
      staged: ['a'],
      untracked: ['b'],
      conflicted: ['a'],
    });
    expect(files.get('a')?.badges).toEqual(['C', 'S', 'M']);
    expect(files.get('b')?.badges).toEqual(['U']);
  });

  it('offers no deleted, binary or submodule file for ticking', () => {
    const { root } = treeOf(['gone', 'picture', 'sub', 'text'], {
      deleted: ['gone'],
      binary: ['picture'],
      submodule: ['sub'],
    });
    expect(filesBelow(root).flatMap((file) => (file.isSendable ? file.path : []))).toEqual(['text']);
    expect(root.sendable).toBe(1);
  });

  it('tells of the changed files those first whose change matters most', () => {
    const tree = treeOf(['a', 'b', 'c', 'd'], { untracked: ['a'], modified: ['b', 'c'], staged: ['c'] });
    expect(pathsOf(changedFiles(tree, 9))).toEqual(['c', 'b', 'a']);
    expect(pathsOf(changedFiles(tree, 2))).toEqual(['c', 'b']);
  });
});

describe('the filter', () => {
  it('finds every path by letters taken from it in order, whatever their case', () => {
    const pathAndLetters = fc
      .string({ minLength: 1, maxLength: 20 })
      .chain((path) => fc.tuple(fc.constant(path), fc.subarray([...path.toLowerCase()])));
    fc.assert(
      fc.property(pathAndLetters, ([path, letters]) => {
        expect(isSubsequence(letters.join(''), path)).toBe(true);
      }),
    );
  });

  it('agrees with a plain definition of subsequence', () => {
    const plain = (query: string, path: string): boolean => {
      let left = query;
      for (const letter of path) if (left.startsWith(letter)) left = left.slice(letter.length);
      return left === '';
    };
    const word = fc.stringMatching(/^[a-c/]{0,8}$/);
    fc.assert(fc.property(word, word, (query, path) => isSubsequence(query, path) === plain(query, path)));
  });

  it('leaves just the files that match, and no empty folder', () => {
    fc.assert(
      fc.property(somePaths, segment, (paths, query) => {
        const tree = treeOf(paths);
        const rows = rowsOf(tree.root, () => true, found(tree, query.toUpperCase()));
        const expected = paths.filter((path) => isSubsequence(query, path));
        const folders = expected.flatMap((path) => {
          const parts = path.split('/').slice(0, -1);
          return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
        });
        expect(pathsOf(rows.map((row) => row.node)).sort()).toEqual(
          [...expected, ...new Set(folders)].sort(),
        );
      }),
    );
  });
});

describe('the boxes', () => {
  it('of a folder: off without a tick below, on with all, mixed in between', () => {
    fc.assert(
      fc.property(
        somePaths.chain((paths) => fc.tuple(fc.constant(paths), fc.subarray(paths))),
        ([paths, ticked]) => {
          const tree = treeOf(paths);
          const counts = countTicked(tree, [...ticked, 'gone'], null);
          for (const { node } of rowsOf(tree.root, () => true, null)) {
            if (!node.isDir) continue;
            const below = paths.filter((path) => path.startsWith(`${node.path}/`));
            const count = below.filter((path) => ticked.includes(path)).length;
            expect(node.sendable).toBe(below.length);
            const { check } = checkboxState(counts.get(node.path) ?? 0, node.sendable);
            expect(check).toBe(count === 0 ? 'off' : count === below.length ? 'on' : 'mixed');
          }
        },
      ),
    );
  });

  it('count under a filter only what it leaves', () => {
    const tree = treeOf(['src/apple', 'src/berry', 'src/grape.png'], { binary: ['src/grape.png'] });
    const matches = found(tree, 'ap');
    expect(matches.sendableBelow('src')).toBe(1);
    expect(countTicked(tree, ['src/berry', 'src/apple'], matches).get('src')).toBe(1);
    expect(matches.has(folderOf(tree, 'src'))).toBe(true);
    expect(found(tree, 'zz').has(folderOf(tree, 'src'))).toBe(false);
  });
});

describe('the rows', () => {
  const tree = treeOf(['a/b/one.py', 'a/two.py', 'three.py']);
  const rows = (...expanded: string[]) => rowsOf(tree.root, (path) => expanded.includes(path), null);

  it('are those of open folders, with level and position', () => {
    expect(rows().map((row) => row.node.path)).toEqual(['a', 'three.py']);
    const open = rows('a', 'a/b');
    expect(open.map((row) => [row.node.path, row.level, row.position, row.siblings])).toEqual([
      ['a', 1, 1, 2],
      ['a/b', 2, 1, 2],
      ['a/b/one.py', 3, 1, 1],
      ['a/two.py', 2, 2, 2],
      ['three.py', 1, 2, 2],
    ]);
  });
});

it.each([
  ['rows above it', ['a', 'b', 'b1', 'c', 'd'], 1],
  ['rows below it', ['a', 'b', 'c', 'c1', 'd'], 0],
  ['the row itself', ['a', 'b', 'd'], 0],
  ['it and one above it', ['b', 'd'], -1],
  ['it and all below it', ['a', 'b'], 0],
])('says how far a row moves with other %s', (_, after, move) => {
  const rows = (paths: readonly string[]) => rowsOf(treeOf(paths).root, () => true, null);
  expect(rowShift(2, rows(['a', 'b', 'c', 'd']), rows(after))).toBe(move);
});
