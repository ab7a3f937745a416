/**
 * Polyfill of `crypto.randomUUID`, which browsers omit in insecure contexts (plain http on another host).
 * Must be evaluated before the jrpc-oo bundle, whose own fallback doesn't generate valid UUIDs.
 */

type Uuid = ReturnType<Crypto['randomUUID']>;

/** A version 4 UUID from 16 random bytes. */
export function uuidOf(bytes: Uint8Array): Uuid {
  const copy = Uint8Array.from(bytes);
  copy[6] = ((copy[6] ?? 0) & 0x0f) | 0x40;
  copy[8] = ((copy[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(copy, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const cuts = [0, 8, 12, 16, 20, 32];
  return cuts
    .slice(1)
    .map((end, index) => hex.slice(cuts[index], end))
    .join('-') as Uuid;
}

/** Adds `randomUUID` to a `crypto` that lacks it. */
export function ensureRandomUuid(source: Crypto): void {
  if (typeof source.randomUUID === 'function') return;
  Object.defineProperty(source, 'randomUUID', {
    configurable: true,
    value: () => uuidOf(source.getRandomValues(new Uint8Array(16))),
  });
}

ensureRandomUuid(globalThis.crypto);
