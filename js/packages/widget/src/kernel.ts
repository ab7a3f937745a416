/** The kernel's end of the widget: small JSON messages, asked and answered, every wait bounded. */

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

/** A busy kernel answers when its cell is done, unless it has a thread for this. */
const REPEAT_MS = 5000;

export class Kernel {
  readonly #listeners = new Set<(message: Message) => void>();
  readonly #receive = (content: unknown): void => {
    if (typeof content !== 'object' || content === null) return;
    for (const listener of [...this.#listeners]) listener(content as Message);
  };

  constructor(private readonly model: Model) {
    model.on('msg:custom', this.#receive);
  }

  dispose(): void {
    this.model.off('msg:custom', this.#receive);
    this.#listeners.clear();
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
    const { directory, root, nonce, versions } = await this.#ask('hello', signal);
    const hash = typeof versions === 'object' && versions !== null && 'hash' in versions ? versions.hash : '';
    return { directory: String(directory ?? ''), root: text(root), nonce: text(nonce), hash: String(hash) };
  }

  /** The UI's source, from the kernel's own installation. */
  async uiSource(signal: AbortSignal): Promise<string> {
    return String((await this.#ask('ui', signal)).source ?? '');
  }

  /** Sends `{type}` until a message of that type comes back; rejects on the kernel's `error`. */
  #ask(type: string, signal: AbortSignal): Promise<Message> {
    return new Promise((resolve, reject) => {
      const repeat = setInterval(() => this.send({ type }), REPEAT_MS);
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
      this.send({ type });
    });
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
