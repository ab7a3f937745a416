import {
  type Dispose,
  type EventArgs,
  type EventName,
  type LinkStatus,
  type MethodName,
  type Params,
  type Result,
  type Rpc,
  RpcError,
} from '@jupyter-ac/link/rpc';

type Listener = (...args: unknown[]) => void;

export interface Call {
  readonly method: string;
  readonly args: readonly unknown[];
  answer(value: unknown): Promise<void>;
  fail(type: string, message?: string): Promise<void>;
}

/** Lets all promises that are ready run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

/** The port's other side in the hands of the test: calls wait until they are answered. */
export class FakeRpc implements Rpc {
  status: LinkStatus = { state: 'connecting' };
  readonly calls: Call[] = [];
  retries = 0;
  /** What the server is too old for. */
  readonly lacking = new Set<string>();
  /** Answers given at once, by method. */
  readonly ready = new Map<string, (...args: unknown[]) => unknown>();
  /** What the page exposes, by name. */
  readonly classes = new Map<string, object>();
  readonly #events = new Map<EventName, Set<Listener>>();
  readonly #statusListeners = new Set<(status: LinkStatus) => void>();

  get connected(): boolean {
    return this.status.state === 'open';
  }

  offers(method: MethodName): boolean {
    return this.connected && !this.lacking.has(method);
  }

  rpcExtract<M extends MethodName>(method: M, ...args: Params<M>): Promise<Result<M>> {
    const instant = this.ready.get(method);
    return new Promise((resolve, reject) => {
      const call: Call = {
        method,
        args,
        answer: (value) => {
          resolve(value as Result<M>);
          return settle();
        },
        fail: (type, message = type) => {
          reject(new RpcError(message, type, -32000));
          return settle();
        },
      };
      this.calls.push(call);
      if (instant) resolve(instant(...args) as Result<M>);
    });
  }

  on<E extends EventName>(name: E, listener: (...args: EventArgs<E>) => void): Dispose {
    const listeners = this.#events.get(name) ?? new Set();
    this.#events.set(name, listeners.add(listener as Listener));
    return () => listeners.delete(listener as Listener);
  }

  onStatus(listener: (status: LinkStatus) => void): Dispose {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  }

  reconnect(): void {
    this.retry();
  }

  retry(): void {
    this.retries += 1;
  }

  addClass(instance: object, name: string): void {
    this.classes.set(name, instance);
  }

  /** Calls a method that the page exposes, such as `Panels.updateTree`. */
  async push(method: string, ...args: unknown[]): Promise<void> {
    const [name = '', member = ''] = method.split('.');
    const instance = this.classes.get(name) as Record<string, (...args: unknown[]) => unknown> | undefined;
    if (!instance?.[member]) throw new Error(`the page has no ${method}`);
    instance[member](...args);
    await settle();
  }

  async become(status: LinkStatus): Promise<void> {
    this.status = status;
    for (const listener of [...this.#statusListeners]) listener(status);
    await settle();
  }

  async emit(name: EventName, ...args: unknown[]): Promise<void> {
    for (const listener of [...(this.#events.get(name) ?? [])]) listener(...args);
    await settle();
  }

  /** The only or last call of `method`. */
  last(method: string): Call {
    const call = this.calls.filter((made) => made.method === method).at(-1);
    if (!call) throw new Error(`${method} was not called`);
    return call;
  }

  count(method: string): number {
    return this.calls.filter((made) => made.method === method).length;
  }
}
