/** Address of the stand-alone server: the page's own, or another port of the same machine. */

import { t } from '@jupyter-ac/messages';

type TokenStore = Pick<Storage, 'getItem' | 'setItem'>;

export interface Address {
  /** WebSocket URL, including the token if there is one. */
  readonly socket: string;
  /** The page's address for the address bar, without the token. */
  readonly shown: string;
  /** Id of the panel that is shown first; '' for none. */
  readonly plugin: string;
}

/**
 * Reads `?port=`, `?panel=` and `?token=`. The token is moved from the address, where history and screen expose it, to the
 * session storage, where a reload finds it; where storage is forbidden, it stays in the address.
 *
 * @throws one sentence for an invalid port
 */
export function readAddress(href: string, store: TokenStore | null): Address {
  const page = new URL(href);
  const socket = socketOf(page);
  const given = page.searchParams.get('token');
  if (given !== null && storeToken(store, socket, given)) page.searchParams.delete('token');
  const token = given ?? loadToken(store, socket);
  if (token) socket.searchParams.set('token', token);
  return { socket: socket.href, shown: page.href, plugin: page.searchParams.get('panel') ?? '' };
}

function socketOf(page: URL): URL {
  const port = page.searchParams.get('port');
  const socket = new URL(port === null ? 'rpc' : '/rpc', page);
  socket.search = socket.hash = '';
  socket.protocol = page.protocol.replace('http', 'ws');
  if (port === null) return socket;
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65535) {
    throw new Error(t('“%1” is no port: the address needs ?port= and a number from 1 to 65535.', port));
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
