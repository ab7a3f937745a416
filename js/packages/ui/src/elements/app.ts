/** The panel: header, files, conversation, context, settings. Owns nothing but the layout. */

import { LinkProvider, type RpcLink } from '@jupyter-ac/link';
import { LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { focused } from '../controllers/focus.ts';
import { onDrop } from '../controllers/image-files.ts';
import { keepKeys } from '../controllers/keys.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { ThemeController } from '../controllers/theme.ts';
import { WidthController } from '../controllers/width.ts';
import type { Session } from '../model/session.ts';
import type { SettingsTab } from '../model/settings.ts';
import { appStyles } from '../styles/app.ts';
import { base, tokens } from '../styles/tokens.ts';
import { AcChat } from './chat.ts';
import { tag } from './tags.ts';

export class AcApp extends LitElement {
  static override properties = {
    session: { attribute: false },
    link: { attribute: false },
    doorNote: { attribute: false },
    areFilesOpen: { state: true },
    isContextOpen: { state: true },
    readNotes: { state: true },
    tab: { state: true },
  };
  static override styles = [tokens, base, appStyles];

  declare session: Session;
  declare link: RpcLink;
  /** One sentence on why frames travel as they do; '' when there is nothing to say. */
  declare doorNote: string;
  declare areFilesOpen: boolean;
  declare isContextOpen: boolean | null;
  /** Sentences about the door that have been read: they come again while a cell runs, and after it. */
  declare readNotes: ReadonlySet<string>;
  /** What the settings show; null while they are closed. */
  declare tab: SettingsTab | null;
  /** Had the focus before the settings opened, and gets it back. */
  #opener: HTMLElement | null = null;
  readonly #provider = new LinkProvider(this);
  readonly #width = new WidthController(this);

  constructor() {
    super();
    this.doorNote = '';
    this.areFilesOpen = true;
    // Open where there is room for it, until the person decides.
    this.isContextOpen = null;
    this.readNotes = new Set();
    this.tab = null;
    new StoreController(this, () => [this.session]);
    new ThemeController(this);
    this.addEventListener('keydown', keepKeys);
    onDrop(this, (files) => this.session.attach(files));
    this.addEventListener('ac-settings', (event) => this.#open((event as CustomEvent<SettingsTab>).detail));
  }

  /** Puts the cursor into the input. */
  focusInput(): void {
    const chat = this.renderRoot.querySelector('.chat > *');
    if (chat instanceof AcChat) chat.focusInput();
  }

  protected override willUpdate(changed: PropertyValues): void {
    // Another repository has nothing to do with what was open.
    if (changed.has('session')) this.tab = null;
    this.#provider.set(this.link);
    this.dataset.ac = 'app';
    this.dataset.status = this.session.status;
    // Lumino looks for this before it takes a key as a shortcut.
    this.dataset.lmSuppressShortcuts = 'true';
  }

  protected override render(): TemplateResult {
    const { session } = this;
    const isContextOpen = this.isContextOpen ?? !this.#width.isNarrow;
    const tab = session.isUsable ? this.tab : null;
    // A click anywhere in the frame takes the focus from the notebook, which would hear the next key.
    // On the host itself a negative `tabindex` would keep Tab from all that is in it.
    return html`<div class="frame" tabindex="-1">
      <${tag.header} .session=${session} .door=${this.dataset.door ?? ''} .doorNote=${this.doorNote}
        .isNoteShown=${this.#isNoteShown} ?inert=${!session.isUsable || tab !== null}
        @ac-input=${() => this.focusInput()}
        @ac-note=${() => {
          this.readNotes = new Set();
        }}></${tag.header}>
      <${tag.notices} .session=${session} .doorNote=${this.#isNoteShown ? this.doorNote : ''} ?inert=${tab !== null}
        @ac-note=${() => {
          this.readNotes = new Set([...this.readNotes, this.doorNote]);
        }}></${tag.notices}>
      <${tag.review} .session=${session} ?inert=${tab !== null} @ac-input=${() => this.focusInput()}></${tag.review}>
      <main ?inert=${!session.isUsable || tab !== null} class=${this.areFilesOpen ? '' : 'files-folded'}>
        <section class="files" aria-label="Files">
          <${tag.picker} .session=${session} .open=${this.areFilesOpen}
            @ac-fold=${(event: CustomEvent<boolean>) => {
              this.areFilesOpen = event.detail;
            }}></${tag.picker}>
        </section>
        <section class="chat" aria-label="Conversation">
          <${tag.chat} .session=${session}></${tag.chat}>
        </section>
        <section class="context" aria-label="Context">
          <${tag.breakdown} .session=${session} .open=${isContextOpen}
            @ac-fold=${(event: CustomEvent<boolean>) => {
              this.isContextOpen = event.detail;
            }}></${tag.breakdown}>
        </section>
      </main>
      ${
        tab
          ? html`<${tag.settings} .session=${session} .tab=${tab} @ac-close=${() => void this.#close()}></${tag.settings}>`
          : nothing
      }
      <${tag.toasts} .store=${session.toasts}></${tag.toasts}>
    </div>`;
  }

  get #isNoteShown(): boolean {
    return this.doorNote !== '' && !this.readNotes.has(this.doorNote);
  }

  #open(tab: SettingsTab): void {
    if (this.tab === null) this.#opener = focused();
    this.tab = tab;
  }

  async #close(): Promise<void> {
    this.tab = null;
    // Until then it can't have the focus.
    await this.updateComplete;
    if (this.#opener?.isConnected) this.#opener.focus();
    else this.focusInput();
  }
}
