/** The port through which the rest of the UI sees a connection; `RpcLink` is the real one. */

import type { EventName } from './events.ts';
import type { Events, Methods } from './generated/api.ts';

export { RpcError } from './errors.ts';
export type { EventName } from './events.ts';
export type * from './generated/api.ts';
export { PROTOCOL } from './generated/api.ts';

export type MethodName = keyof Methods;
export type Params<M extends MethodName> = Methods[M]['params'];
export type Result<M extends MethodName> = Methods[M]['result'];
/** What an event brings; of those that this server's version doesn't push yet nothing is known. */
export type EventArgs<E extends EventName> = E extends keyof Events ? Events[E] : unknown[];

export type Dispose = () => void;

export type LinkStatus =
  /** Never opened, or closed on purpose. */
  | { readonly state: 'idle' }
  | { readonly state: 'connecting' }
  /** Calls work; `first` until the connection has been lost once. */
  | { readonly state: 'open'; readonly first: boolean }
  /** Lost or not reached; tries again after `delayMs`, which may be for ever. */
  | { readonly state: 'waiting'; readonly code: number; readonly reason: string; readonly delayMs: number }
  /** The server said no; only `retry()` tries again. */
  | { readonly state: 'refused'; readonly code: number; readonly reason: string };

export interface Rpc {
  readonly status: LinkStatus;
  readonly connected: boolean;
  /** Whether the server has `method`; one of an older version lacks some. False without a connection. */
  offers(method: MethodName): boolean;
  /** Calls `method` and gives its bare value; rejects with `RpcError`. */
  rpcExtract<M extends MethodName>(method: M, ...args: Params<M>): Promise<Result<M>>;
  /** Listens to an event of the server's; a listener that throws harms nobody else. */
  on<E extends EventName>(name: E, listener: (...args: EventArgs<E>) => void): Dispose;
  onStatus(listener: (status: LinkStatus) => void): Dispose;
  /** Connects at once instead of after the delay. */
  retry(): void;
}
