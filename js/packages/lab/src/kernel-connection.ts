/** JSON-RPC calls to one kernel over a comm of the target `jupyter_ac.kernel`. */

import { KernelError } from '@jupyter-ac/page';
import type { Comm, KernelConnection as Kernel } from '@jupyterlab/application';

export const TARGET = 'jupyter_ac.kernel';
export const CALL_MS = 2000;
/** A subshell is started on another channel, so it comes even while a cell runs. */
const SUBSHELL_MS = 1000;
/** Calls without an answer, also those that are no longer waited for: a busy kernel would answer them all. */
const MAX_UNANSWERED = 8;

export const BUSY = 'The kernel is busy; it answers when its cell has ended.';
const NOT_LOADED = 'The kernel has not loaded jupyter_ac; load it to see its variables.';
const CLOSED = 'The connection to the kernel was closed; try again.';
const RESTARTED = 'The kernel was restarted; its variables are gone.';

interface Pending {
  resolve(result: unknown): void;
  reject(error: KernelError): void;
}

/** Rejects as busy unless the promise is settled in time. */
export async function bounded<Result>(promise: Promise<Result>, ms: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new KernelError(BUSY, 'busy')), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

export class KernelConnection {
  readonly #comm: Comm;
  readonly #pending = new Map<number, Pending>();
  /** The first answer: until it came nothing else is sent. */
  readonly #ready: Promise<void>;
  #isReady = false;
  #lastId = 0;
  #ended: KernelError | null = null;

  /** @param kernel - Python's, with comms */
  constructor(kernel: Kernel) {
    this.#comm = kernel.createComm(TARGET);
    this.#comm.onClose = () => {
      // Without the target the kernel closes the comm as soon as it is opened.
      this.#end(
        this.#isReady ? new KernelError(CLOSED, 'closed') : new KernelError(NOT_LOADED, 'not-loaded'),
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
      this.#ready.then(() => this.#request(method, args)),
      CALL_MS,
    );
  }

  /** Ends all calls; the kernel has forgotten the comm. */
  restarted(): void {
    this.#end(new KernelError(RESTARTED, 'closed'));
    this.#comm.dispose();
  }

  close(): void {
    if (this.#ended) return;
    this.#end(new KernelError(CLOSED, 'closed'));
    if (!this.#comm.isDisposed) this.#comm.close();
  }

  async #open(kernel: Kernel): Promise<void> {
    if (kernel.supportsSubshells && this.#comm.subshellStarted) {
      // What is sent before goes to the main shell, and so waits for a cell.
      await bounded(this.#comm.subshellStarted, SUBSHELL_MS).catch(() => {});
    }
    if (this.#ended) throw this.#ended;
    this.#comm.open({});
    await this.#request('get_history', [1]); // the cheapest
    this.#isReady = true;
  }

  #request(method: string, params: readonly unknown[]): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (this.#comm.isDisposed) return Promise.reject(new KernelError(CLOSED, 'closed'));
    if (this.#pending.size >= MAX_UNANSWERED) return Promise.reject(new KernelError(BUSY, 'busy'));
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<unknown>((resolve, reject) => this.#pending.set(id, { resolve, reject }));
    const frame = JSON.stringify({ jsonrpc: '2.0', id, method: `Kernel.${method}`, params });
    this.#comm.send({ frame });
    return answer;
  }

  #take(data: unknown): void {
    const answer = parse(data);
    const pending = this.#pending.get(answer?.id ?? 0);
    if (!answer || !pending) return;
    this.#pending.delete(answer.id);
    const { error } = answer;
    if (!error) pending.resolve(answer.result);
    else pending.reject(new KernelError(error.message, error.data?.type ?? 'internal'));
  }

  #end(error: KernelError): void {
    this.#ended ??= error;
    const calls = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of calls) reject(error);
  }
}

interface Answer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string; readonly data?: { readonly type?: string } };
}

/** The answer in a message; null for anything else. */
function parse(data: unknown): Answer | null {
  const frame = typeof data === 'object' && data !== null && 'frame' in data ? data.frame : null;
  if (typeof frame !== 'string') return null;
  try {
    const value: unknown = JSON.parse(frame);
    const isAnswer =
      typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number';
    return isAnswer ? (value as Answer) : null;
  } catch {
    return null;
  }
}
