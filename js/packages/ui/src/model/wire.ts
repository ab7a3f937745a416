/**
 * Tolerant parsing of values from the wire: the server may have another version. The generated types name the
 * fields; a missing or malformed one becomes an empty value.
 */

type NamesIn<T> = T extends unknown ? keyof T : never;

/** Object that should be a `T` (or a member of that union): its field names, with unchecked values. */
export type Fields<T = Record<string, unknown>> = { readonly [Name in NamesIn<T>]?: unknown };

export function fields<T = Record<string, unknown>>(value: unknown): Fields<T> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields<T>) : {};
}

export function text(value: unknown, otherwise = ''): string {
  return typeof value === 'string' ? value : otherwise;
}

export function number(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

export function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function strings(value: unknown): string[] {
  return list(value).filter((item): item is string => typeof item === 'string');
}
