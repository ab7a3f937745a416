/** Number and date formatting for display. */

const GROUPED = new Intl.NumberFormat('en-US');

/** `9,876,543`. */
export function grouped(count: number): string {
  return GROUPED.format(Math.round(count));
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
  if (sum < 0.0001) return '< $0.0001';
  return sum < 0.1 ? `$${sum.toFixed(4)}` : `$${sum.toFixed(2)}`;
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

/** `1 file`, `2 files`. */
export function plural(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** How long ago: `just now`, `5 min ago`, `3 h ago`, `12 Nov`, `12 Nov 2025`; both in ms since 1970. */
export function ago(time: number, now: number): string {
  const passed = now - time;
  if (passed < MINUTE_MS) return 'just now';
  if (passed < HOUR_MS) return `${Math.floor(passed / MINUTE_MS)} min ago`;
  if (passed < 24 * HOUR_MS) return `${Math.floor(passed / HOUR_MS)} h ago`;
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? DAY : DAY_OF_YEAR).format(time);
}

/** Rounded, without trailing zeros. */
function rounded(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
