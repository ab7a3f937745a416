import { expect, it } from 'vitest';
import { parseReviewedFiles, parseReviewNumbers } from '../../src/model/review-changes.ts';

it('sorts the changed files and leaves out what has no name', () => {
  const raw = [{ path: 'b', status: 'added', additions: 1 }, { path: 'a', old_path: 'o' }, {}, 'x'];
  expect(parseReviewedFiles(raw)).toEqual([
    { path: 'a', oldPath: 'o', status: '', additions: 0, deletions: 0 },
    { path: 'b', oldPath: '', status: 'added', additions: 1, deletions: 0 },
  ]);
  expect(parseReviewedFiles(null)).toEqual([]);
});

it('has no numbers without a review', () => {
  expect(parseReviewNumbers(null)).toBeNull();
  expect(parseReviewNumbers({ commit_count: 2 })).toEqual({
    commits: 2,
    files: 0,
    additions: 0,
    deletions: 0,
  });
});
