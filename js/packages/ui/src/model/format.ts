/** Number and date formatting for display, in the language of the page. */

import { language, t } from '@jupyter-ac/messages';

/** `9,876,543`. */
export function grouped(count: number): string {
  return formatted(Math.round(count));
}

/** `950`, `9,876`, `12.3k`, `1.05M`. */
export function tokens(count: number): string {
  if (count < 10_000) return grouped(count);
  if (count < 1_000_000) return `${rounded(count / 1000, 1)}k`;
  return `${rounded(count / 1_000_000, 2)}M`;
}

/** Dollars, with more decimals for small sums. */
export function dollars(sum: number): string {
  if (sum === 0) return '$0';
  if (sum < 0.0001) return `< $${rounded(0.0001, 4)}`;
  const digits = sum < 0.1 ? 4 : 2;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false };
  return `$${formatted(sum, options)}`;
}

/** Percentage of `part` in `whole`, clamped to 0 to 100. */
export function percent(part: number, whole: number): number {
  return whole > 0 ? Math.min(100, Math.max(0, (100 * part) / whole)) : 0;
}

/** `950 B`, `12.3 kB`, `4.21 MB`. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  return count < 1_000_000 ? `${rounded(count / 1000, 1)} kB` : `${rounded(count / 1_000_000, 2)} MB`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** How long ago: `just now`, `5 min ago`, `3 h ago`, `12 Nov`, `12 Nov 2025`; both in ms since 1970. */
export function ago(time: number, now: number): string {
  const passed = now - time;
  if (passed < MINUTE_MS) return t('just now');
  if (passed < HOUR_MS) return t('%1 min ago', Math.floor(passed / MINUTE_MS));
  if (passed < 24 * HOUR_MS) return t('%1 h ago', Math.floor(passed / HOUR_MS));
  return day(time, new Date(time).getFullYear() !== new Date(now).getFullYear());
}

/** `12 Nov`, `12 Nov 2025`. */
export function day(time: number | Date, hasYear = false): string {
  const options: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' };
  if (hasYear) options.year = 'numeric';
  // In English with the day first, as in Europe.
  const locale = language() === 'en-US' ? 'en-GB' : language();
  return new Intl.DateTimeFormat(locale, options).format(time);
}

/** Rounded, without trailing zeros. */
function rounded(value: number, digits: number): string {
  return formatted(value, { maximumFractionDigits: digits, useGrouping: false });
}

const formats = new Map<string, Intl.NumberFormat>();

/** Formats are made once: that takes longer than their use. */
function formatted(value: number, options: Intl.NumberFormatOptions = {}): string {
  const key = `${language()} ${options.minimumFractionDigits} ${options.maximumFractionDigits} ${options.useGrouping}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language(), options);
    formats.set(key, format);
  }
  return format.format(value);
}
