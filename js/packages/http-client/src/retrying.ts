/** Which failed calls may pass by themselves, and how long to wait before they are sent again. */

import type { HttpClientError, Json } from './errors.ts';

const FIRST_MS = 500;
const LONGEST_MS = 8000;
/** A server that asks for a longer pause is not asked again. */
const MAX_ORDERED_MS = 60_000;
const CODES: readonly unknown[] = ['TIMEOUT', 'RATE_LIMITED', 'CLOSED', -32001, -32002, 429, 502, 503, 504];
const TYPES = /^(timeout|busy|not_ready|rate_limit(ed)?|provider_(unavailable|rate_limit))$/i;

/** A value as an object; {} if it is none. */
export function record(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function mayPass({ code, data }: HttpClientError): boolean {
  return (CODES.includes(code) || TYPES.test(String(data.type))) && orderedMs(data) <= MAX_ORDERED_MS;
}

// What was meant for one page must not happen in another one.
const ACTING =
  /^(Browser\.)?(js|cdp|navigate|reload|back|forward|click|type_text|handle_dialog|set_fetch_rules|fetch[._]\w+)$/;

/** Whether a method acts in a page, so that it isn't sent again for another one. */
export function acts(method: string): boolean {
  return ACTING.test(method);
}

export function isStale({ code, data }: HttpClientError): boolean {
  return code === 'STALE_EPOCH' || /^stale_epoch$/i.test(String(data.type));
}

/** Exponential with full jitter: a random part of the longest pause, after the one that a server asks for. */
export function pauseMs(tried: number, random: number, data: Json = {}): number {
  return orderedMs(data) + random * Math.min(LONGEST_MS, FIRST_MS * 2 ** tried);
}

function orderedMs(data: Json): number {
  return Number(data.retry_after_ms ?? Number(data.retry_after ?? 0) * 1000) || 0;
}
