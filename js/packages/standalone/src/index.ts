/** Entry of the stand-alone server's page, which contains only a panel. The UI is a file beside this one. */

import { N_, t } from '@jupyter-ac/messages';
import { clientId, sessionStore, uiFile } from '@jupyter-ac/page';
import type * as ui from '@jupyter-ac/ui';
import { readAddress } from './address.ts';
import { chosenCatalogue, loadLanguage } from './page-language.ts';

declare const __AC_HASH__: string;
/** Names of the catalogues beside this file. */
declare const __AC_CATALOGUES__: readonly string[];

const NO_UI = N_('The server has another version of jupyter_ac than this page: reload the page.');

function importUi(): Promise<typeof ui> {
  const url = new URL(uiFile(__AC_HASH__), import.meta.url);
  return import(/* webpackIgnore: true */ url.href).catch(() => {
    throw new Error(t(NO_UI));
  });
}

async function open(node: HTMLElement): Promise<void> {
  const { socket, shown, plugin } = readAddress(location.href, sessionStore());
  if (shown !== location.href) history.replaceState(history.state, '', shown);
  // Before the UI: its modules translate texts when they are loaded.
  await loadLanguage(
    document,
    chosenCatalogue(navigator.languages, __AC_CATALOGUES__),
    fetch.bind(globalThis),
  );
  const module = await importUi();
  node.replaceChildren();
  const target = { kind: 'page', url: socket, client: clientId(sessionStore()) } as const;
  let isFresh = true;
  const panel = module.mountPanel(node, {
    target,
    transport: 'page',
    onRepository(name) {
      document.title = name ? t('%1 - jupyter_ac', name) : 'jupyter_ac';
    },
    onState({ status }) {
      if (!isFresh || (status !== 'ready' && status !== 'streaming')) return;
      isFresh = false;
      // Rendered by then; before that, no element can have the focus.
      requestAnimationFrame(() => (plugin ? panel.showPlugin(plugin) : panel.focus()));
    },
  });
}

function showMessage(node: HTMLElement, sentence: string): void {
  const line = document.createElement('p');
  line.setAttribute('role', 'alert');
  line.textContent = sentence;
  node.replaceChildren(line);
}

const node = document.getElementById('panel');
if (node)
  open(node).catch((error: unknown) =>
    showMessage(node, error instanceof Error ? error.message : String(error)),
  );
