/**
 * Draws diagrams in a hidden frame with a page of its own, loaded at the first one.
 *
 * What draws them is large and reads what a model wrote. There it reaches neither this page nor any address:
 * the frame is sandboxed, and its server allows it nothing but its own script.
 */

import { BUILD_HASH } from '@jupyter-ac/link';
import {
  type Diagram,
  type DiagramRenderer,
  type DrawAnswer,
  type DrawRequest,
  diagramsFile,
} from '@jupyter-ac/page';

/** For loading it as well; a source that takes longer is given up. */
const TIME_LIMIT_MS = 30_000;
const MAX_SVG = 5_000_000;
const UNSEEN = 'position: fixed; left: -10000px; top: 0; width: 1000px; height: 1000px; border: 0';

export class DiagramFrame implements DiagramRenderer {
  #frame: HTMLIFrameElement | null = null;
  #port: Promise<MessagePort> | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /** @param home - where the UI came from, over HTTP: the page lies beside it */
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
      // It may be busy with the source for ever.
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
    frame.title = 'Diagrams';
    frame.tabIndex = -1;
    frame.setAttribute('aria-hidden', 'true');
    frame.style.cssText = UNSEEN;
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
    document.body.append(frame);
    await loaded;
    const { port1, port2 } = new MessageChannel();
    // Its origin is nobody's, so none can be named.
    frame.contentWindow?.postMessage(null, '*', [port2]);
    return port1;
  }
}

/** Whatever comes from the frame is somebody else's. */
function exchange(port: MessagePort, request: DrawRequest): Promise<DrawAnswer> {
  return new Promise((resolve) => {
    port.onmessage = ({ data }) => resolve(parse(data));
    port.postMessage(request);
  });
}

function parse(raw: unknown): DrawAnswer {
  const { svg, width, error } = (raw ?? {}) as Record<string, unknown>;
  if (typeof svg !== 'string') return { error: typeof error === 'string' ? error : 'It was not drawn.' };
  if (svg.length > MAX_SVG) return { error: 'The picture would be too large.' };
  return { svg, width: typeof width === 'number' && width > 0 ? width : null };
}

async function within<Value>(milliseconds: number, work: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Drawing it took too long.')), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
