/** Text of pages for display: short, on one line, without invisible signs. Pure. */

import { escapeInvisible } from '../file-location.ts';

const ELLIPSIS = '…';

/** Shortens a text in the middle to at most `most` characters. */
export function shortMiddle(whole: string, most: number): string {
  if (whole.length <= most) return whole;
  const end = Math.floor((most - 1) / 2);
  return whole.slice(0, most - 1 - end) + ELLIPSIS + whole.slice(whole.length - end);
}

/** Shortens a text at its end to at most `most` characters. */
export function shortEnd(whole: string, most: number): string {
  return whole.length <= most ? whole : whole.slice(0, most - 1) + ELLIPSIS;
}

/** A title, name or message on one line. Shortened before it is escaped: pages write texts of megabytes. */
export function shownLine(raw: string, most = 300): string {
  return escapeInvisible(shortEnd(raw, most).replace(/\s+/g, ' ')).trim();
}

/** An address, shortened in the middle: its host and its end tell most. */
export function shownUrl(raw: string, most = 80): string {
  return escapeInvisible(shortMiddle(raw, most));
}

/** Several lines; only line breaks and tabs stay. */
export function shownLines(raw: string, most = 20_000): string {
  return shortEnd(raw, most)
    .split('\n')
    .map((line) => line.split('\t').map(escapeInvisible).join('\t'))
    .join('\n');
}

/** Path and query of an address: the host is that of the page most of the time. */
export function pathOf(url: string): string {
  const match = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(\/.*)?$/is.exec(url);
  return match ? (match[1] ?? '/') : url;
}

/** `12 ms`, `1.25 s`, `…` while it goes on. */
export function duration(ms: number | null): string {
  if (ms === null) return ELLIPSIS;
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}
