/**
 * Diagram renderer in a hidden, sandboxed frame, loaded at the first diagram.
 *
 * Mermaid is large and its input was written by a model. In the frame it can reach neither this page nor the
 * network: the frame is sandboxed, and its CSP allows only its own script.
 */

import { BUILD_HASH } from '@jupyter-ac/link';
import { t } from '@jupyter-ac/messages';
import {
  type Diagram,
  type DiagramRenderer,
  type DrawAnswer,
  type DrawRequest,
  diagramsFile,
} from '@jupyter-ac/page';

/** Includes loading the frame; a diagram that takes longer is cancelled. */
const TIME_LIMIT_MS = 30_000;
const MAX_SVG = 5_000_000;
const UNSEEN = 'position: fixed; left: -10000px; top: 0; width: 1000px; height: 1000px; border: 0';

export class DiagramFrame implements DiagramRenderer {
  #frame: HTMLIFrameElement | null = null;
  #port: Promise<MessagePort> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /** @param home - HTTP URL of the UI's bundle; the frame's page is beside it */
  constructor(private readonly home: string) {}

  render(source: string, isDark: boolean): Promise<Diagram> {
    const mine = this.#last.then(() => this.#ask({ source, isDark }));
    this.#last = mine.catch(() => {});
    return mine;
  }

  dispose(): void {
    this.#frame?.remove();
    this.#frame = null;
    this.#port = null;
  }

  async #ask(request: DrawRequest): Promise<Diagram> {
    let answer: DrawAnswer;
    try {
      answer = await within(
        TIME_LIMIT_MS,
        (async () => {
          this.#port ??= this.#open();
          const port = await this.#port;
          return await exchange(port, request);
        })(),
      );
    } catch (error) {
      // It may hang on this source: remove the frame.
      this.dispose();
      throw error;
    }
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  }

  async #open(): Promise<MessagePort> {
    const frame = document.createElement('iframe');
    this.#frame = frame;
    frame.sandbox.add('allow-scripts');
    frame.src = new URL(diagramsFile(BUILD_HASH), this.home).href;
    frame.title = t('Diagrams');
    frame.tabIndex = -1;
    frame.setAttribute('aria-hidden', 'true');
    frame.style.cssText = UNSEEN;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    document.body.append(frame);
    await loaded;
    const { port1, port2 } = new MessageChannel();
    // A sandboxed frame has an opaque origin, so no target origin can be given.
    frame.contentWindow?.postMessage(null, '*', [port2]);
    return port1;
  }
}

/** Sends a request; the answer is untrusted and validated. */
function exchange(port: MessagePort, request: DrawRequest): Promise<DrawAnswer> {
  return new Promise((resolve) => {
    port.onmessage = ({ data }) => resolve(parse(data));
    port.postMessage(request);
  });
}

function parse(raw: unknown): DrawAnswer {
  const { svg, width, error } = (raw ?? {}) as Record<string, unknown>;
  if (typeof svg !== 'string') return { error: typeof error === 'string' ? error : t('It was not drawn.') };
  if (svg.length > MAX_SVG) return { error: t('The picture would be too large.') };
  return { svg, width: typeof width === 'number' && width > 0 ? width : null };
}

async function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(t('Drawing it took too long.'))), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
