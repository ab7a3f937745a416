/**
 * The widget's `_esm`: a loader. The UI itself comes from the Jupyter server when that has the same
 * build, else from the kernel. Each view has its own panel and connection.
 */

import { clientId, importSource, importUi, type PageConfig, readPage, sessionStore } from '@jupyter-ac/page';
import type * as ui from '@jupyter-ac/ui';
import type { RenderArguments } from './anywidget.ts';
import { type Hello, Kernel } from './kernel.ts';
import { frame, say } from './view.ts';

declare const __AC_HASH__: string;

type Ui = typeof ui;

const NO_SERVER =
  'This front end gives no access to a Jupyter server, which this version of jupyter_ac needs: use JupyterLab or Notebook 7.';

async function loadUi(page: PageConfig, kernel: Kernel, signal: AbortSignal): Promise<Ui> {
  try {
    return await importUi<Ui>(page, __AC_HASH__);
  } catch {
    // The server is another version or away; the kernel has the bundle that this loader belongs to.
    return importSource<Ui>(await kernel.uiSource(signal));
  }
}

function show(module: Ui, node: HTMLElement, hello: Hello, page: PageConfig, kernel: Kernel): ui.Panel {
  const place = {
    page,
    client: clientId(sessionStore()),
    // The folder, not the repository's top: what the server may serve goes by the folder.
    repo: hello.directory,
    nonce: hello.nonce,
  };
  return module.mountPanel(node, {
    place,
    door: 'server',
    onState: (state) => kernel.send({ type: 'state', ...state }),
  });
}

function render({ model, el }: RenderArguments): () => void {
  const kernel = new Kernel(model);
  const closing = new AbortController();
  const node = frame(el);
  let panel: ui.Panel | null = null;

  const open = async (): Promise<void> => {
    const page = readPage();
    if (!page) throw new Error(NO_SERVER);
    say(node, 'Starting …');
    const hello = await kernel.hello(closing.signal);
    const module = await loadUi(page, kernel, closing.signal);
    if (closing.signal.aborted) return;
    node.replaceChildren();
    panel = show(module, node, hello, page, kernel);
  };
  open().catch((error: unknown) => {
    if (closing.signal.aborted) return;
    const message = error instanceof Error ? error.message : String(error);
    say(node, message);
    kernel.send({ type: 'error', message });
  });

  return () => {
    closing.abort();
    panel?.dispose();
    kernel.dispose();
    node.remove();
  };
}

export default { render };
