/** Root element of the panel: header, files, conversation and context, and the dialogs over them. */

import { LinkProvider, type RpcLink } from '@jupyter-ac/link';
import { t, tn } from '@jupyter-ac/messages';
import { LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { focused } from '../controllers/focus.ts';
import { isolateKeys } from '../controllers/key-isolation.ts';
import { onLabDrop } from '../controllers/lab-drop.ts';
import { OverlayStack } from '../controllers/overlay-stack.ts';
import { type OpenEditor, PanelOverlays } from '../controllers/panel-overlays.ts';
import { onDrop } from '../controllers/paste-and-drop.ts';
import { SectionLayout } from '../controllers/section-layout.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { ThemeController } from '../controllers/theme.ts';
import { TypingController } from '../controllers/typing.ts';
import type { LoadAgent, LoadDialogs, LoadViewer, RegisterView } from '../load-chunk.ts';
import type { MarkdownRenderer } from '../markdown/markdown-renderer.ts';
import type { LayoutStore } from '../model/layout.ts';
import type { Session } from '../model/session.ts';
import type { TabsStore } from '../model/tabs.ts';
import { appStyles } from '../styles/app.ts';
import { base, tokens } from '../styles/tokens.ts';
import { AcChat } from './chat.ts';
import { tag } from './element-tags.ts';

const NOT_LOADED = { paths: [], refusal: t('Not ticked: reload the page, or restart the server.') };

export class AcApp extends LitElement {
  static override properties = {
    session: { attribute: false },
    link: { attribute: false },
    transportNote: { attribute: false },
    readNotes: { state: true },
    loadViewer: { attribute: false },
    loadDialogs: { attribute: false },
    registerView: { attribute: false },
    loadAgent: { attribute: false },
    markdown: { attribute: false },
    openEditor: { attribute: false },
    tabs: { attribute: false },
  };
  static override styles = [tokens, base, appStyles];

  declare session: Session;
  declare link: RpcLink;
  /** One sentence on the transport; '' for none. */
  declare transportNote: string;
  /** Transport notes that the user has closed: the same ones return whenever a cell runs, and after it. */
  declare readNotes: ReadonlySet<string>;
  /** Loads the viewer's bundle. */
  declare loadViewer: LoadViewer;
  /** Loads the dialogs' bundle. */
  declare loadDialogs: LoadDialogs;
  /** null until it is loaded. */
  declare markdown: MarkdownRenderer | null;
  /** Loads the bundle of a view. */
  declare registerView: RegisterView;
  /** Loads the bundle that shows runs. */
  declare loadAgent: LoadAgent;
  /** Opens a file of the Jupyter server in an editor beside the panel; null where there is none. */
  declare openEditor: OpenEditor | null;
  /** The conversations side by side; null until they are loaded, and where the server has none. */
  declare tabs: TabsStore | null;
  #isInputWanted = false;
  #isPreloading = false;
  /** Element that had the focus when the input was requested. */
  #wantedFrom: HTMLElement | null = null;
  readonly #provider = new LinkProvider(this);
  /** The open menus, forms and questions, for Escape. */
  readonly #stack = new OverlayStack(this);
  readonly #layout = new SectionLayout(this);
  readonly #overlays = new PanelOverlays(this);

  constructor() {
    super();
    this.markdown = null;
    this.transportNote = '';
    this.openEditor = null;
    this.tabs = null;
    this.readNotes = new Set();
    new StoreController(this, () => [this.session]);
    new TypingController(this, (isTyping) => this.toggleAttribute('data-typing', isTyping));
    new ThemeController(this, (isDark) => this.markdown?.setDark(isDark));
    this.addEventListener('keydown', (event) => this.#onKey(event));
    this.addEventListener('keydown', isolateKeys);
    onDrop(this, (files) => this.session.attach(files));
    onLabDrop(this, (paths) => void this.#tickDropped(paths));
  }

  /** Sizes of the sections. */
  set layout(store: LayoutStore) {
    this.#layout.store = store;
    this.requestUpdate();
  }

  /** The dialogs and views over the panel. */
  get overlays(): PanelOverlays {
    return this.#overlays;
  }

  /** Focuses the input as soon as possible, unless the focus has moved elsewhere by then. */
  focusInput(): void {
    const chat = this.renderRoot.querySelector('.chat > *');
    this.#isInputWanted = !this.#isReady;
    this.#wantedFrom = focused();
    if (chat instanceof AcChat) chat.focusInput();
  }

  /** The same once the conversation is shown that was just asked for. */
  async #focusNext(): Promise<void> {
    await this.updateComplete;
    this.focusInput();
  }

  /** Whether the rendered panel can have the focus. */
  get #isReady(): boolean {
    return this.renderRoot.querySelector('main')?.inert === false;
  }

  protected override updated(): void {
    if (this.session.isUsable && !this.#isPreloading) this.#preload();
    if (!this.#isInputWanted || !this.#isReady) return;
    this.#isInputWanted = false;
    // What had the focus may have lost it by becoming inert.
    const isUnmoved = [this.#wantedFrom, document.body].includes(focused());
    // Child elements render right after this one.
    if (isUnmoved) void Promise.resolve().then(() => this.focusInput());
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('session')) this.#overlays.reset();
    if (changed.has('markdown')) this.markdown?.setDark(this.dataset.theme === 'dark');
    this.#provider.set(this.link);
    this.dataset.ac = 'app';
    this.dataset.status = this.session.status;
    // Lumino checks this attribute before it handles a key as a shortcut.
    this.dataset.lmSuppressShortcuts = 'true';
  }

  protected override render(): TemplateResult {
    const { session } = this;
    const layout = this.#layout;
    const isCovered = session.isUsable && this.#overlays.isCovering;
    const isInert = !session.isUsable || isCovered;
    const isChoosingReview = session.isUsable && this.#overlays.open.isChoosingReview;
    // A click anywhere in the frame must take the focus from the notebook, which would handle the next key.
    // A negative `tabindex` on the host itself would make everything in it unreachable by Tab.
    // The conversation comes first in the tab order: the first Tab goes to the input.
    return html`<div class="frame" tabindex="-1">
      <main ?inert=${isInert} class=${layout.classes} style=${layout.style}>
        <section class="chat" aria-label=${t('Conversation')}>
          <${tag.chat} .session=${session} .markdown=${this.markdown}></${tag.chat}>
        </section>
        <section class="files" aria-label=${t('Files')}>
          <${tag.picker} .session=${session} .open=${layout.areFilesOpen}
            @ac-fold=${(event: CustomEvent<boolean>) => {
              layout.areFilesOpen = event.detail;
            }}></${tag.picker}>
        </section>
        <section class="context" aria-label=${t('Context')}>
          <${tag.breakdown} .session=${session} .open=${layout.isContextOpen}
            @ac-fold=${(event: CustomEvent<boolean>) => {
              layout.isContextOpen = event.detail;
            }}></${tag.breakdown}>
        </section>
        ${layout.splitters()}
      </main>
      ${session.isUsable ? layout.buttons(isCovered) : nothing}
      <${tag.header} .session=${session} .transport=${this.dataset.door ?? ''} .transportNote=${this.transportNote}
        .isNoteShown=${this.#isNoteShown} .isChoosingReview=${isChoosingReview} ?inert=${isInert}
        @ac-input=${() => this.#focusNext()}
        @ac-note=${() => {
          this.readNotes = new Set();
        }}></${tag.header}>
      ${this.tabs ? html`<${tag.tabs} .tabs=${this.tabs} ?inert=${isCovered} @ac-input=${() => this.#focusNext()}></${tag.tabs}>` : nothing}
      <${tag.notices} .session=${session} .transportNote=${this.#isNoteShown ? this.transportNote : ''} ?inert=${isCovered}
        @ac-note=${() => {
          this.readNotes = new Set([...this.readNotes, this.transportNote]);
        }}></${tag.notices}>
      <${tag.trust} .session=${session} ?inert=${isInert}></${tag.trust}>
      <${tag.review} .session=${session} ?inert=${isCovered} @ac-input=${() => this.focusInput()}></${tag.review}>
      <${tag.programQuestion} .session=${session} ?inert=${isInert}
        @ac-input=${() => this.focusInput()}></${tag.programQuestion}>
      ${this.#overlays.render()}
      <${tag.panelCalls} .session=${session}></${tag.panelCalls}>
      <${tag.toasts} .store=${session.toasts}></${tag.toasts}>
    </div>`;
  }

  get #isNoteShown(): boolean {
    return this.transportNote !== '' && !this.readNotes.has(this.transportNote);
  }

  /** Loads bundles ahead. Without the one for runs, none can be asked for. */
  #preload(): void {
    this.#isPreloading = true;
    void this.#overlays.preload();
    void this.loadAgent().then(
      (agent) => agent.registerAgent(),
      () => {},
    );
  }

  /** Ticks files of JupyterLab's file browser. */
  async #tickDropped(dropped: readonly string[]): Promise<void> {
    const { toasts } = this.session;
    const dialogs = await this.loadDialogs().catch(() => null);
    const { paths, refusal } = dialogs?.tickServerFiles(this.session, dropped) ?? NOT_LOADED;
    if (paths.length) toasts.show('success', tn('%1 file ticked', '%1 files ticked', paths.length));
    if (refusal) toasts.show('warning', refusal);
  }

  /** Handles Ctrl+K (not used by Jupyter in panels; the browser's default isn't useful here) and Escape. */
  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.shiftKey || event.isComposing) return;
    const isChord = event.ctrlKey || event.metaKey;
    const isSearch = event.key.toLowerCase() === 'k' && isChord && this.#overlays.open.query === null;
    if (isSearch) this.#overlays.search('');
    else if (event.key !== 'Escape' || isChord || event.defaultPrevented || !this.#escape()) return;
    event.preventDefault();
  }

  /**
   * Closes the top overlay; without one, stops the running answer.
   *
   * @returns whether there was anything to do
   */
  #escape(): boolean {
    if (this.#stack.closeLast()) return true;
    const { chat } = this.session;
    if (!chat.stream) return false;
    if (chat.stream.phase !== 'stopping') void chat.stop();
    return true;
  }
}
