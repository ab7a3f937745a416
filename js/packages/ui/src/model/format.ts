/** Numbers as people read them. */

const GROUPED = new Intl.NumberFormat('en-US');

/** `950`, `9,876`, `12.3k`, `1.05M`. */
export function tokens(count: number): string {
  if (count < 10_000) return GROUPED.format(Math.round(count));
  if (count < 1_000_000) return `${trimmed((count / 1000).toFixed(1))}k`;
  return `${trimmed((count / 1_000_000).toFixed(2))}M`;
}

/** Dollars: two digits that mean something, however small the sum. */
export function dollars(sum: number): string {
  if (sum === 0) return '$0';
  if (sum < 0.0001) return '< $0.0001';
  return sum < 0.1 ? `$${sum.toFixed(4)}` : `$${sum.toFixed(2)}`;
}

/** Part of a whole as a percentage between 0 and 100. */
export function percent(part: number, whole: number): number {
  return whole > 0 ? Math.min(100, Math.max(0, (100 * part) / whole)) : 0;
}

/** `1 file`, `2 files`. */
export function plural(count: number, noun: string): string {
  return `${GROUPED.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function trimmed(digits: string): string {
  return digits.replace(/\.?0+$/, '');
}
