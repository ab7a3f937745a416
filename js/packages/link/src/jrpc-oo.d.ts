/** The parts of `@flatmax/jrpc-oo` 1.2 (and of its `jrpc`) that `RpcLink` touches. */
declare module '@flatmax/jrpc-oo/dist/bundle.js' {
  export type Settle = (error: unknown, result: unknown) => void;

  /** One connection's JSON-RPC state (`jrpc`). */
  export interface Remote {
    uuid: string;
    remoteComponents: Record<string, unknown>;
    rpcs?: Record<string, unknown>;
    call(method: string, params: { args: unknown[] }, settle: Settle): void;
    receive(frame: object): void;
    shutdown(): void;
  }

  export class JRPCClient extends HTMLElement {
    serverURI: string;
    ws: unknown;
    remoteTimeout: number;
    remotes?: Record<string, Remote>;
    addClass(instance: object, name: string): void;
    createRemote(): Remote;
    rmRemote(event: unknown, uuid: string): void;
    setupFns(names: string[], remote: Remote): void;
    setupDone(): void;
    serverChanged(): void;
    remoteIsUp(): void;
    remoteDisconnected(uuid: string): void;
    protected createRenderRoot(): HTMLElement | DocumentFragment;
    protected render(): unknown;
  }
}
