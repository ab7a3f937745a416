/** Counts an answer's edits by status. Pure. */

import { t, tn } from '@jupyter-ac/messages';
import type { Edit, Edits, Status } from './edits.ts';

/** State of an applied edit's lines in the file: still applied, as before the edit, or changed since. */
export type Standing = 'applied' | 'undone' | 'changed';
/** Standing by the block's index; a missing index means `applied`. */
export type Standings = ReadonlyMap<number, Standing>;

/** The server's status, or one derived here: lines changed since, fits with other indentation, suggestion that doesn't fit. */
export type DisplayStatus = Status | 'changed' | 'correctable' | 'unfit';

export const STANDINGS: ReadonlySet<unknown> = new Set<Standing>(['applied', 'undone', 'changed']);
export const NO_STANDINGS: Standings = new Map();

/** Current status of a block; null while it has no outcome. */
export function displayStatus({ index, outcome }: Edit, standings: Standings): DisplayStatus | null {
  if (outcome?.status === 'failed' && outcome.isCorrectable) return 'correctable';
  if (outcome?.status === 'suggested' && outcome.errorType) return 'unfit';
  if (outcome?.status !== 'applied') return outcome?.status ?? null;
  return standings.get(index) ?? 'applied';
}

export interface Count {
  readonly label: string;
  readonly tone: string;
}

export interface EditSummary {
  /** One entry per status that occurs; applied first. */
  readonly counts: readonly Count[];
  /** Number of files with edits. */
  readonly files: number;
  /** Number of edits that wait for a decision. */
  readonly pending: number;
  /** How many of these are for files that run automatically; "Accept all" leaves them out. */
  readonly protected: number;
  /** Indices of the suggested blocks that fit, without those for files that run automatically. */
  readonly suggested: readonly number[];
  /** Indices of the applied blocks that can be undone, by file. */
  readonly standing: ReadonlyMap<string, readonly number[]>;
  /** Edits that were not applied, without those that only need other indentation. */
  readonly failures: readonly Edit[];
  /** Files ticked because a block was about them. */
  readonly added: readonly string[];
}

const LABELS: readonly (readonly [DisplayStatus, string, string])[] = [
  ['applied', t('applied'), 'good'],
  ['changed', t('changed since'), 'odd'],
  ['already_applied', t('already applied'), 'good'],
  ['pending', t('pending'), 'open'],
  ['correctable', t('with corrected indentation'), 'open'],
  ['suggested', t('suggested'), 'open'],
  ['unfit', t('suggested, not fitting'), 'calm'],
  ['failed', t('failed'), 'bad'],
  ['skipped', t('skipped'), 'odd'],
  ['not_in_context', t('not in context'), 'odd'],
  ['rejected', t('rejected'), 'calm'],
  ['undone', t('undone'), 'calm'],
];
const NOT_APPLIED: ReadonlySet<Status | undefined> = new Set<Status>(['failed', 'skipped', 'not_in_context']);

/** Summarises the edits of a finished answer. */
export function summarizeEdits({ list }: Edits, standings: Standings = NO_STANDINGS): EditSummary {
  const counted = list.filter(({ outcome }) => outcome && !outcome.isRedone);
  const count = (status: DisplayStatus) =>
    counted.filter((edit) => displayStatus(edit, standings) === status).length;
  const counts = LABELS.flatMap(([status, words, tone]) => {
    const number = count(status);
    return number ? [{ label: `${number} ${words}`, tone }] : [];
  });
  const unjudged = list.filter(({ outcome }) => !outcome).length;
  if (unjudged)
    counts.push({ label: t('%1 not applied', tn('%1 edit', '%1 edits', unjudged)), tone: 'calm' });
  const added = list.filter(({ outcome }) => outcome?.status === 'not_in_context' && !outcome.isWithheld);
  return {
    counts,
    files: new Set(list.flatMap(({ path }) => path || [])).size,
    pending: count('pending'),
    suggested: counted.flatMap((edit) =>
      displayStatus(edit, standings) === 'suggested' && !edit.outcome?.protection ? edit.index : [],
    ),
    standing: standingOf(list, standings),
    protected: counted.filter(({ outcome }) => outcome?.status === 'pending' && outcome.protection).length,
    failures: counted.filter(({ outcome }) => NOT_APPLIED.has(outcome?.status) && !outcome?.isCorrectable),
    added: [...new Set(added.map(({ path }) => path))],
  };
}

function standingOf(list: readonly Edit[], standings: Standings): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const edit of list) {
    if (displayStatus(edit, standings) !== 'applied') continue;
    const path = edit.newPath || edit.path;
    found.set(path, [...(found.get(path) ?? []), edit.index]);
  }
  return found;
}
