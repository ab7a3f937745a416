/** What the provider's cache served, in words for people who have never heard of it. Pure. */

import type { RequestChanges } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import type { Breakdown, LastRequest } from '../model/breakdown.ts';
import { NAMES } from '../model/context-names.ts';
import { grouped } from '../model/format.ts';
import { type Fields, number, text } from '../model/wire.ts';

export interface CacheBand {
  /** Tokens that the cache served. */
  readonly read: number;
  /** Tokens that were read anew and written to the cache. */
  readonly written: number;
  /** Tokens that were read anew. */
  readonly fresh: number;
}

/** The last turn's requests, as the provider counted them. */
export function lastBand({ input, cached, written }: LastRequest): CacheBand {
  return { read: cached, written, fresh: Math.max(0, input - cached - written) };
}

/** The next request, as it is likely to be. */
export function nextBand({ total, cached }: Breakdown): CacheBand {
  return { read: cached, written: 0, fresh: Math.max(0, total - cached) };
}

export function lastSentence(last: LastRequest | null): string {
  if (!last)
    return t('Nothing has been sent yet. What is sent twice in the same order is cheaper the second time.');
  if (last.isHit === null) return t('The provider didn’t say what its cache has served.');
  const { input, cached } = last;
  if (!cached)
    return t(
      'The provider read all %1 tokens of the last request anew, at the full price: its cache had nothing of them.',
      grouped(input),
    );
  return t(
    '%1 of the last request’s %2 tokens came from the provider’s cache, at about a tenth of the price.',
    grouped(cached),
    grouped(input),
  );
}

export function nextSentence({ total, cached }: Breakdown): string {
  if (!cached)
    return t('The provider will read all %1 tokens of the next request at the full price.', grouped(total));
  return t(
    'About %1 of the next request’s %2 tokens are expected to come from the cache.',
    grouped(cached),
    grouped(total),
  );
}

/** What the changes since the last request mean for the cache. */
export function brokenSentence(changes: Fields<RequestChanges>): string {
  const kept = grouped(number(changes.kept_tokens));
  const lost = number(changes.lost_tokens);
  if (!lost)
    return t('All %1 tokens of the last request stay as they were, so the cache can serve them.', kept);
  const from = text(changes.lost_from);
  return t(
    'The first %1 tokens stay as they were, so the cache can serve them. From “%2” on, %3 tokens of the last request can no longer be served from the cache.',
    kept,
    NAMES[from] ?? from,
    grouped(lost),
  );
}
