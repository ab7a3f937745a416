/** Content of a tab with the viewer: mounts the UI's viewer, loaded when the first tab is opened. */

import { N_, t } from '@jupyter-ac/messages';
import { clientId, importUi, readPage, sessionStore } from '@jupyter-ac/page';
import type * as ui from '@jupyter-ac/ui';
import { Widget } from '@lumino/widgets';
import { fileName, locationOf, type ViewerArguments, type ViewerContent } from './viewer-tabs.ts';

declare const __AC_HASH__: string;

const NO_UI = N_(
  'The server has another version of jupyter_ac than this page: reload the page, or restart the server.',
);

class Content extends Widget implements ViewerContent {
  shown: ViewerArguments;
  #viewer: ui.MountedViewer | null = null;
  #isDisposed = false;

  constructor(
    shown: ViewerArguments,
    private readonly moved: () => void,
  ) {
    super();
    this.shown = shown;
    this.node.dataset.ac = 'viewer-tab';
    this.node.tabIndex = -1;
    this.node.style.cssText = 'height: 100%; overflow: hidden; outline: 0; color: var(--jp-ui-font-color1)';
  }

  open(shown: ViewerArguments): void {
    const { path, line, col } = this.shown;
    const isElsewhere =
      shown.path !== '' && (shown.path !== path || shown.line !== line || shown.col !== col);
    if (!isElsewhere) return;
    this.shown = shown;
    this.#viewer?.show(locationOf(shown));
  }

  override dispose(): void {
    this.#isDisposed = true;
    this.#viewer?.dispose();
    this.#viewer = null;
    super.dispose();
  }

  /** Mounts the viewer; without one, says why. */
  async mount(): Promise<void> {
    const page = readPage();
    const { repo } = this.shown;
    try {
      if (!page) throw new Error(t(NO_UI));
      const { mountViewer } = await importUi<typeof ui>(page, __AC_HASH__);
      const viewer = await mountViewer(this.node, {
        target: { kind: 'jupyter', page, client: clientId(sessionStore()), repo, nonce: null },
        location: locationOf(this.shown),
        serverPath: this.shown.serverPath,
        moved: ({ path, line, col }, root) => {
          const isSame = path === this.shown.path || this.shown.path === '';
          const kind = isSame ? this.shown.kind : 'file';
          this.shown = { repo, path, serverPath: '', file: fileName(`${root}/${path}`), kind, line, col };
          this.moved();
        },
      });
      if (this.#isDisposed) viewer.dispose();
      else this.#viewer = viewer;
    } catch {
      this.node.textContent = t(NO_UI);
      this.node.setAttribute('role', 'alert');
      this.node.style.padding = '16px';
    }
  }

  protected override onActivateRequest(): void {
    if (this.#viewer) this.#viewer.focus();
    else this.node.focus();
  }
}

export function viewerContent(shown: ViewerArguments, moved: () => void): ViewerContent {
  const content = new Content(shown, moved);
  void content.mount();
  return content;
}
