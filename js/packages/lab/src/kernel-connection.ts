/** JSON-RPC calls to one kernel over a comm of the target `jupyter_ac.kernel`, and what the kernel's panels say. */

import { N_, t } from '@jupyter-ac/messages';
import { KernelError, type KernelPanels } from '@jupyter-ac/page';
import type { Comm, KernelConnection as Kernel } from '@jupyterlab/application';

export const TARGET = 'jupyter_ac.kernel';
export const CALL_MS = 2000;
/** A subshell is started on another channel, so it comes even while a cell runs. */
const SUBSHELL_MS = 1000;
/** Calls without an answer, also those that are no longer waited for: a busy kernel would answer them all. */
const MAX_UNANSWERED = 8;
/** The same of panels, whose functions run between cells. */
const MAX_UNANSWERED_EVENTS = 512;

export const BUSY = N_('The kernel is busy; it answers when its cell has ended.');
const NOT_LOADED = N_('The kernel has not loaded jupyter_ac; load it to see its variables.');
const CLOSED = N_('The connection to the kernel was closed; try again.');
const RESTARTED = N_('The kernel was restarted; its variables are gone.');

interface Pending {
  /** May wait for the cell that runs. */
  readonly isOfPanel: boolean;
  resolve(result: unknown): void;
  reject(error: KernelError): void;
}

type MessageListener = Parameters<KernelPanels['onMessage']>[0];
type CloseListener = Parameters<KernelPanels['onClose']>[0];

/** Distinguishes the kernel from itself before a restart. */
let connections = 0;

/** Rejects as busy unless the promise is settled in time. */
export async function bounded<Result>(promise: Promise<Result>, ms: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new KernelError(t(BUSY), 'busy')), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export class KernelConnection {
  /** The panels of this kernel. */
  readonly panels: KernelPanels;
  readonly #messageListeners = new Set<MessageListener>();
  readonly #closeListeners = new Set<CloseListener>();
  readonly #comm: Comm;
  readonly #pending = new Map<number, Pending>();
  /** The first answer: until it came nothing else is sent. */
  readonly #ready: Promise<void>;
  #isReady = false;
  #lastId = 0;
  #ended: KernelError | null = null;

  /** @param kernel - Python's, with comms */
  constructor(kernel: Kernel) {
    connections += 1;
    this.panels = this.#panels(`${kernel.id}-${connections}`);
    this.#comm = kernel.createComm(TARGET);
    this.#comm.onClose = () => {
      // Without the target the kernel closes the comm as soon as it is opened.
      this.#end(
        this.#isReady ? new KernelError(t(CLOSED), 'closed') : new KernelError(t(NOT_LOADED), 'not-loaded'),
      );
    };
    this.#comm.onMsg = (message) => this.#take(message.content.data);
    this.#ready = this.#open(kernel);
    // Whoever calls is told.
    this.#ready.catch(() => {});
  }

  /** Why it has ended; null while it is open. */
  get ended(): KernelError | null {
    return this.#ended;
  }

  /** Waits for the kernel's first answer. */
  ready(): Promise<void> {
    return bounded(this.#ready, CALL_MS);
  }

  call(method: string, ...args: unknown[]): Promise<unknown> {
    return bounded(
      this.#ready.then(() => this.#request(`Kernel.${method}`, args)),
      CALL_MS,
    );
  }

  /** Ends all calls; the kernel has forgotten the comm. */
  restarted(): void {
    this.#end(new KernelError(t(RESTARTED), 'closed'));
    this.#comm.dispose();
  }

  close(): void {
    if (this.#ended) return;
    this.#end(new KernelError(t(CLOSED), 'closed'));
    if (!this.#comm.isDisposed) this.#comm.close();
  }

  async #open(kernel: Kernel): Promise<void> {
    if (kernel.supportsSubshells && this.#comm.subshellStarted) {
      // What is sent before goes to the main shell, and so waits for a cell.
      await bounded(this.#comm.subshellStarted, SUBSHELL_MS).catch(() => {});
    }
    if (this.#ended) throw this.#ended;
    this.#comm.open({});
    await this.#request('Kernel.get_history', [1]); // the cheapest
    this.#isReady = true;
  }

  #panels(id: string): KernelPanels {
    const isOpen = (): boolean => !this.#ended && !this.#comm.isDisposed;
    return {
      id,
      get isOpen() {
        return isOpen();
      },
      call: (method, ...args) => this.#ready.then(() => this.#request(method, args, true)),
      onMessage: (listener) => {
        this.#messageListeners.add(listener);
        return () => this.#messageListeners.delete(listener);
      },
      onClose: (listener) => {
        this.#closeListeners.add(listener);
        return () => this.#closeListeners.delete(listener);
      },
    };
  }

  #request(method: string, params: readonly unknown[], isOfPanel = false): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (this.#comm.isDisposed) return Promise.reject(new KernelError(t(CLOSED), 'closed'));
    const same = [...this.#pending.values()].filter((pending) => pending.isOfPanel === isOfPanel).length;
    if (same >= (isOfPanel ? MAX_UNANSWERED_EVENTS : MAX_UNANSWERED))
      return Promise.reject(new KernelError(t(BUSY), 'busy'));
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) =>
      this.#pending.set(id, { isOfPanel, resolve, reject }),
    );
    this.#comm.send({ frame: JSON.stringify({ jsonrpc: '2.0', id, method, params }) });
    return answer;
  }

  #take(data: unknown): void {
    const message = parse(data);
    if (typeof message?.method === 'string') {
      const { method, params } = message;
      for (const listener of [...this.#messageListeners])
        listener(method, Array.isArray(params) ? params : []);
    } else if (typeof message?.id === 'number') this.#settle(message as Answer);
  }

  #settle(answer: Answer): void {
    const pending = this.#pending.get(answer.id);
    if (!pending) return;
    this.#pending.delete(answer.id);
    const { error } = answer;
    if (!error) pending.resolve(answer.result);
    else pending.reject(new KernelError(error.data?.reason ?? error.message, error.data?.type ?? 'internal'));
  }

  #end(error: KernelError): void {
    if (this.#ended) return;
    this.#ended = error;
    const calls = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of calls) reject(error);
    for (const listener of [...this.#closeListeners]) listener(error);
  }
}

interface Frame {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
}

interface Answer extends Frame {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: {
    readonly message: string;
    readonly data?: { readonly type?: string; readonly reason?: string };
  };
}

/** The frame in a message; null for anything else. */
function parse(data: unknown): Frame | null {
  const frame = typeof data === 'object' && data !== null && 'frame' in data ? data.frame : null;
  if (typeof frame !== 'string') return null;
  try {
    const value: unknown = JSON.parse(frame);
    return typeof value === 'object' && value !== null ? (value as Frame) : null;
  } catch {
    return null;
  }
}
