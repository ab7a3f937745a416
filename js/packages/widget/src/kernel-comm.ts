/** The kernel's end of the widget: small JSON messages, asked and answered, every wait bounded. */

import { type Chunk, type NearbyRepositories, parseNearbyRepositories } from '@jupyter-ac/page';
import type { Model } from './anywidget.ts';

type Message = Readonly<Record<string, unknown>>;

/** What the kernel says about the place that it stands in. */
export interface Hello {
  readonly directory: string;
  /** Top level of the repository there; null when there is none. */
  readonly root: string | null;
  readonly nonce: string | null;
  readonly hash: string;
}

/** ipywidgets tells of a comm that has ended or whose kernel restarts. */
const COMM_EVENTS = ['comm:close', 'comm_live_update'];

/** A busy kernel answers when its cell is done, unless it has a thread for this. */
const RESEND_MS = 5000;

export const NO_ANSWER =
  'The kernel does not answer: a cell keeps it busy, or it was restarted. In that case run the cell with %ac again.';

/** After how long a silent kernel may be another one, by the front end's word for it. */
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

  /** What the front end knows of the kernel, such as `idle` or `busy`; '' where it doesn't say. */
  get status(): string {
    const manager = this.model.widget_manager;
    const kernel = isObject(manager) && 'kernel' in manager ? manager.kernel : null;
    return (isObject(kernel) && 'status' in kernel && text(kernel.status)) || '';
  }

  /** Whether a silence of `waitedMs` may mean that nobody is there, or somebody else. */
  mayBeGone(waitedMs: number): boolean {
    // All other words are about a kernel that starts, ends or is dead: none that runs a cell.
    return waitedMs >= (GONE_AFTER_MS[this.status] ?? 0);
  }

  dispose(): void {
    this.model.off('msg:custom', this.#receive);
    this.#listeners.clear();
  }

  /** Hears every message, until the function that it gives is called. */
  listen(listener: (message: Message) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls `check` when the comm may have been lost. */
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

  /** Sends what the kernel should know; one that is gone needn't. */
  send(message: Message): void {
    try {
      this.model.send(message);
    } catch {
      // The kernel was restarted or lost; the panel lives on its own connection to the server.
    }
  }

  async hello(signal: AbortSignal): Promise<Hello> {
    const { directory, root, nonce, versions } = await this.#request('hello', signal);
    const hash = typeof versions === 'object' && versions !== null && 'hash' in versions ? versions.hash : '';
    return { directory: String(directory ?? ''), root: text(root), nonce: text(nonce), hash: String(hash) };
  }

  /** Looks for repositories near the kernel's folder, which is in none. */
  async findNearbyRepositories(signal: AbortSignal): Promise<NearbyRepositories> {
    return parseNearbyRepositories(await this.#request('surroundings', signal));
  }

  /** Makes the kernel's folder a git repository, when it is the one that was confirmed. */
  async initRepository(confirm: string, signal: AbortSignal): Promise<void> {
    await this.#request('repository', signal, { confirm });
  }

  /** Has the panel go to another folder, one that `findNearbyRepositories` has named. */
  async openRepository(folder: string, signal: AbortSignal): Promise<void> {
    await this.#request('open', signal, { folder });
  }

  /** The source of a bundle, from the kernel's own installation. */
  async source(bundle: 'ui' | Chunk, signal: AbortSignal): Promise<string> {
    return String((await this.#request(bundle, signal)).source ?? '');
  }

  /** Sends `{type, …}` until a message of that type comes back; rejects on the kernel's `error`. */
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
        reject(new Error('The view was closed.'));
      };
      const listener = (message: Message): void => {
        if (message.type !== type && message.type !== 'error') return;
        end();
        if (message.type === type) resolve(message);
        else reject(new Error(text(message.message) ?? 'The kernel reported an error.'));
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
