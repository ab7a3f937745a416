/** An answer's edits in figures. Pure. */

import type { Edit, Edits, Status } from './edits.ts';
import { plural } from './format.ts';

export interface Count {
  readonly words: string;
  readonly tone: string;
}

export interface Tally {
  /** Only what there is, what was done first. */
  readonly counts: readonly Count[];
  /** How many files they are about. */
  readonly files: number;
  /** How many wait for the person. */
  readonly pending: number;
  /** How many of these are of files that run by themselves, and are left out where all are accepted. */
  readonly protected: number;
  /** What was not applied, and why. */
  readonly failures: readonly { readonly edit: Edit; readonly words: string }[];
  /** Files ticked because a block was about them. */
  readonly added: readonly string[];
}

const WORDS: readonly (readonly [Status, string, string])[] = [
  ['applied', 'applied', 'good'],
  ['already_applied', 'already applied', 'good'],
  ['pending', 'pending', 'open'],
  ['failed', 'failed', 'bad'],
  ['skipped', 'skipped', 'odd'],
  ['not_in_context', 'not in context', 'odd'],
  ['rejected', 'rejected', 'calm'],
  ['undone', 'undone', 'calm'],
];
const MISSED: ReadonlySet<Status | undefined> = new Set<Status>(['failed', 'skipped', 'not_in_context']);

/** Of an answer that is over. */
export function tally({ list }: Edits): Tally {
  const counted = list.filter(({ outcome }) => outcome && !outcome.isRedone);
  const count = (status: Status) => counted.filter(({ outcome }) => outcome?.status === status).length;
  const counts = WORDS.flatMap(([status, words, tone]) => {
    const number = count(status);
    return number ? [{ words: `${number} ${words}`, tone }] : [];
  });
  const unjudged = list.filter(({ outcome }) => !outcome).length;
  if (unjudged) counts.push({ words: `${plural(unjudged, 'edit')} not applied`, tone: 'calm' });
  const added = list.filter(({ outcome }) => outcome?.status === 'not_in_context' && !outcome.isWithheld);
  return {
    counts,
    files: new Set(list.flatMap(({ path }) => path || [])).size,
    pending: count('pending'),
    protected: counted.filter(({ outcome }) => outcome?.status === 'pending' && outcome.protection).length,
    failures: counted
      .filter(({ outcome }) => MISSED.has(outcome?.status))
      .map((edit) => ({ edit, words: edit.outcome?.message ?? '' })),
    added: [...new Set(added.map(({ path }) => path))],
  };
}
