/**
 * Entry of a plugin's widget (`_esm`): a loader. It imports what shows panels, from the Jupyter server if that has the
 * same build, else from the kernel. Until there is a panel, and without a kernel, it shows the last picture of it.
 */

import { t } from '@jupyter-ac/messages';
import {
  chunkFile,
  clientId,
  importSource,
  type PageConfig,
  readPage,
  sessionStore,
  staticUrl,
} from '@jupyter-ac/page';
import type * as panels from '@jupyter-ac/ui/panels';
import type { RenderArguments } from './anywidget.ts';
import { KernelComm } from './kernel-comm.ts';

declare const __AC_HASH__: string;

type Panels = typeof panels;

/** Tells the lab extension around the view of the newest picture, which it keeps in the notebook. */
export const PICTURE_EVENT = 'jupyter-ac-picture';

const BUSY_AFTER_MS = 1500;
const WAITING = t('Waiting for the kernel; a cell may be running …');
const NO_ANSWER = t('This panel has no kernel that answers; run its cell again to make it live.');
const NOTE = 'margin: 4px 2px; opacity: 0.8; font: 13px/1.5 var(--jp-ui-font-family, system-ui, sans-serif)';
const BOX =
  'border: 1px solid var(--jp-border-color2, #8884); border-radius: 8px; margin: 2px 2px 2px 0;' +
  'max-height: 80vh; overflow: auto';

async function load(page: PageConfig | null, kernel: KernelComm, signal: AbortSignal): Promise<Panels> {
  if (page) {
    try {
      return await import(/* webpackIgnore: true */ staticUrl(page, chunkFile('panels', __AC_HASH__)));
    } catch {
      // The server has another version, or doesn't have these files.
    }
  }
  return importSource<Panels>(await kernel.source('panels', signal));
}

function render({ model, el }: RenderArguments): () => void {
  const kernel = new KernelComm(model);
  const closing = new AbortController();
  const node = document.createElement('div');
  const note = document.createElement('p');
  const picture = document.createElement('div');
  note.style.cssText = NOTE;
  note.setAttribute('role', 'status');
  picture.inert = true;
  const textOf = (name: string): string => {
    const value = model.get?.(name);
    return typeof value === 'string' ? value : '';
  };
  const say = (sentence: string): void => {
    note.textContent = sentence;
    note.hidden = sentence === '';
  };
  const draw = (): void => {
    // Made by the kernel from an allow-list, without scripts.
    picture.innerHTML = textOf('picture');
    const told = { detail: textOf('picture'), bubbles: true, composed: true };
    el.dispatchEvent(new CustomEvent(PICTURE_EVENT, told));
  };
  const show = (panel: HTMLElement): void => {
    panel.style.cssText = BOX;
    picture.replaceWith(panel);
  };
  say('');
  node.append(note, picture);
  el.append(node);
  draw();
  // The view may not be in the page yet.
  requestAnimationFrame(draw);
  model.on('change:picture', draw);
  const since = performance.now();
  const patience = setInterval(() => {
    say(kernel.mayBeGone(performance.now() - since) ? NO_ANSWER : WAITING);
  }, BUSY_AFTER_MS);
  let end = (): void => {};
  load(readPage(), kernel, closing.signal)
    .then((module) => {
      if (closing.signal.aborted) return;
      module.register();
      end = module.showKernelPanel({
        port: { send: kernel.sendOrThrow.bind(kernel), listen: kernel.listen.bind(kernel) },
        client: clientId(sessionStore()),
        title: textOf('title') || t('Panel'),
        mayBeGone: (waited) => kernel.mayBeGone(waited),
        onCommEvent: (check) => kernel.onCommEvent(check),
        onNote: say,
        onShown: show,
      });
    })
    .catch((error: unknown) => {
      if (closing.signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      say(message);
      kernel.send({ type: 'error', message });
    })
    .finally(() => clearInterval(patience));

  return () => {
    closing.abort();
    clearInterval(patience);
    model.off('change:picture', draw);
    end();
    kernel.dispose();
    node.remove();
  };
}

export default { render };
