/** What the provider's cache served, in words for people who have never heard of it. Pure. */

import type { RequestChanges } from '@jupyter-ac/link/rpc';
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
    return 'Nothing has been sent yet. What is sent twice in the same order is cheaper the second time.';
  if (last.isHit === null) return 'The provider didn’t say what its cache has served.';
  const { input, cached } = last;
  if (!cached)
    return `The provider read all ${grouped(input)} tokens of the last request anew, at the full price: its cache had nothing of them.`;
  return `${grouped(cached)} of the last request’s ${grouped(input)} tokens came from the provider’s cache, at about a tenth of the price.`;
}

export function nextSentence({ total, cached }: Breakdown): string {
  if (!cached)
    return `The provider will read all ${grouped(total)} tokens of the next request at the full price.`;
  return `About ${grouped(cached)} of the next request’s ${grouped(total)} tokens are expected to come from the cache.`;
}

/** What the changes since the last request mean for the cache. */
export function brokenSentence(changes: Fields<RequestChanges>): string {
  const kept = grouped(number(changes.kept_tokens));
  const lost = number(changes.lost_tokens);
  if (!lost) return `All ${kept} tokens of the last request stay as they were, so the cache can serve them.`;
  const from = text(changes.lost_from);
  return `The first ${kept} tokens stay as they were, so the cache can serve them. From “${NAMES[from] ?? from}” on, ${grouped(lost)} tokens of the last request can no longer be served from the cache.`;
}
