/** Root element of the panel: layout of header, files, conversation and context, and the dialogs over it. */

import { LinkProvider, type RpcLink } from '@jupyter-ac/link';
import { LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { focused } from '../controllers/focus.ts';
import { isolateKeys } from '../controllers/key-isolation.ts';
import { onLabDrop } from '../controllers/lab-drop.ts';
import { OverlayStack } from '../controllers/overlay-stack.ts';
import { onDrop } from '../controllers/paste-and-drop.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { ThemeController } from '../controllers/theme.ts';
import { WidthController } from '../controllers/width.ts';
import type { LoadAgent, LoadDialogs, LoadViewer, RegisterView, View } from '../load-chunk.ts';
import type { MarkdownRenderer } from '../markdown/markdown-renderer.ts';
import type { FileLocation } from '../model/file-location.ts';
import { plural } from '../model/format.ts';
import {
  LayoutStore,
  SHOWN_SECTIONS,
  type ShownSection,
  SIZE_NAMES,
  type SizeName,
  type Sizes,
} from '../model/layout.ts';
import type { Session } from '../model/session.ts';
import type { SettingsTab } from '../model/settings.ts';
import { appStyles } from '../styles/app.ts';
import { base, tokens } from '../styles/tokens.ts';
import { AcChat } from './chat.ts';
import { tag } from './element-tags.ts';
import * as icons from './icons.ts';
import { onOpenLocation, onOpenPage, onSearch } from './location-links.ts';
import { type Edge, splitter } from './splitter.ts';
import { AcViewer } from './viewer.ts';

const SECTION_NAMES: Readonly<Record<ShownSection, string>> = {
  all: 'All',
  chat: 'Chat',
  files: 'Files',
  context: 'Context',
};
/**
 * @param path - under the server's root
 * @param line - from 1; 0 for none, as for `col`
 * Resolves to whether it has opened the file.
 */
export type OpenEditor = (path: string, line: number, col: number) => Promise<boolean>;

const NOT_LOADED = { paths: [], refusal: 'Not ticked: reload the page, or restart the server.' };

export class AcApp extends LitElement {
  static override properties = {
    session: { attribute: false },
    link: { attribute: false },
    transportNote: { attribute: false },
    areFilesOpen: { state: true },
    isContextOpen: { state: true },
    readNotes: { state: true },
    tab: { state: true },
    location: { state: true },
    query: { state: true },
    pageUrl: { state: true },
    isChoosingReview: { state: true },
    view: { state: true },
    loadedViews: { state: true },
    areDialogsLoaded: { state: true },
    loadViewer: { attribute: false },
    loadDialogs: { attribute: false },
    registerView: { attribute: false },
    loadAgent: { attribute: false },
    markdown: { attribute: false },
    layout: { attribute: false },
    openEditor: { attribute: false },
  };
  static override styles = [tokens, base, appStyles];

  declare session: Session;
  declare link: RpcLink;
  /** One sentence on the transport; '' for none. */
  declare transportNote: string;
  declare areFilesOpen: boolean;
  declare isContextOpen: boolean | null;
  /** Transport notes that the user has closed: the same ones return whenever a cell runs, and after it. */
  declare readNotes: ReadonlySet<string>;
  /** Open tab of the settings; null while they are closed. */
  declare tab: SettingsTab | null;
  /** Location requested from the file viewer; null while it is closed. */
  declare location: FileLocation | null;
  /** Initial query of "search everywhere"; null while it is closed. */
  declare query: string | null;
  /** Address of the web page whose text is shown; null while none is. */
  declare pageUrl: string | null;
  /** The review selector is open. */
  declare isChoosingReview: boolean;
  /** The open view of browsers, plans or panels; the viewer may cover it. */
  declare view: View | null;
  /** Loads the viewer's bundle. */
  declare loadViewer: LoadViewer;
  /** The dialogs' bundle is there. */
  declare areDialogsLoaded: boolean;
  /** Loads the dialogs' bundle. */
  declare loadDialogs: LoadDialogs;
  /** null until it is loaded. */
  declare markdown: MarkdownRenderer | null;
  /** Views whose bundles are there. */
  declare loadedViews: ReadonlySet<View>;
  /** Loads the bundle of a view. */
  declare registerView: RegisterView;
  /** Loads the bundle that shows runs. */
  declare loadAgent: LoadAgent;
  /** Opens a file of the Jupyter server in an editor beside the panel; null where there is none. */
  declare openEditor: OpenEditor | null;
  /** Sizes of the sections. */
  declare layout: LayoutStore;
  /** Element to focus again after the dialogs are closed. */
  #opener: HTMLElement | null = null;
  #isInputWanted = false;
  #isPreloading = false;
  /** Element that had the focus when the input was requested. */
  #wantedFrom: HTMLElement | null = null;
  readonly #provider = new LinkProvider(this);
  readonly #overlays = new OverlayStack(this);
  readonly #width = new WidthController(this);

  constructor() {
    super();
    this.markdown = null;
    this.transportNote = '';
    this.openEditor = null;
    this.layout = new LayoutStore(null);
    this.areFilesOpen = true;
    // By default open if there is room, until the user decides.
    this.isContextOpen = null;
    this.readNotes = new Set();
    this.tab = null;
    this.location = null;
    this.query = null;
    this.pageUrl = null;
    this.isChoosingReview = false;
    this.view = null;
    this.loadedViews = new Set();
    this.areDialogsLoaded = false;
    new StoreController(this, () => [this.session, this.layout]);
    new ThemeController(this, (isDark) => this.markdown?.setDark(isDark));
    this.addEventListener('keydown', (event) => this.#onKey(event));
    this.addEventListener('keydown', isolateKeys);
    onDrop(this, (files) => this.session.attach(files));
    this.addEventListener('ac-settings', (event) => this.#open((event as CustomEvent<SettingsTab>).detail));
    this.addEventListener('ac-review-start', () => this.#chooseReview());
    this.addEventListener('ac-browser', () => this.#openView('browser'));
    this.addEventListener('ac-plans', () => this.#openView('plans'));
    this.addEventListener('ac-panels', () => this.#openView('panels'));
    onLabDrop(this, (paths) => void this.#tickDropped(paths));
    onOpenLocation(this, (location) => void this.#openLocation(location));
    onSearch(this, (query) => this.#search(query));
    onOpenPage(this, (url) => this.#openPage(url));
  }

  /** Focuses the input as soon as possible, unless the focus has moved elsewhere by then. */
  focusInput(): void {
    const chat = this.renderRoot.querySelector('.chat > *');
    this.#isInputWanted = !this.#isReady;
    this.#wantedFrom = focused();
    if (chat instanceof AcChat) chat.focusInput();
  }

  /** Whether the rendered panel can have the focus. */
  get #isReady(): boolean {
    return this.renderRoot.querySelector('main')?.inert === false;
  }

  protected override updated(): void {
    if (this.session.isUsable && !this.#isPreloading) void this.#preload();
    if (!this.#isInputWanted || !this.#isReady) return;
    this.#isInputWanted = false;
    // Child elements render right after this one.
    if (focused() === this.#wantedFrom) void Promise.resolve().then(() => this.focusInput());
  }

  protected override willUpdate(changed: PropertyValues): void {
    // Close the dialogs when another repository is shown.
    if (changed.has('session')) {
      this.tab = null;
      this.location = null;
      this.query = null;
      this.pageUrl = null;
      this.isChoosingReview = false;
      this.view = null;
    }
    if (changed.has('markdown')) this.markdown?.setDark(this.dataset.theme === 'dark');
    this.#provider.set(this.link);
    this.dataset.ac = 'app';
    this.dataset.status = this.session.status;
    // Lumino checks this attribute before it handles a key as a shortcut.
    this.dataset.lmSuppressShortcuts = 'true';
  }

  protected override render(): TemplateResult {
    const { session } = this;
    const isContextOpen = this.isContextOpen ?? !this.#width.isNarrow;
    const tab = session.isUsable ? this.tab : null;
    const location = session.isUsable ? this.location : null;
    const query = session.isUsable ? this.query : null;
    const pageUrl = session.isUsable ? this.pageUrl : null;
    const isChoosingReview = session.isUsable && this.isChoosingReview;
    const view = session.isUsable ? this.view : null;
    const isCovered = session.isUsable && this.#isCovered;
    const wait = html`<p class="loading muted" role="status">${icons.spinner} Loading …</p>`;
    const loading = this.areDialogsLoaded ? nothing : wait;
    // A click anywhere in the frame must take the focus from the notebook, which would handle the next key.
    // A negative `tabindex` on the host itself would make everything in it unreachable by Tab.
    // The conversation comes first in the tab order: the first Tab goes to the input.
    return html`<div class="frame" tabindex="-1">
      <main ?inert=${!session.isUsable || isCovered} class=${this.#layoutClasses} style=${sizeStyle(this.layout.sizes)}>
        <section class="chat" aria-label="Conversation">
          <${tag.chat} .session=${session} .markdown=${this.markdown}></${tag.chat}>
        </section>
        <section class="files" aria-label="Files">
          <${tag.picker} .session=${session} .open=${this.areFilesOpen}
            @ac-fold=${(event: CustomEvent<boolean>) => {
              this.areFilesOpen = event.detail;
            }}></${tag.picker}>
        </section>
        <section class="context" aria-label="Context">
          <${tag.breakdown} .session=${session} .open=${isContextOpen}
            @ac-fold=${(event: CustomEvent<boolean>) => {
              this.isContextOpen = event.detail;
            }}></${tag.breakdown}>
        </section>
        ${this.#filesSplitter()} ${this.#contextSplitter(isContextOpen)}
      </main>
      ${this.#sectionButtons(isCovered)}
      <${tag.header} .session=${session} .transport=${this.dataset.door ?? ''} .transportNote=${this.transportNote}
        .isNoteShown=${this.#isNoteShown} .isChoosingReview=${isChoosingReview} ?inert=${!session.isUsable || isCovered}
        @ac-input=${() => this.focusInput()}
        @ac-note=${() => {
          this.readNotes = new Set();
        }}></${tag.header}>
      <${tag.notices} .session=${session} .transportNote=${this.#isNoteShown ? this.transportNote : ''} ?inert=${isCovered}
        @ac-note=${() => {
          this.readNotes = new Set([...this.readNotes, this.transportNote]);
        }}></${tag.notices}>
      <${tag.trust} .session=${session} ?inert=${!session.isUsable || isCovered}></${tag.trust}>
      <${tag.review} .session=${session} ?inert=${isCovered} @ac-input=${() => this.focusInput()}></${tag.review}>
      <${tag.programQuestion} .session=${session} ?inert=${!session.isUsable || isCovered}
        @ac-input=${() => this.focusInput()}></${tag.programQuestion}>
      ${
        tab
          ? html`<${tag.settings} .session=${session} .tab=${tab} @ac-close=${() => void this.#close()}></${tag.settings}>
            ${loading}`
          : nothing
      }
      ${
        isChoosingReview
          ? html`<${tag.reviewStart} .session=${session} @ac-close=${() => void this.#close()}></${tag.reviewStart}>
            ${loading}`
          : nothing
      }
      ${
        view
          ? html`<${tag[view]} class="view" .session=${session} ?inert=${location !== null || query !== null}
              @ac-close=${() => void this.#close()}></${tag[view]}>
            ${this.loadedViews.has(view) ? nothing : wait}`
          : nothing
      }
      ${
        location
          ? html`<${tag.viewer} .session=${session} .load=${this.loadViewer} .markdown=${this.markdown} .location=${location} ?inert=${query !== null}
              @ac-close=${() => void this.#close()}></${tag.viewer}>`
          : nothing
      }
      ${
        pageUrl === null
          ? nothing
          : html`<${tag.webPage} .session=${session} .url=${pageUrl}
              @ac-close=${() => void this.#close()}></${tag.webPage}>
            ${loading}`
      }
      ${
        query === null
          ? nothing
          : html`<${tag.everywhere} .session=${session} .first=${query} @ac-close=${() => void this.#closeSearch()}></${tag.everywhere}>
            ${loading}`
      }
      <${tag.panelCalls} .session=${session}></${tag.panelCalls}>
      <${tag.toasts} .store=${session.toasts}></${tag.toasts}>
    </div>`;
  }

  get #layoutClasses(): string {
    const shown = this.#width.isNarrow ? this.layout.shown : 'all';
    return `only-${shown} ${this.areFilesOpen ? '' : 'files-folded'}`;
  }

  /** Of a narrow panel: all sections, or one of them. */
  #sectionButtons(isCovered: boolean): TemplateResult | typeof nothing {
    if (!this.#width.isNarrow || !this.session.isUsable) return nothing;
    return html`<div class="sections" role="group" aria-label="Sections" ?inert=${isCovered}>
      ${SHOWN_SECTIONS.map(
        (section) => html`<button type="button" data-ac="section" data-section=${section}
          aria-pressed=${this.layout.shown === section} @click=${() => this.#showSection(section)}>
          ${SECTION_NAMES[section]}</button>`,
      )}
    </div>`;
  }

  #showSection(section: ShownSection): void {
    this.layout.show(section);
    if (section === 'files') this.areFilesOpen = true;
    if (section === 'context') this.isContextOpen = true;
  }

  #filesSplitter(): TemplateResult | typeof nothing {
    const { columns } = this.#width;
    if (columns === 1 && !this.areFilesOpen) return nothing;
    const isRow = columns === 1;
    return this.#splitter('Height of the files', 'Width of the files', isRow ? 'top' : 'left', 'files', {
      rows: 'filesHeight',
      columns: 'leftWidth',
    });
  }

  #contextSplitter(isOpen: boolean): TemplateResult | typeof nothing {
    const { columns } = this.#width;
    if (columns !== 3 && !isOpen) return nothing;
    const edge = columns === 3 ? 'right' : 'bottom';
    return this.#splitter('Height of the context', 'Width of the context', edge, 'context', {
      rows: columns === 1 ? 'contextHeight' : 'contextShare',
      columns: 'rightWidth',
    });
  }

  #splitter(
    height: string,
    width: string,
    edge: Edge,
    section: 'files' | 'context',
    names: { rows: SizeName; columns: SizeName },
  ): TemplateResult {
    const isRow = edge === 'top' || edge === 'bottom';
    const name = isRow ? names.rows : names.columns;
    const container = (): HTMLElement | null => this.renderRoot.querySelector('main');
    const percent = (): number => {
      const box = container()?.getBoundingClientRect();
      const own = this.renderRoot.querySelector(`.${section}`)?.getBoundingClientRect();
      if (!box?.height || !box.width || !own) return this.layout.sizes[name] ?? USUAL_SIZES[name];
      return (isRow ? own.height / box.height : own.width / box.width) * 100;
    };
    return splitter({
      area: section,
      label: isRow ? height : width,
      edge,
      value: this.layout.sizes[name] ?? USUAL_SIZES[name],
      percent,
      container,
      onResize: (size) => this.layout.resize(name, size),
      onReset: () => this.layout.reset(name),
    });
  }

  get #isNoteShown(): boolean {
    return this.transportNote !== '' && !this.readNotes.has(this.transportNote);
  }

  #open(tab: SettingsTab): void {
    this.#rememberFocus();
    this.tab = tab;
    void this.#loadDialogs();
  }

  #chooseReview(): void {
    if (this.#isCovered) return;
    this.#rememberFocus();
    this.isChoosingReview = true;
    void this.#loadDialogs();
  }

  #openView(view: View): void {
    if (this.#isCovered) return;
    this.#rememberFocus();
    this.view = view;
    void this.#load(async () => {
      await this.registerView(view);
      this.loadedViews = new Set([...this.loadedViews, view]);
    });
  }

  #loadDialogs(): Promise<void> {
    return this.#load(async () => {
      (await this.loadDialogs()).registerDialogs();
      this.areDialogsLoaded = true;
    });
  }

  /** Loads elements; the one that is in the page starts to work then. */
  async #load(register: () => Promise<void>): Promise<void> {
    try {
      await register();
    } catch (error) {
      this.session.toasts.show('error', error instanceof Error ? error.message : String(error));
      await this.#close();
    }
  }

  /** Loads bundles ahead; what fails here is reported when a dialog needs it. Without the one for runs, none can be asked for. */
  async #preload(): Promise<void> {
    this.#isPreloading = true;
    void this.loadAgent().then(
      (agent) => agent.registerAgent(),
      () => {},
    );
    const dialogs = await this.loadDialogs().catch(() => null);
    dialogs?.registerDialogs();
    this.areDialogsLoaded ||= dialogs !== null;
  }

  /** Ticks files of JupyterLab's file browser. */
  async #tickDropped(dropped: readonly string[]): Promise<void> {
    const { toasts } = this.session;
    const dialogs = await this.loadDialogs().catch(() => null);
    const { paths, refusal } = dialogs?.tickServerFiles(this.session, dropped) ?? NOT_LOADED;
    if (paths.length) toasts.show('success', `${plural(paths.length, 'file')} ticked`);
    if (refusal) toasts.show('warning', refusal);
  }

  /** Opens a file in the editor beside the panel, if there is one; what an editor can't show opens in the viewer. */
  async #openLocation(location: FileLocation): Promise<void> {
    const found = this.session.review.located(location);
    const isFile = found.mapFor === undefined && !found.isDiff && !found.isReview && !found.anchor;
    if (isFile && this.openEditor && (await this.#openInEditor(found, this.openEditor))) return;
    this.#openFile(found);
  }

  async #openInEditor({ path, line, col }: FileLocation, openEditor: OpenEditor): Promise<boolean> {
    const dialogs = await this.loadDialogs().catch(() => null);
    const onServer = dialogs?.serverPathOf(this.session, path) ?? null;
    // The viewer also says why a file can't be opened.
    return onServer !== null && (await openEditor(onServer, line, col).catch(() => false));
  }

  #openFile(location: FileLocation): void {
    this.#rememberFocus();
    this.location = location;
  }

  #openPage(url: string): void {
    this.#rememberFocus();
    this.pageUrl = url;
    void this.#loadDialogs();
  }

  #search(query: string): void {
    if (this.#isCovered && this.location === null) return;
    this.#rememberFocus();
    this.query = query;
    void this.#loadDialogs();
  }

  #rememberFocus(): void {
    if (!this.#isCovered) this.#opener = focused();
  }

  get #isCovered(): boolean {
    const { tab, location, query, pageUrl, isChoosingReview, view } = this;
    return [tab, location, query, pageUrl, view].some((open) => open !== null) || isChoosingReview;
  }

  /** Handles Ctrl+K (not used by Jupyter in panels; the browser's default isn't useful here) and Escape. */
  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.shiftKey || event.isComposing) return;
    const isChord = event.ctrlKey || event.metaKey;
    const isSearch = event.key.toLowerCase() === 'k' && isChord && this.query === null;
    if (isSearch) this.#search('');
    else if (event.key !== 'Escape' || isChord || event.defaultPrevented || !this.#escape()) return;
    event.preventDefault();
  }

  /**
   * Closes the top overlay; without one, stops the running answer.
   *
   * @returns whether there was anything to do
   */
  #escape(): boolean {
    if (this.#overlays.closeLast()) return true;
    const { chat } = this.session;
    if (!chat.stream) return false;
    if (chat.stream.phase !== 'stopping') void chat.stop();
    return true;
  }

  /** Closes the search; focuses the viewer if it is open. */
  async #closeSearch(): Promise<void> {
    this.query = null;
    await this.updateComplete;
    if (this.location === null) await this.#close();
    else [...this.renderRoot.querySelectorAll('.frame > *')].find(isViewer)?.focusFile();
  }

  async #close(): Promise<void> {
    // What the viewer covered stays open.
    if (this.location === null) this.view = null;
    this.tab = null;
    this.location = null;
    this.query = null;
    this.pageUrl = null;
    this.isChoosingReview = false;
    // Covered elements are inert until the update.
    await this.updateComplete;
    const covered = this.renderRoot.querySelector<HTMLElement>('.view');
    if (covered) covered.focus();
    else if (this.#opener?.isConnected) this.#opener.focus();
    else this.focusInput();
  }
}

/** About as the style sheet has them. */
const USUAL_SIZES: Readonly<Record<SizeName, number>> = {
  filesHeight: 26,
  contextHeight: 26,
  contextShare: 48,
  leftWidth: 26,
  rightWidth: 22,
};
const SIZE_PROPERTIES: Readonly<Record<SizeName, string>> = {
  filesHeight: '--files-height',
  contextHeight: '--context-height',
  contextShare: '--context-share',
  leftWidth: '--left-width',
  rightWidth: '--right-width',
};

function sizeStyle(sizes: Sizes): string {
  return SIZE_NAMES.filter((name) => sizes[name] !== undefined)
    .map((name) => `${SIZE_PROPERTIES[name]}:${sizes[name]}%`)
    .join(';');
}

function isViewer(element: Element): element is AcViewer {
  return element instanceof AcViewer;
}
