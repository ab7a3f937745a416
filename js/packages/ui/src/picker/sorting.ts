/** Orders of the files in their folders. Pure. */

import { t } from '@jupyter-ac/messages';
import type { Breakdown } from '../model/breakdown.ts';
import type { FileOrder } from '../model/files.ts';
import { byCodePoint, type FileNode } from '../model/tree.ts';
import { fields, text } from '../model/wire.ts';

export type SortKey = 'name' | 'changed' | 'lines' | 'tokens';

export interface Sorting {
  readonly key: SortKey;
  readonly isReversed: boolean;
}

export const SORT_KEYS: readonly (readonly [SortKey, string, string])[] = [
  ['name', t('Name'), t('From A to Z')],
  ['changed', t('Changed'), t('The newest change first')],
  ['lines', t('Size'), t('The most lines first')],
  ['tokens', t('Tokens'), t('The most tokens in the next request first; only ticked files have any')],
];
export const BY_NAME: Sorting = { key: 'name', isReversed: false };

/** null for the order of names. */
export function orderOf({ key, isReversed }: Sorting, breakdown: Breakdown | null): FileOrder | null {
  const sign = isReversed ? -1 : 1;
  const by = (value: (file: FileNode) => number): FileOrder => {
    return (one, other) => sign * (value(other) - value(one));
  };
  switch (key) {
    case 'name':
      return isReversed ? (one, other) => byCodePoint(other.name, one.name) : null;
    case 'changed':
      return by(({ state }) => state.changedAt);
    case 'lines':
      return by(({ state }) => state.lines);
    case 'tokens': {
      const files = breakdown?.shares.find(({ category }) => category === 'files')?.items ?? [];
      const tokens = new Map(files.map((file) => [file.path, file.tokens]));
      return by(({ path }) => tokens.get(path) ?? 0);
    }
  }
}

export function parseSorting(stored: string | null): Sorting {
  try {
    const raw = fields<{ key: string; isReversed: boolean }>(JSON.parse(stored ?? 'null'));
    const known = SORT_KEYS.find(([key]) => key === text(raw.key));
    return known ? { key: known[0], isReversed: raw.isReversed === true } : BY_NAME;
  } catch {
    return BY_NAME;
  }
}
