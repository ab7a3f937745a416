/** WebSocket to the Jupyter server that detects refusals for which the relay is an alternative. */

import type { OpenSocket, SocketLike } from '@jupyter-ac/link';

/** Unauthorised, repository not allowed, not the same files: the host in the kernel has none of these checks. */
const REFUSALS: ReadonlySet<number> = new Set([4401, 4403, 4409]);
/** Failed handshakes in a row, from a server that answers HTTP, until it counts as a refusal. */
const MAX_FAILED_HANDSHAKES = 2;

/**
 * @param onRefused - called with the server's reason, '' when it gave none
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
