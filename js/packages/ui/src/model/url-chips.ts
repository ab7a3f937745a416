/** Chips of web pages: the conversation's pages merged with the addresses found in the input. Pure. */

import type { DetectedUrl, UrlRow } from '@jupyter-ac/link/rpc';
import { fields, list, number, text } from './wire.ts';

/** `found`: its address is in the input, and nothing has been fetched. */
export type ChipState = 'found' | 'fetching' | 'ready' | 'failed';

export interface UrlChip {
  readonly url: string;
  /** Short form of the address. */
  readonly name: string;
  /** Of the page; '' until it is fetched. */
  readonly title: string;
  readonly state: ChipState;
  /** It goes to the model with the next question. */
  readonly isIncluded: boolean;
  /** Why there is no text; '' if there is. */
  readonly error: string;
  /** Number of bytes that have arrived; 0 unless it is being fetched. */
  readonly bytes: number;
  /** ISO 8601; changes when it is fetched again. */
  readonly fetchedAt: string;
}

/** What this panel has asked for, before the server's rows show it. */
export interface PendingChanges {
  readonly fetching: ReadonlySet<string>;
  readonly removing: ReadonlySet<string>;
  /** Which pages are to be included or left out, by address. */
  readonly included: ReadonlyMap<string, boolean>;
}

const ADDRESS = /https?:\/\/(?:\S|\uFEFF)+/gi;
const ROW_STATES: ReadonlySet<unknown> = new Set(['fetching', 'ready', 'failed']);

/**
 * The pieces of a text that may contain addresses, one per line. Which addresses they contain is the server's
 * decision; that stays the same while the pieces do, whatever else is typed.
 */
export function addressPieces(text: string): string {
  return (text.match(ADDRESS) ?? []).join('\n');
}

/** Parses the server's rows; those without an address or with an unknown state are left out. */
export function parseUrlRows(raw: unknown): UrlChip[] {
  const rows = list(raw)
    .map(fields<UrlRow>)
    .filter(({ state }) => ROW_STATES.has(state));
  return unique(
    rows.map((row) => ({
      url: text(row.url),
      name: text(row.display_name) || text(row.url),
      title: text(row.title),
      state: row.state as ChipState,
      isIncluded: row.included === true,
      error: text(row.error),
      bytes: number(row.bytes),
      fetchedAt: text(row.fetched_at),
    })),
  );
}

/** Parses the answer of `detect_urls`. */
export function parseFoundUrls(raw: unknown): UrlChip[] {
  const found = list(raw).map(fields<DetectedUrl>);
  return unique(
    found.map(({ url, display_name }) => ({
      url: text(url),
      name: text(display_name) || text(url),
      title: '',
      state: 'found',
      isIncluded: false,
      error: '',
      bytes: 0,
      fetchedAt: '',
    })),
  );
}

/** The chips to show, each address once: the conversation's pages, then what was only found in the input. */
export function mergeChips(
  rows: readonly UrlChip[],
  found: readonly UrlChip[],
  dismissed: ReadonlySet<string>,
  pending: PendingChanges,
): UrlChip[] {
  const known = new Set(rows.map(({ url }) => url));
  const offered = found.filter(({ url }) => !known.has(url) && !dismissed.has(url));
  return [...rows, ...offered]
    .filter(({ url }) => !pending.removing.has(url))
    .map((chip) => withPending(chip, pending));
}

function withPending(chip: UrlChip, { fetching, included }: PendingChanges): UrlChip {
  const isFetching = fetching.has(chip.url) && chip.state !== 'fetching';
  const isIncluded = included.get(chip.url) ?? chip.isIncluded;
  return { ...chip, ...(isFetching ? { state: 'fetching', error: '' } : {}), isIncluded };
}

function unique(chips: readonly UrlChip[]): UrlChip[] {
  const byUrl = new Map<string, UrlChip>();
  for (const chip of chips) if (chip.url && !byUrl.has(chip.url)) byUrl.set(chip.url, chip);
  return [...byUrl.values()];
}
