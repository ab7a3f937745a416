/** The files that a review is about, and its numbers. Pure. */

import type { ReviewChange, ReviewTotals } from '@jupyter-ac/link/rpc';
import { fields, list, number, text } from './wire.ts';

export interface ReviewedFile {
  readonly path: string;
  /** Its name before the change; '' if it is the same. */
  readonly oldPath: string;
  /** `added`, `modified`, `deleted`, `renamed` …; a word of git. */
  readonly status: string;
  readonly additions: number;
  readonly deletions: number;
}

export interface ReviewNumbers {
  readonly commits: number;
  readonly files: number;
  readonly additions: number;
  readonly deletions: number;
}

/** Parses the changed files, sorted by path. */
export function parseReviewedFiles(raw: unknown): ReviewedFile[] {
  return list(raw)
    .map(fields<ReviewChange>)
    .map((row) => ({
      path: text(row.path),
      oldPath: text(row.old_path),
      status: text(row.status),
      additions: number(row.additions),
      deletions: number(row.deletions),
    }))
    .filter(({ path }) => path !== '')
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Parses the totals; null when there are none. */
export function parseReviewNumbers(raw: unknown): ReviewNumbers | null {
  if (!raw) return null;
  const totals = fields<ReviewTotals>(raw);
  return {
    commits: number(totals.commit_count),
    files: number(totals.files_changed),
    additions: number(totals.additions),
    deletions: number(totals.deletions),
  };
}
