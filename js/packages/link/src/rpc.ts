/** Interface of the RPC connection used by the UI; `RpcLink` implements it. */

import type { EventName } from './events.ts';
import type { Events, Methods } from './generated/api.ts';

export { RpcError } from './errors.ts';
export type { EventName } from './events.ts';
export type * from './generated/api.ts';
export { PROTOCOL } from './generated/api.ts';

export type MethodName = keyof Methods;
export type Params<M extends MethodName> = Methods[M]['params'];
export type Result<M extends MethodName> = Methods[M]['result'];
/** Arguments of an event; unknown for events that the generated API doesn't describe. */
export type EventArgs<E extends EventName> = E extends keyof Events ? Events[E] : unknown[];

export type Dispose = () => void;

export type LinkStatus =
  /** Never opened, or closed on purpose. */
  | { readonly state: 'idle' }
  | { readonly state: 'connecting' }
  /** Calls work; `first` until the connection has been lost once. */
  | { readonly state: 'open'; readonly first: boolean }
  /** Lost or not reached; reconnects after `delayMs`, which may be infinite. */
  | { readonly state: 'waiting'; readonly code: number; readonly reason: string; readonly delayMs: number }
  /** Refused by the server; only `retry()` connects again. */
  | { readonly state: 'refused'; readonly code: number; readonly reason: string };

export interface Rpc {
  readonly status: LinkStatus;
  readonly connected: boolean;
  /** Whether the server has `method`: an older one may lack it. False without a connection. */
  offers(method: MethodName): boolean;
  /** Calls `method`; resolves to its bare value, rejects with `RpcError`. */
  rpcExtract<M extends MethodName>(method: M, ...args: Params<M>): Promise<Result<M>>;
  /** Subscribes to a server event; an exception in one listener doesn't affect the others. */
  on<E extends EventName>(name: E, listener: (...args: EventArgs<E>) => void): Dispose;
  onStatus(listener: (status: LinkStatus) => void): Dispose;
  /** Exposes the methods of `instance` to the server as `name.<method>`, for this and all later connections. */
  addClass(instance: object, name: string): void;
  /** Connects at once instead of after the delay. */
  retry(): void;
  /** Connects again, also while there is a connection. */
  reconnect(): void;
}
