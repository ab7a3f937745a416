/**
 * Context protocol for the link: elements request the link of their panel by a bubbling event, which the
 * panel's `LinkProvider` answers. So two panels on a page never mix.
 */

import type { Dispose, LinkStatus, MethodName, Params, Result } from './rpc.ts';
import type { RpcLink } from './rpc-link.ts';

const REQUEST = 'ac-link-request';

interface Consumer {
  setLink(link: RpcLink | null): void;
}

interface LinkRequest {
  consumer: Consumer;
  unsubscribe: Dispose | null;
}

/** Answers the requests that bubble up to `root`; a link set later is passed to all consumers. */
export class LinkProvider {
  #link: RpcLink | null = null;
  readonly #consumers = new Set<Consumer>();

  constructor(root: EventTarget) {
    root.addEventListener(REQUEST, (event) => {
      event.stopPropagation();
      const request = (event as CustomEvent<LinkRequest>).detail;
      this.#consumers.add(request.consumer);
      request.unsubscribe = () => this.#consumers.delete(request.consumer);
      request.consumer.setLink(this.#link);
    });
  }

  set(link: RpcLink | null): void {
    this.#link = link;
    for (const consumer of [...this.#consumers]) consumer.setLink(link);
  }
}

interface Reactive extends HTMLElement {
  connectedCallback?(): void;
  disconnectedCallback?(): void;
  requestUpdate?(): void;
}

// biome-ignore lint/suspicious/noExplicitAny: TypeScript asks for any[] in the constructor of a mixin
type ElementClass = new (...args: any[]) => Reactive;

export interface RpcElement {
  /** Whether the connection is open; the element updates when it changes. */
  readonly rpcConnected: boolean;
  /** Calls a method; resolves to the envelope `{remote: value}`. */
  rpcCall<M extends MethodName>(method: M, ...args: Params<M>): Promise<Record<string, Result<M>>>;
  /** Calls a method; resolves to the bare value. */
  rpcExtract<M extends MethodName>(method: M, ...args: Params<M>): Promise<Result<M>>;
  /** Called when the connection is open, and again after each reconnect. */
  onRpcReady(): void;
}

// biome-ignore lint/suspicious/noExplicitAny: as above
type WithRpcElement = new (...args: any[]) => RpcElement;

export function RpcMixin<T extends ElementClass>(base: T): T & WithRpcElement {
  class WithRpc extends base implements RpcElement {
    #link: RpcLink | null = null;
    #unlisten: Dispose | null = null;
    #release: Dispose | null = null;

    get rpcConnected(): boolean {
      return this.#link?.connected ?? false;
    }

    override connectedCallback(): void {
      super.connectedCallback?.();
      const detail: LinkRequest = { consumer: { setLink: (link) => this.#take(link) }, unsubscribe: null };
      this.dispatchEvent(new CustomEvent(REQUEST, { bubbles: true, composed: true, detail }));
      this.#release = detail.unsubscribe;
    }

    override disconnectedCallback(): void {
      super.disconnectedCallback?.();
      this.#release?.();
      this.#release = null;
      this.#take(null);
    }

    rpcCall<M extends MethodName>(method: M, ...args: Params<M>): Promise<Record<string, Result<M>>> {
      const link = this.#link;
      return link ? link.rpcCall(method, ...args) : Promise.reject(new Error('This element has no link.'));
    }

    rpcExtract<M extends MethodName>(method: M, ...args: Params<M>): Promise<Result<M>> {
      return this.rpcCall(method, ...args).then((envelope) => Object.values(envelope)[0] as Result<M>);
    }

    onRpcReady(): void {}

    #take(link: RpcLink | null): void {
      this.#unlisten?.();
      this.#link = link;
      this.#unlisten = link?.onStatus((status) => this.#onStatus(status)) ?? null;
      if (link?.connected) this.#onStatus(link.status);
      else this.requestUpdate?.();
    }

    #onStatus(status: LinkStatus): void {
      this.requestUpdate?.();
      if (status.state === 'open') this.onRpcReady();
    }
  }
  return WithRpc as unknown as T & WithRpcElement;
}
