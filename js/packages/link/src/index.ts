export { BUILD_HASH, define, tagOf } from './custom-elements.ts';
export { RpcError } from './errors.ts';
export { EVENT_NAMES, type EventName } from './events.ts';
export type * from './generated/api.ts';
export { PROTOCOL } from './generated/api.ts';
export type { Dispose, EventArgs, LinkStatus, MethodName, Params, Result, Rpc } from './rpc.ts';
export { HANDSHAKE_MS, RETRY_DELAYS_MS, RpcLink } from './rpc-link.ts';
export { LinkProvider, type RpcElement, RpcMixin } from './rpc-mixin.ts';
export type { OpenSocket, SocketLike } from './socket.ts';
