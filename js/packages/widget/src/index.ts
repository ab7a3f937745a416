/**
 * The widget's `_esm`: a loader. It chooses the door, gets the UI (from the Jupyter server when that has
 * the same build, else from the kernel) and mounts it. Each view has its own panel and connection.
 */

import { importSource, importUi, type PageConfig, readPage } from '@jupyter-ac/page';
import type * as ui from '@jupyter-ac/ui';
import type { RenderArguments } from './anywidget.ts';
import { chooseDoor, type Door } from './door.ts';
import { Kernel, NO_ANSWER } from './kernel.ts';
import { mount } from './mount.ts';
import { frame, say } from './view.ts';

declare const __AC_HASH__: string;

type Ui = typeof ui;

/** Without an answer for this long the kernel is busy, most likely. */
const PATIENCE_MS = 1500;

async function loadUi(page: PageConfig | null, kernel: Kernel, signal: AbortSignal): Promise<Ui> {
  if (page) {
    try {
      return await importUi<Ui>(page, __AC_HASH__);
    } catch {
      // The server is another version, or has no such files.
    }
  }
  // The kernel has the bundle that this loader belongs to.
  return importSource<Ui>(await kernel.source('ui', signal));
}

function localStore(): Storage | null {
  try {
    return globalThis.localStorage;
  } catch {
    return null;
  }
}

function render({ model, el }: RenderArguments): () => void {
  const kernel = new Kernel(model);
  const closing = new AbortController();
  const node = frame(el);
  const page = readPage();
  let unmount = (): void => {};

  const open = async (): Promise<void> => {
    say(node, 'Starting …');
    const since = performance.now();
    const patience = setInterval(() => {
      // A front end may show a panel of an earlier kernel's, from the state that a notebook has kept.
      const isDoubtful = kernel.isDoubtful(performance.now() - since);
      say(node, isDoubtful ? NO_ANSWER : 'Waiting for the kernel; a cell may be running …');
    }, PATIENCE_MS);
    closing.signal.addEventListener('abort', () => clearInterval(patience));
    const [hello, door] = await Promise.all([
      kernel.hello(closing.signal),
      chooseDoor(page, localStore()),
    ]).finally(() => clearInterval(patience));
    const module = await loadUi(door.kind === 'server' ? page : null, kernel, closing.signal);
    const enter = (chosen: Door): void => {
      if (closing.signal.aborted) return;
      unmount();
      node.replaceChildren();
      unmount = mount({ module, node, hello, kernel, door: chosen, goThrough: enter, startAgain: start });
    };
    enter(door);
  };
  const start = (): void => {
    unmount();
    unmount = () => {};
    open().catch((error: unknown) => {
      if (closing.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      say(node, message);
      kernel.send({ type: 'error', message });
    });
  };
  start();

  return () => {
    closing.abort();
    unmount();
    kernel.dispose();
    node.remove();
  };
}

export default { render };
