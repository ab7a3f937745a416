/** Client id of this browser tab, sent on every connection; survives a reload, shared by all panels. */

const KEY = 'jupyter-ac.client';

export function clientId(storage: Pick<Storage, 'getItem' | 'setItem'> | null): string {
  const fresh = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  try {
    const known = storage?.getItem(KEY);
    if (known) return known;
    storage?.setItem(KEY, fresh);
  } catch {
    // Storage may be forbidden: the id then changes with each load.
  }
  return fresh;
}

/** Session storage, or null where the browser forbids it. */
export function sessionStore(): Storage | null {
  try {
    return globalThis.sessionStorage;
  } catch {
    return null;
  }
}

/** Null where the browser forbids storage. */
export function localStore(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}
