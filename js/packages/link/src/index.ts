export { BUILD_HASH, define, tagOf } from './define.ts';
export { RpcError } from './errors.ts';
export { EVENT_NAMES, type EventName } from './events.ts';
export type { Dispose, LinkStatus, Rpc } from './rpc.ts';
export { HANDSHAKE_MS, RETRY_DELAYS_MS, RpcLink } from './rpc-link.ts';
export { LinkProvider, type RpcElement, RpcMixin } from './rpc-mixin.ts';
export type { OpenSocket, SocketLike } from './socket.ts';
