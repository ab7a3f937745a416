/** Side panel of JupyterLab; loads the UI when it is first shown. */

import {
  clientId,
  findNearbyRepositories,
  importUi,
  type JupyterTarget,
  type NearbyRepositories,
  readPage,
  sessionStore,
} from '@jupyter-ac/page';
import type * as ui from '@jupyter-ac/ui';
import { Widget } from '@lumino/widgets';
import { folderOf } from './current-folder.ts';
import type { AskedQuestion } from './error-actions.ts';
import { icon } from './icon.ts';
import { OpenedRepositories } from './opened-repositories.ts';

declare const __AC_HASH__: string;

const NO_UI =
  'The server has another version of jupyter_ac than this page: reload the page, or restart the server.';

export class SidePanel extends Widget {
  #folder: string | null = null;
  /** What was opened by its button where the folder is in no repository. */
  readonly #opened = new OpenedRepositories(sessionStore());
  /** Such a repository is shown. */
  #isElsewhere = false;
  #panel: ui.Panel | null = null;
  #isOpening = false;
  /** The folder has changed since the panel was last retargeted. */
  #isStale = false;
  /** Resolves when the panel shows the repository that it was last sent to. */
  #retargeted: Promise<void> = Promise.resolve();
  /** Called when the panel is loaded, or has failed to load. */
  #waiting: (() => void)[] = [];
  /** Focus the input as soon as the panel is loaded. */
  #wantsInput = false;

  constructor(private readonly openEditor: NonNullable<ui.PanelOptions['openEditor']>) {
    super();
    this.id = 'jupyter-ac-panel';
    this.title.caption = 'AI pair';
    this.title.icon = icon;
    this.node.style.cssText = 'min-width: 260px; height: 100%; overflow: hidden';
  }

  /** The followed folder, relative to the server's root; null before there is one. */
  get folder(): string | null {
    return this.#folder;
  }

  /** Shows the repository of `folder` (relative to the server's root), at once or when the panel is shown next. */
  follow(folder: string): void {
    if (folder === this.#folder) return;
    this.#folder = folder;
    this.#isElsewhere = false;
    this.#isStale = true;
    this.#retargetIfVisible();
    if (this.isVisible) void this.#open();
  }

  /** Shows the folder and the repositories near it instead of the repository that was opened from it. */
  chooseAgain(): void {
    if (this.#folder !== null) this.#opened.forget(this.#folder);
    if (this.#isElsewhere) this.#show(false);
  }

  get hasFocus(): boolean {
    return this.node.contains(document.activeElement);
  }

  /** Focuses the input, as soon as the panel is loaded. */
  focusInput(): void {
    this.#wantsInput = this.#panel === null;
    this.#panel?.focus();
  }

  /**
   * Asks in the repository around a notebook, in the panel's conversation. The panel must be shown.
   *
   * @param notebook - its path under the server's root
   * @param question - gets the notebook's paths in the repository and on the server; returns also what goes out with it
   * @param isTicked - tick the notebook first
   */
  async askAbout(notebook: string, question: AskedQuestion, isTicked: boolean): Promise<void> {
    const panel = await this.#panelFor(notebook);
    const { text, items } = question(await panel.locate(notebook, isTicked), notebook);
    for (const item of items) await panel.attach(item);
    await panel.ask(text);
  }

  /**
   * Adds something of a notebook to the next question, with a chip at the input. The panel must be shown.
   *
   * @param notebook - its path under the server's root
   * @param mention - such as `@cell:3`, of the active notebook
   */
  async addContext(notebook: string, mention: string): Promise<void> {
    await (await this.#panelFor(notebook)).addContext(mention);
  }

  override dispose(): void {
    this.#panel?.dispose();
    this.#panel = null;
    super.dispose();
  }

  protected override onAfterShow(): void {
    this.#retargetIfVisible();
    void this.#open();
  }

  protected override onActivateRequest(): void {
    this.#panel?.focus();
  }

  /** The panel, about the repository around a notebook. */
  async #panelFor(notebook: string): Promise<ui.Panel> {
    this.follow(folderOf(notebook));
    if (!this.#panel) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    await this.#retargeted;
    if (!this.#panel) throw new Error(NO_UI);
    return this.#panel;
  }

  /** Retargets only a visible panel: a hidden one must not open repositories. */
  #retargetIfVisible(): void {
    const place = this.isVisible && this.#isStale ? this.#target() : null;
    if (!place || !this.#panel) return;
    this.#isStale = false;
    this.#retargeted = this.#panel.retarget(place);
  }

  #target(folder = this.#folder): JupyterTarget | null {
    const page = folder === null ? null : readPage();
    return page && { kind: 'jupyter', page, client: clientId(sessionStore()), repo: folder, nonce: null };
  }

  /** Shows the repository that was opened from the folder, or the folder itself. */
  #show(isElsewhere: boolean): void {
    const opened = this.#folder === null ? null : this.#opened.from(this.#folder);
    const place = this.#target(isElsewhere ? opened : this.#folder);
    if (!place) return;
    this.#isElsewhere = isElsewhere;
    if (this.#panel) this.#retargeted = this.#panel.retarget(place);
  }

  async #openRepository(path: string): Promise<void> {
    if (this.#folder !== null) this.#opened.keep(this.#folder, path);
    this.#show(true);
  }

  /** What is shown is in no repository: goes to the one that was opened here before, or back from it. */
  async #findNearbyRepositories(): Promise<NearbyRepositories | null> {
    const place = this.#target();
    if (!place || this.#folder === null) throw new Error('It is not known which folder this is.');
    if (this.#isElsewhere) {
      this.#opened.forget(this.#folder);
      this.#show(false);
    } else if (this.#opened.from(this.#folder) !== null) {
      this.#show(true);
      throw new Error('Another repository is opened.');
    }
    return findNearbyRepositories(place);
  }

  async #open(): Promise<void> {
    const place = this.#target();
    if (!place || this.#panel || this.#isOpening) return;
    this.#isOpening = true;
    try {
      const module = await importUi<typeof ui>(place.page, __AC_HASH__);
      if (this.isDisposed) return;
      this.node.replaceChildren();
      this.#isStale = false;
      this.#panel = module.mountPanel(this.node, {
        target: this.#target() ?? place,
        transport: 'server',
        name: 'side',
        openEditor: this.openEditor,
        findNearbyRepositories: () => this.#findNearbyRepositories(),
        openRepository: (path) => this.#openRepository(path),
      });
      if (this.#wantsInput) this.focusInput();
    } catch {
      this.#showError();
    } finally {
      this.#isOpening = false;
      for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }

  #showError(): void {
    const line = document.createElement('p');
    line.style.cssText = 'margin: 16px; font-size: var(--jp-ui-font-size1)';
    line.setAttribute('role', 'alert');
    line.textContent = NO_UI;
    this.node.replaceChildren(line);
  }
}
