/** Which server the page is for: its own, or the one on another port of the same machine. */

type TokenStore = Pick<Storage, 'getItem' | 'setItem'>;

export interface Address {
  /** The WebSocket's address, its token in it where there is one. */
  readonly socket: string;
  /** The page's address as the browser should show and remember it. */
  readonly shown: string;
}

/**
 * Reads `?port=` and `?token=`. The token moves from the address, which histories keep and screens
 * show, into the tab's own storage, where a reload finds it; it stays where storage is forbidden.
 *
 * @throws one sentence when the port is none
 */
export function readAddress(href: string, store: TokenStore | null): Address {
  const page = new URL(href);
  const socket = socketOf(page);
  const given = page.searchParams.get('token');
  if (given !== null && storeToken(store, socket, given)) page.searchParams.delete('token');
  const token = given ?? loadToken(store, socket);
  if (token) socket.searchParams.set('token', token);
  return { socket: socket.href, shown: page.href };
}

function socketOf(page: URL): URL {
  const port = page.searchParams.get('port');
  const socket = new URL(port === null ? 'rpc' : '/rpc', page);
  socket.search = socket.hash = '';
  socket.protocol = page.protocol.replace('http', 'ws');
  if (port === null) return socket;
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65535) {
    throw new Error(`“${port}” is no port: the address needs ?port= and a number from 1 to 65535.`);
  }
  socket.port = port;
  return socket;
}

function tokenKey(socket: URL): string {
  return `jupyter-ac.token:${socket.origin}`;
}

function storeToken(store: TokenStore | null, socket: URL, token: string): boolean {
  try {
    store?.setItem(tokenKey(socket), token);
    return store !== null;
  } catch {
    return false;
  }
}

function loadToken(store: TokenStore | null, socket: URL): string {
  try {
    return store?.getItem(tokenKey(socket)) ?? '';
  } catch {
    return '';
  }
}
