import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkOf, countFiles, rowsOf } from '../../src/model/rows.ts';
import { ancestors, filesBelow, filtered, isSubsequence, parseTree } from '../../src/model/tree.ts';
import { rawTree } from '../support/raw-tree.ts';

const segment = fc.stringMatching(/^[a-d]{1,2}$/);
/** Folders and files never share a name: files end in `.f`. */
const somePaths = fc.uniqueArray(
  fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => `${parts.join('/')}.f`),
  { maxLength: 30 },
);

describe('the tree', () => {
  it('has every file once, whatever the folders', () => {
    fc.assert(
      fc.property(somePaths, (paths) => {
        const { root } = parseTree(rawTree(paths));
        expect(
          filesBelow(root)
            .map((file) => file.path)
            .sort(),
        ).toEqual([...paths].sort());
      }),
    );
  });

  it('knows the badges, one file may have several', () => {
    const { badges } = parseTree(
      rawTree(['a', 'b'], { modified: ['a'], staged: ['a'], untracked: ['b'], conflicted: ['a'] }),
    );
    expect(badges.get('a')).toEqual(['C', 'S', 'M']);
    expect(badges.get('b')).toEqual(['U']);
  });

  it('offers no deleted, binary or submodule file for ticking', () => {
    const tree = {
      type: 'dir',
      path: '',
      children: [
        { type: 'file', path: 'gone', name: 'gone' },
        { type: 'file', path: 'picture', name: 'picture', is_binary: true },
        { type: 'file', path: 'sub', name: 'sub', submodule: true },
        { type: 'file', path: 'text', name: 'text' },
      ],
    };
    const { root } = parseTree({ tree, deleted: ['gone'] });
    expect(root.children.filter((file) => file.isSendable).map((file) => file.path)).toEqual(['text']);
  });

  it.each([
    null,
    7,
    'x',
    {},
    { tree: null },
    { tree: { children: 3 } },
    { tree: { type: 'dir', children: [null] } },
  ])('takes %j for an answer without falling over', (raw) => {
    expect(() => parseTree(raw)).not.toThrow();
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

  it('keeps just the files that match, and no empty folder', () => {
    fc.assert(
      fc.property(somePaths, segment, (paths, query) => {
        const left = filtered(parseTree(rawTree(paths)).root, query);
        const expected = paths.filter((path) => isSubsequence(query, path)).sort();
        expect(
          filesBelow(left ?? parseTree({}).root)
            .map((file) => file.path)
            .sort(),
        ).toEqual(expected);
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
          const { root } = parseTree(rawTree(paths));
          const { ticked: on, sendable } = countFiles(root, (path) => ticked.includes(path));
          for (const folder of new Set(['', ...paths.flatMap(ancestors)])) {
            const below = paths.filter((path) => folder === '' || path.startsWith(`${folder}/`));
            const count = below.filter((path) => ticked.includes(path)).length;
            expect(sendable.get(folder) ?? 0).toBe(below.length);
            const check = checkOf(on.get(folder) ?? 0, sendable.get(folder) ?? 0);
            expect(check).toBe(count === 0 ? 'off' : count === below.length ? 'on' : 'mixed');
          }
        },
      ),
    );
  });
});

describe('the rows', () => {
  const tree = parseTree(rawTree(['a/b/one.py', 'a/two.py', 'three.py']));
  const rows = (expanded: string[], ticked: string[] = []) =>
    rowsOf({
      tree,
      root: tree.root,
      counts: countFiles(tree.root, (path) => ticked.includes(path)),
      isTicked: (path) => ticked.includes(path),
      isExpanded: (path) => expanded.includes(path),
    });

  it('are those of open folders, with level and position', () => {
    expect(rows([]).map((row) => row.node.path)).toEqual(['a', 'three.py']);
    const open = rows(['a', 'a/b']);
    expect(open.map((row) => [row.node.path, row.level, row.position, row.siblings])).toEqual([
      ['a', 1, 1, 2],
      ['a/b', 2, 1, 2],
      ['a/b/one.py', 3, 1, 1],
      ['a/two.py', 2, 2, 2],
      ['three.py', 1, 2, 2],
    ]);
  });

  it('show the state of closed folders too', () => {
    const [folder] = rows([], ['a/two.py']);
    expect(folder).toMatchObject({ check: 'mixed', ticked: 1, sendable: 2 });
  });
});
