/**
 * Entry of the widget (`_esm`): a loader. It chooses the transport, loads the UI (from the Jupyter server if that
 * has the same build, else from the kernel) and mounts it. Each view has its own panel and connection.
 */

import { t } from '@jupyter-ac/messages';
import { importSource, importUi, localStore, type PageConfig, readPage } from '@jupyter-ac/page';
import type * as ui from '@jupyter-ac/ui';
import type { RenderArguments } from './anywidget.ts';
import { KernelComm, NO_ANSWER } from './kernel-comm.ts';
import { mount } from './mount.ts';
import { createOutputNode, showMessage } from './output-node.ts';
import { chooseTransport, type Transport } from './transport.ts';

declare const __AC_HASH__: string;

type Ui = typeof ui;

/** Without an answer for this long, the kernel is probably busy. */
const BUSY_AFTER_MS = 1500;

async function loadUi(page: PageConfig | null, kernel: KernelComm, signal: AbortSignal): Promise<Ui> {
  if (page) {
    try {
      return await importUi<Ui>(page, __AC_HASH__);
    } catch {
      // The server has another version, or doesn't have these files.
    }
  }
  // The kernel has the bundle of the same build as this loader.
  return importSource<Ui>(await kernel.source('ui', signal));
}

function render({ model, el }: RenderArguments): () => void {
  const kernel = new KernelComm(model);
  const closing = new AbortController();
  const node = createOutputNode(el);
  const page = readPage();
  let unmount = (): void => {};

  const open = async (): Promise<void> => {
    showMessage(node, t('Starting …'));
    const since = performance.now();
    const patience = setInterval(() => {
      // A front end may show a panel of an earlier kernel, from the widget state saved in a notebook.
      const isDoubtful = kernel.mayBeGone(performance.now() - since);
      showMessage(node, isDoubtful ? NO_ANSWER : t('Waiting for the kernel; a cell may be running …'));
    }, BUSY_AFTER_MS);
    closing.signal.addEventListener('abort', () => clearInterval(patience));
    const [hello, transport] = await Promise.all([
      kernel.hello(closing.signal),
      chooseTransport(page, localStore()),
    ]).finally(() => clearInterval(patience));
    const module = await loadUi(transport.kind === 'server' ? page : null, kernel, closing.signal);
    const enter = (chosen: Transport): void => {
      if (closing.signal.aborted) return;
      unmount();
      node.replaceChildren();
      unmount = mount({
        module,
        node,
        hello,
        kernel,
        transport: chosen,
        switchTransport: enter,
        restart: start,
      });
    };
    enter(transport);
  };
  const start = (): void => {
    unmount();
    unmount = () => {};
    open().catch((error: unknown) => {
      if (closing.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      showMessage(node, message);
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
