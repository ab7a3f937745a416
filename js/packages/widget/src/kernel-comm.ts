/** Request-response messages over the widget's comm to the kernel. */

import { t } from '@jupyter-ac/messages';
import { type Chunk, type NearbyRepositories, parseNearbyRepositories } from '@jupyter-ac/page';
import type { Model } from './anywidget.ts';

type Message = Readonly<Record<string, unknown>>;

/** Handshake of the kernel: its directory and repository. */
export interface Hello {
  readonly directory: string;
  /** Root of the repository there; null when there is none. */
  readonly root: string | null;
  readonly nonce: string | null;
  readonly hash: string;
}

/** Events of ipywidgets for a comm that was closed or whose kernel restarts. */
const COMM_EVENTS = ['comm:close', 'comm_live_update'];

/** A busy kernel answers when its cell is done, unless it handles comms in a separate thread. */
const RESEND_MS = 5000;

export const NO_ANSWER = t(
  'The kernel does not answer: a cell keeps it busy, or it was restarted. In that case run the cell with %ac again.',
);

/** Time after which a silent kernel may be gone or replaced, by the status that the front end reports. */
const GONE_AFTER_MS: Readonly<Record<string, number>> = {
  busy: Number.POSITIVE_INFINITY,
  idle: 5000,
  unknown: 10_000,
  '': 30_000,
};

export class KernelComm {
  readonly #listeners = new Set<(message: Message) => void>();
  readonly #receive = (content: unknown): void => {
    if (typeof content !== 'object' || content === null) return;
    for (const listener of [...this.#listeners]) listener(content as Message);
  };

  constructor(private readonly model: Model) {
    model.on('msg:custom', this.#receive);
  }

  /** Kernel status reported by the front end, such as `idle` or `busy`; '' when it doesn't report one. */
  get status(): string {
    const manager = this.model.widget_manager;
    const kernel = isObject(manager) && 'kernel' in manager ? manager.kernel : null;
    return (isObject(kernel) && 'status' in kernel && text(kernel.status)) || '';
  }

  /** Whether a silence of `waitedMs` may mean that the kernel is gone or was replaced. */
  mayBeGone(waitedMs: number): boolean {
    // All other statuses are of a kernel that is starting, ending or dead: it runs no cell.
    return waitedMs >= (GONE_AFTER_MS[this.status] ?? 0);
  }

  dispose(): void {
    this.model.off('msg:custom', this.#receive);
    this.#listeners.clear();
  }

  /** Subscribes to all messages; returns the function that unsubscribes. */
  listen(listener: (message: Message) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `check` when the comm may have been closed. */
  onCommEvent(check: () => void): () => void {
    for (const event of COMM_EVENTS) this.model.on(event, check);
    return () => {
      for (const event of COMM_EVENTS) this.model.off(event, check);
    };
  }

  /** Sends; throws when the widget has lost its kernel. */
  sendOrThrow(message: Message): void {
    this.model.send(message);
  }

  /** Sends a message; ignored when the kernel is gone. */
  send(message: Message): void {
    try {
      this.model.send(message);
    } catch {
      // The kernel was restarted or lost; the panel may still have its own connection to the server.
    }
  }

  async hello(signal: AbortSignal): Promise<Hello> {
    const { directory, root, nonce, versions } = await this.#request('hello', signal);
    const hash = typeof versions === 'object' && versions !== null && 'hash' in versions ? versions.hash : '';
    return { directory: String(directory ?? ''), root: text(root), nonce: text(nonce), hash: String(hash) };
  }

  /** Finds repositories near the kernel's folder, which is in none. */
  async findNearbyRepositories(signal: AbortSignal): Promise<NearbyRepositories> {
    return parseNearbyRepositories(await this.#request('surroundings', signal));
  }

  /** Runs `git init` in the kernel's folder, if it is the confirmed one. */
  async initRepository(confirm: string, signal: AbortSignal): Promise<void> {
    await this.#request('repository', signal, { confirm });
  }

  /** Opens the kernel's folder without a repository, if it is the confirmed one. */
  async openPlainFolder(confirm: string, signal: AbortSignal): Promise<void> {
    await this.#request('repository', signal, { confirm, git: false });
  }

  /** Moves the panel to another folder, one from `findNearbyRepositories`. */
  async openRepository(folder: string, signal: AbortSignal): Promise<void> {
    await this.#request('open', signal, { folder });
  }

  /** Source text of a bundle, from the kernel's installation. */
  async source(bundle: 'ui' | Chunk, signal: AbortSignal): Promise<string> {
    return String((await this.#request(bundle, signal)).source ?? '');
  }

  /** Sends `{type, …}` repeatedly until a message of that type arrives; rejects on the kernel's `error`. */
  #request(type: string, signal: AbortSignal, more: Message = {}): Promise<Message> {
    const message = { type, ...more };
    return new Promise((resolve, reject) => {
      const repeat = setInterval(() => this.send(message), RESEND_MS);
      const end = (): void => {
        clearInterval(repeat);
        this.#listeners.delete(listener);
        signal.removeEventListener('abort', abort);
      };
      const abort = (): void => {
        end();
        reject(new Error(t('The view was closed.')));
      };
      const listener = (message: Message): void => {
        if (message.type !== type && message.type !== 'error') return;
        end();
        if (message.type === type) resolve(message);
        else reject(new Error(text(message.message) ?? t('The kernel reported an error.')));
      };
      this.#listeners.add(listener);
      signal.addEventListener('abort', abort);
      this.send(message);
    });
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
