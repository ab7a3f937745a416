/**
 * jrpc-oo client with reconnect and backoff. The only file that knows upstream's quirks
 * (docs/decisions/0007-front-end.md lists them); everything else uses the interface `Rpc`.
 *
 * Invariant: at most one remote exists, and events of older sockets are ignored.
 */

import './uuid.ts';
import { JRPCClient, type Remote } from '@flatmax/jrpc-oo/dist/bundle.js';
import { KERNEL_LOST } from './close-codes.ts';
import { closedError, toRpcError } from './errors.ts';
import {
  AcApp,
  answerTo,
  type CellRequests,
  CellRunHandler,
  type DocumentRequests,
  DocumentsHandler,
  type EventName,
} from './events.ts';
import type { Dispose, EventArgs, LinkStatus, MethodName, Params, Result, Rpc } from './rpc.ts';
import { closeReason, FINAL_CODES, type OpenSocket, openWebSocket, type SocketLike } from './socket.ts';

export const RETRY_DELAYS_MS: readonly number[] = [1000, 2000, 4000, 8000, 15000];
export const HANDSHAKE_MS = 15_000;

type Listener = (...args: unknown[]) => void;

export class RpcLink extends JRPCClient implements Rpc {
  #openSocket: OpenSocket = openWebSocket;
  #generation = 0;
  #socket: SocketLike | null = null;
  #remote: Remote | null = null;
  #remoteMethods: ReadonlySet<string> = new Set();
  #status: LinkStatus = { state: 'idle' };
  #failures = 0;
  #wasLost = false;
  #documents: DocumentRequests | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #pending = new Set<(error: unknown) => void>();
  readonly #listeners = new Map<EventName, Set<Listener>>();
  readonly #statusListeners = new Set<(status: LinkStatus) => void>();

  constructor() {
    super();
    this.addClass(new AcApp((name, args) => this.#emit(name, args)), 'AcApp');
  }

  get status(): LinkStatus {
    return this.#status;
  }

  get connected(): boolean {
    return this.#status.state === 'open';
  }

  offers(method: MethodName): boolean {
    return this.connected && this.#remoteMethods.has(method);
  }

  /** Connects to `uri`, after closing any other connection. */
  open(uri: string, openSocket: OpenSocket = openWebSocket): void {
    this.#openSocket = openSocket;
    this.#failures = 0;
    this.#wasLost = false;
    this.serverURI = uri;
    this.serverChanged();
  }

  /** Closes the connection without reconnecting; pending calls reject at once. */
  close(): void {
    this.#detach();
    this.#setStatus({ state: 'idle' });
  }

  /** Lets the server ask for open documents, and edit them; call it before `open`. */
  answerDocumentRequests(documents: DocumentRequests): void {
    this.#documents = documents;
    this.addClass(new DocumentsHandler(documents), 'AcApp');
  }

  /** Lets the server ask to run approved cells in open notebooks; call it before `open`. */
  answerCellRuns(cells: CellRequests): void {
    this.addClass(new CellRunHandler(cells), 'AcApp');
  }

  reconnect(): void {
    this.serverChanged();
  }

  retry(): void {
    if (this.#status.state === 'waiting' || this.#status.state === 'refused') this.serverChanged();
  }

  /** Calls `method` on the server; resolves to upstream's envelope `{remote: value}`. */
  async rpcCall<M extends MethodName>(method: M, ...args: Params<M>): Promise<Record<string, Result<M>>> {
    const remote = this.#remote;
    if (!remote || !this.connected) throw closedError();
    return { [remote.uuid]: await this.#request(remote, method, args) };
  }

  async rpcExtract<M extends MethodName>(method: M, ...args: Params<M>): Promise<Result<M>> {
    return Object.values(await this.rpcCall(method, ...args))[0] as Result<M>;
  }

  on<E extends EventName>(name: E, listener: (...args: EventArgs<E>) => void): Dispose {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(listener as Listener));
    return () => listeners.delete(listener as Listener);
  }

  onStatus(listener: (status: LinkStatus) => void): Dispose {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  }

  /** Upstream's hook for a new URI. Upstream's version drops the old socket without closing it. */
  override serverChanged(): void {
    this.#detach();
    const generation = this.#generation;
    this.#setStatus({ state: 'connecting' });
    let socket: SocketLike;
    try {
      socket = this.#openSocket(this.serverURI);
    } catch {
      this.#onConnectionLost(1006, `The address of the server is not valid: ${this.serverURI.split('?')[0]}`);
      return;
    }
    this.#socket = socket;
    const isCurrent = () => generation === this.#generation;
    socket.onopen = () => {
      if (isCurrent()) this.createRemote();
    };
    socket.onclose = ({ code, reason }) => {
      if (isCurrent()) this.#onConnectionLost(code, reason);
    };
    // Upstream gets a proxy: it would write to a closed socket and replace our listeners.
    this.ws = {
      send: (frame: string) => {
        if (isCurrent()) socket.send(frame);
      },
    };
  }

  override createRemote(): Remote {
    const remote = super.createRemote();
    this.#remote = remote;
    if (this.#socket) {
      this.#socket.onmessage = ({ data }) => {
        if (remote === this.#remote) this.#receive(remote, data);
      };
    }
    // Upstream doesn't report a handshake without an answer.
    this.#timer = setTimeout(
      () => this.#onConnectionLost(1006, "The server didn't answer the handshake."),
      HANDSHAKE_MS,
    );
    return remote;
  }

  /** Upstream's hook for the result of the handshake; ignored if its socket has been replaced. */
  override setupFns(names: string[], remote: Remote): void {
    if (remote !== this.#remote) return;
    this.#remoteMethods = new Set(names);
    super.setupFns(names, remote);
  }

  override setupDone(): void {
    clearTimeout(this.#timer);
    this.#failures = 0;
    if (!this.connected) this.#setStatus({ state: 'open', first: !this.#wasLost });
  }

  // Upstream's versions of these two only log.
  override remoteIsUp(): void {}
  override remoteDisconnected(): void {}

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): unknown {
    return undefined;
  }

  #request<M extends MethodName>(remote: Remote, method: M, args: Params<M>): Promise<Result<M>> {
    return new Promise((resolve, reject) => {
      this.#pending.add(reject);
      // Not by upstream's `call`: it throws during a handshake and logs each error.
      remote.call(method, { args }, (error, result) => {
        this.#pending.delete(reject);
        if (error) reject(toRpcError(error, method));
        else resolve(result as Result<M>);
      });
    });
  }

  /** Passes a frame to upstream, except those that make its parser throw. */
  #receive(remote: Remote, data: unknown): void {
    if (typeof data !== 'string') return;
    let frame: unknown;
    try {
      frame = JSON.parse(data);
    } catch {
      return;
    }
    if (isObject(frame) && this.#answeredDirectly(frame)) return;
    const items: unknown[] = Array.isArray(frame) ? frame : [frame];
    if (items.every(isObject))
      remote.receive(Array.isArray(frame) ? items.map(withParams) : withParams(frame as object));
  }

  /** Answers directly: upstream answers after two timers, which a hidden page delays by seconds. */
  #answeredDirectly(frame: object): boolean {
    const answer = this.#documents && answerTo(this.#documents, frame);
    if (answer) this.#socket?.send(JSON.stringify(answer));
    return answer !== null;
  }

  #emit(name: EventName, args: unknown[]): true {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      try {
        listener(...args);
      } catch (error) {
        reportError(error);
      }
    }
    return true;
  }

  #onConnectionLost(code: number, text: string): void {
    this.#detach();
    this.#wasLost = true;
    const reason = closeReason(code, text);
    if (FINAL_CODES.has(code)) {
      this.#setStatus({ state: 'refused', code, reason });
      return;
    }
    if (code === KERNEL_LOST) {
      this.#setStatus({ state: 'waiting', code, reason, delayMs: Number.POSITIVE_INFINITY });
      return;
    }
    const step = Math.min(this.#failures, RETRY_DELAYS_MS.length - 1);
    const delayMs = RETRY_DELAYS_MS[step] ?? 0;
    this.#failures += 1;
    this.#timer = setTimeout(() => this.serverChanged(), delayMs);
    this.#setStatus({ state: 'waiting', code, reason, delayMs });
  }

  /** Detaches socket and remote: their events are ignored from here on, pending calls reject. */
  #detach(): void {
    this.#generation += 1;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    const remote = this.#remote;
    this.ws = null;
    this.#socket = null;
    this.#remote = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
    if (!remote) return;
    this.rmRemote(undefined, remote.uuid);
    remote.shutdown();
    // Upstream would only reject them after their timeout.
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const reject of pending) reject(closedError());
  }

  #setStatus(status: LinkStatus): void {
    this.#status = status;
    for (const listener of [...this.#statusListeners]) listener(status);
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Adds empty `params` to a request without them: upstream would throw. */
function withParams(message: object): object {
  if (!('method' in message) || message.method === 'system.listComponents') return message;
  return 'params' in message && isObject(message.params) ? message : { ...message, params: { args: [] } };
}
