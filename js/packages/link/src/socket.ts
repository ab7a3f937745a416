/** Subset of the WebSocket interface that a link uses; adapters implement it, too. */

export interface SocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onerror: ((event: never) => void) | null;
  send(frame: string): void;
  close(code?: number, reason?: string): void;
}

/** Opens a socket to `uri`; throws for an invalid URI. */
export type OpenSocket = (uri: string) => SocketLike;

export const openWebSocket: OpenSocket = (uri) => new WebSocket(uri) as unknown as SocketLike;

/** Refusals: reconnecting would fail in the same way. */
export const FINAL_CODES: ReadonlySet<number> = new Set([4401, 4403, 4404, 4409]);

const SENTENCES: Readonly<Record<number, string>> = {
  1000: 'The server closed the connection.',
  1001: 'The server is shutting down.',
  1006: "The server can't be reached.",
  1009: 'A message was too large for the server.',
  1012: 'The server is restarting.',
  1013: 'The server is overloaded.',
  4401: 'You are not allowed to use this server; log in again and reload the page.',
  4403: 'This server may not open that repository.',
  4404: 'There is no git repository here.',
  4409: 'The server and the kernel do not see the same files.',
};

/** Message for the user: the server's reason, else one by code. */
export function closeReason(code: number, reason: string): string {
  return reason || SENTENCES[code] || `The connection was lost (code ${code}).`;
}
