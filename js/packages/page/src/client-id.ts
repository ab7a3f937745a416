/** The page's name for itself on every connection: the same after a reload, shared by its panels. */

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
    // Storage can be forbidden to a page; a name for this load only will do.
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
