/** The socket to the Jupyter server, with an eye on refusals that another door would not meet. */

import type { OpenSocket, SocketLike } from '@jupyter-ac/link';

/** Not allowed, repository not allowed, not the same files: the kernel's own host has none of these. */
const REFUSALS: ReadonlySet<number> = new Set([4401, 4403, 4409]);
/** So many handshakes in a row may fail of a server that answers otherwise; one may just be starting. */
const MAX_FAILED_HANDSHAKES = 2;

/**
 * @param onRefused - called with the server's sentence, '' when it gave none
 * @param isUp - whether plain HTTP reaches the server
 */
export function socketWithFallback(
  onRefused: (reason: string) => void,
  isUp: () => Promise<boolean>,
  connect: (uri: string) => WebSocket = (uri) => new WebSocket(uri),
): OpenSocket {
  let failures = 0;
  return (uri) => {
    const socket = connect(uri);
    let wasOpen = false;
    socket.addEventListener('open', () => {
      wasOpen = true;
      failures = 0;
    });
    socket.addEventListener('close', async ({ code, reason }) => {
      if (REFUSALS.has(code)) onRefused(reason);
      if (wasOpen) return;
      failures = (await isUp()) ? failures + 1 : 0;
      if (failures === MAX_FAILED_HANDSHAKES) onRefused('');
    });
    return socket as unknown as SocketLike;
  };
}
