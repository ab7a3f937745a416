/**
 * A plugin's own pipe: its protocol under bare names, as JSON-RPC 2.0 over a socket, which is opened again when it was
 * lost for a while.
 */

import { t } from '@jupyter-ac/messages';
import type { Dispose } from '../store.ts';
import type { PanelConnection, PluginToHost } from './connection.ts';

/** The part of a WebSocket that is used; adapters implement it, too. */
export interface PipeSocket {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(frame: string): void;
  close(): void;
}

export interface OwnPipeOptions {
  readonly open: () => PipeSocket;
  /** Codes after which it isn't opened again. */
  readonly finalCodes: ReadonlySet<number>;
}

export const REOPEN_DELAYS_MS: readonly number[] = [500, 1000, 2000, 4000, 8000, 15_000];
const CLOSED = t('The connection to the panel was lost.');

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Frame {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: {
    readonly message?: unknown;
    readonly data?: { readonly reason?: unknown } | null;
  } | null;
}

export class OwnPipe implements PanelConnection {
  connected = false;
  readonly #hosts = new Set<PluginToHost>();
  readonly #closed = new Set<(reason: string) => void>();
  readonly #opened = new Set<() => void>();
  readonly #pending = new Map<number, Pending>();
  #socket: PipeSocket | null = null;
  #lastId = 0;
  #failures = 0;
  #timer: number | undefined;
  #isEnded = false;

  constructor(private readonly options: OwnPipeOptions) {
    this.#open();
  }

  call(method: string, ...args: readonly unknown[]): Promise<unknown> {
    if (!this.connected || !this.#socket) return Promise.reject(new Error(CLOSED));
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params: args }));
    return answer;
  }

  serve(host: PluginToHost): Dispose {
    this.#hosts.add(host);
    return () => this.#hosts.delete(host);
  }

  onClose(listener: (reason: string) => void): Dispose {
    this.#closed.add(listener);
    return () => this.#closed.delete(listener);
  }

  onOpen(listener: () => void): Dispose {
    this.#opened.add(listener);
    return () => this.#opened.delete(listener);
  }

  restart(): Promise<unknown> {
    return this.call('restart');
  }

  /** Closes it for good; calls that wait are rejected. */
  close(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
    this.#socket = null;
    this.connected = false;
    this.#rejectAll(CLOSED);
  }

  #open(): void {
    const socket = this.options.open();
    this.#socket = socket;
    socket.onopen = () => {
      this.connected = true;
      this.#failures = 0;
      for (const listener of [...this.#opened]) listener();
    };
    socket.onmessage = ({ data }) => this.#take(data);
    socket.onclose = ({ code, reason }) => this.#onClose(code, reason);
  }

  #onClose(code: number, reason: string): void {
    this.#socket = null;
    const isFinal = this.options.finalCodes.has(code);
    if (this.connected || isFinal) {
      this.connected = false;
      this.#rejectAll(reason || CLOSED);
      for (const listener of [...this.#closed]) listener(reason);
    }
    if (isFinal || this.#isEnded) return;
    const delay = REOPEN_DELAYS_MS[Math.min(this.#failures, REOPEN_DELAYS_MS.length - 1)];
    this.#failures += 1;
    this.#timer = setTimeout(() => this.#open(), delay);
  }

  #take(data: unknown): void {
    const frame = parse(data);
    if (!frame) return;
    if (typeof frame.method !== 'string') {
      this.#settle(frame);
      return;
    }
    const args = Array.isArray(frame.params) ? frame.params : [];
    for (const host of [...this.#hosts]) deliver(host, frame.method, args);
    if (frame.id === undefined) return;
    this.#socket?.send(JSON.stringify({ jsonrpc: '2.0', id: frame.id, result: null }));
  }

  #settle({ id, result, error }: Frame): void {
    const pending = typeof id === 'number' ? this.#pending.get(id) : undefined;
    if (!pending) return;
    this.#pending.delete(id as number);
    if (!error) pending.resolve(result);
    else pending.reject(new Error(sentenceOf(error.data?.reason) || sentenceOf(error.message) || CLOSED));
  }

  #rejectAll(reason: string): void {
    const calls = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of calls) reject(new Error(reason));
  }
}

function sentenceOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function deliver(host: PluginToHost, method: string, args: readonly unknown[]): void {
  if (method === 'updateTree') host.updateTree(args[0]);
  else if (method === 'applyMutations') host.applyMutations(args[0]);
  else if (method === 'log') host.log(args[0], args[1]);
  else if (method === 'reportError') host.reportError(args[0]);
}

function parse(data: unknown): Frame | null {
  if (typeof data !== 'string') return null;
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null ? (value as Frame) : null;
  } catch {
    return null;
  }
}
