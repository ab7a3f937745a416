/** An answer's edits in figures. Pure. */

import type { Edit, Edits, Status } from './edits.ts';
import { plural } from './format.ts';

/** How an applied edit stands in its file: as it left it, as before it, or neither. */
export type Standing = 'applied' | 'undone' | 'changed';
/** By the block's index; what is not told stands as it was left. */
export type Standings = ReadonlyMap<number, Standing>;

/** A server's word, or more: lines that others changed, a block that fits shifted, a suggestion that doesn't fit. */
export type Stand = Status | 'changed' | 'correctable' | 'unfit';

export const STANDINGS: ReadonlySet<unknown> = new Set<Standing>(['applied', 'undone', 'changed']);
export const NO_STANDINGS: Standings = new Map();

/** What is true of a block at this moment; null while nothing is known. */
export function statusOf({ index, outcome }: Edit, standings: Standings): Stand | null {
  if (outcome?.status === 'failed' && outcome.isCorrectable) return 'correctable';
  if (outcome?.status === 'suggested' && outcome.errorType) return 'unfit';
  if (outcome?.status !== 'applied') return outcome?.status ?? null;
  return standings.get(index) ?? 'applied';
}

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
  /** Suggested blocks that fit, but for those of files that run by themselves. */
  readonly suggested: readonly number[];
  /** Those that stand and can be taken back, by file. */
  readonly standing: ReadonlyMap<string, readonly number[]>;
  /** What was not applied; what fits but for its indentation left out. */
  readonly failures: readonly Edit[];
  /** Files ticked because a block was about them. */
  readonly added: readonly string[];
}

const WORDS: readonly (readonly [Stand, string, string])[] = [
  ['applied', 'applied', 'good'],
  ['changed', 'changed since', 'odd'],
  ['already_applied', 'already applied', 'good'],
  ['pending', 'pending', 'open'],
  ['correctable', 'with corrected indentation', 'open'],
  ['suggested', 'suggested', 'open'],
  ['unfit', 'suggested, not fitting', 'calm'],
  ['failed', 'failed', 'bad'],
  ['skipped', 'skipped', 'odd'],
  ['not_in_context', 'not in context', 'odd'],
  ['rejected', 'rejected', 'calm'],
  ['undone', 'undone', 'calm'],
];
const MISSED: ReadonlySet<Status | undefined> = new Set<Status>(['failed', 'skipped', 'not_in_context']);

/** Of an answer that is over. */
export function tally({ list }: Edits, standings: Standings = NO_STANDINGS): Tally {
  const counted = list.filter(({ outcome }) => outcome && !outcome.isRedone);
  const count = (status: Stand) => counted.filter((edit) => statusOf(edit, standings) === status).length;
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
    suggested: counted.flatMap((edit) =>
      statusOf(edit, standings) === 'suggested' && !edit.outcome?.protection ? edit.index : [],
    ),
    standing: standingOf(list, standings),
    protected: counted.filter(({ outcome }) => outcome?.status === 'pending' && outcome.protection).length,
    failures: counted.filter(({ outcome }) => MISSED.has(outcome?.status) && !outcome?.isCorrectable),
    added: [...new Set(added.map(({ path }) => path))],
  };
}

function standingOf(list: readonly Edit[], standings: Standings): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const edit of list) {
    if (statusOf(edit, standings) !== 'applied') continue;
    const path = edit.newPath || edit.path;
    found.set(path, [...(found.get(path) ?? []), edit.index]);
  }
  return found;
}
