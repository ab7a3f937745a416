import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSubsequence, PathMatches, rankOf, SUBSEQUENCE } from '../../src/model/path-filter.ts';
import { treeOf } from '../support/trees.ts';

const names = fc.stringMatching(/^[a-c]{1,4}$/);
const paths = fc.array(names, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));

describe('the filter of paths', () => {
  it('ranks exactly what holds the letters in their order', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-c/]{1,5}$/), paths, (query, path) => {
        const rank = rankOf(query, path);
        expect(rank !== null).toBe(isSubsequence(query, path));
        expect(rank !== null && rank < SUBSEQUENCE).toBe(path.includes(query));
      }),
    );
  });

  it('finds a best file that no other one fits better than', () => {
    const files = fc.uniqueArray(names, { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(fc.stringMatching(/^[a-c]{1,3}$/), files, (query, found) => {
        const tree = treeOf(found.map((name) => `src/${name}.py`));
        const matches = new PathMatches(query);
        for (const file of tree.files.values()) matches.add(file);
        const ranks = [...tree.files.keys()].flatMap((path) => rankOf(query, path) ?? []);
        expect(matches.best === null).toBe(ranks.length === 0);
        if (matches.best) expect(rankOf(query, matches.best.path)).toBe(Math.min(...ranks));
      }),
    );
  });

  it('takes no file for the best that can not be sent', () => {
    const matches = new PathMatches('a');
    for (const file of treeOf(['a.png', 'src/ba.py'], { binary: ['a.png'] }).files.values())
      matches.add(file);
    expect(matches.best?.path).toBe('src/ba.py');
  });
});
