/** Side panel of JupyterLab; loads the UI when it is first shown. */

import { N_, t } from '@jupyter-ac/messages';
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
import type { PanelHost } from './panel-host.ts';

declare const __AC_HASH__: string;

const NO_UI = N_(
  'The server has another version of jupyter_ac than this page: reload the page, or restart the server.',
);

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
  /** The folder or repository that was shown last, as the server was asked for it. */
  #repo: string | null = null;
  /** The panel for the application around it; null until it is connected with it. */
  #hosted: ui.HostedPanel | null = null;
  /** Called after it was hidden. */
  onHidden: () => void = () => {};
  /** The folder to follow once nothing would be lost by it; null for none. */
  #held: string | null = null;

  /** @param host - null where nothing of the panel is shown outside of it */
  constructor(
    private readonly openEditor: NonNullable<ui.PanelOptions['openEditor']>,
    private readonly host: PanelHost | null = null,
  ) {
    super();
    this.id = 'jupyter-ac-panel';
    this.title.caption = t('AI pair');
    this.title.icon = icon;
    this.node.style.cssText = 'min-width: 260px; height: 100%; overflow: hidden';
  }

  /** The followed folder, relative to the server's root; null before there is one. */
  get folder(): string | null {
    return this.#folder;
  }

  /** What the shown repository was asked for: a folder under the server's root or an absolute path. */
  get repo(): string | null {
    return this.#repo;
  }

  /** The panel's own commands and ticks, once it is loaded; null before. */
  get hosted(): ui.HostedPanel | null {
    return this.#hosted;
  }

  /** Like `follow`, but not before forms of the panel are saved or closed. */
  followLater(folder: string): void {
    this.#held = this.host?.last?.isUnsaved ? folder : null;
    if (this.#held === null) this.follow(folder);
  }

  /** Shows the repository of `folder` (relative to the server's root), at once or when the panel is shown next. */
  follow(folder: string): void {
    this.#held = null;
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

  /**
   * The panel's own commands and ticks, as soon as it is loaded. The panel must be shown. Rejects with one sentence.
   *
   * @param folder - shows the repository of this folder first; null: the one that is shown
   */
  async hostedFor(folder: string | null): Promise<ui.HostedPanel> {
    await (folder === null ? this.#loaded() : this.#panelAt(folder));
    if (!this.#hosted) throw new Error(t(NO_UI));
    return this.#hosted;
  }

  override dispose(): void {
    this.#hosted?.dispose();
    this.#hosted = null;
    this.#panel?.dispose();
    this.#panel = null;
    super.dispose();
  }

  protected override onAfterShow(): void {
    this.#retargetIfVisible();
    void this.#open();
  }

  protected override onAfterHide(): void {
    this.onHidden();
  }

  protected override onActivateRequest(): void {
    this.#panel?.focus();
  }

  /** The panel, about the repository around a notebook. */
  #panelFor(notebook: string): Promise<ui.Panel> {
    return this.#panelAt(folderOf(notebook));
  }

  async #panelAt(folder: string): Promise<ui.Panel> {
    this.follow(folder);
    const panel = await this.#loaded();
    await this.#retargeted;
    return panel;
  }

  async #loaded(): Promise<ui.Panel> {
    if (!this.#panel) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (!this.#panel) throw new Error(t(NO_UI));
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
    if (page) this.#repo = folder;
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
    if (!place || this.#folder === null) throw new Error(t('It is not known which folder this is.'));
    if (this.#isElsewhere) {
      this.#opened.forget(this.#folder);
      this.#show(false);
    } else if (this.#opened.from(this.#folder) !== null) {
      this.#show(true);
      throw new Error(t('Another repository is opened.'));
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
      await this.#connectHost(this.#panel);
    } catch {
      this.#showError();
    } finally {
      this.#isOpening = false;
      for (const resolve of this.#waiting.splice(0)) resolve();
    }
  }

  async #connectHost(panel: ui.Panel): Promise<void> {
    const { host } = this;
    if (!host) return;
    host.subscribe(({ isUnsaved }) => {
      if (!isUnsaved && this.#held !== null) this.follow(this.#held);
    });
    // Without it the panel works, but nothing of it is shown outside.
    const hosted = await panel.host(host).catch(() => null);
    if (this.isDisposed) hosted?.dispose();
    else this.#hosted = hosted;
  }

  #showError(): void {
    const line = document.createElement('p');
    line.style.cssText = 'margin: 16px; font-size: var(--jp-ui-font-size1)';
    line.setAttribute('role', 'alert');
    line.textContent = t(NO_UI);
    this.node.replaceChildren(line);
  }
}
