/** The panel: header, files, conversation, context. Owns nothing but the layout. */

import { LinkProvider, type RpcLink } from '@jupyter-ac/link';
import { LitElement, nothing, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { keepKeys } from '../controllers/keys.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { ThemeController } from '../controllers/theme.ts';
import { WidthController } from '../controllers/width.ts';
import type { Session } from '../model/session.ts';
import { appStyles } from '../styles/app.ts';
import { base, tokens } from '../styles/tokens.ts';
import { AcChat } from './chat.ts';
import * as icons from './icons.ts';
import { tag } from './tags.ts';

export class AcApp extends LitElement {
  static override properties = {
    session: { attribute: false },
    link: { attribute: false },
    areFilesOpen: { state: true },
    isContextOpen: { state: true },
  };
  static override styles = [tokens, base, appStyles];

  declare session: Session;
  declare link: RpcLink;
  declare areFilesOpen: boolean;
  declare isContextOpen: boolean | null;
  readonly #provider = new LinkProvider(this);
  readonly #width = new WidthController(this);

  constructor() {
    super();
    this.areFilesOpen = true;
    // Open where there is room for it, until the person decides.
    this.isContextOpen = null;
    new StoreController(this, () => [this.session, this.session.files]);
    new ThemeController(this);
    this.addEventListener('keydown', keepKeys);
  }

  /** Puts the cursor into the input. */
  focusInput(): void {
    const chat = this.renderRoot.querySelector('.chat > *');
    if (chat instanceof AcChat) chat.focusInput();
  }

  protected override willUpdate(): void {
    this.#provider.set(this.link);
    this.dataset.ac = 'app';
    this.dataset.status = this.session.status;
    // Lumino looks for this before it takes a key as a shortcut.
    this.dataset.lmSuppressShortcuts = 'true';
    // A click anywhere in the panel takes the focus from the notebook, which would hear the next key.
    this.tabIndex = -1;
  }

  protected override render(): TemplateResult {
    const { session } = this;
    const isContextOpen = this.isContextOpen ?? !this.#width.isNarrow;
    return html`<div class="frame">
      ${this.#header()}
      <${tag.notices} .session=${session}></${tag.notices}>
      <main ?inert=${!session.isUsable} class=${this.areFilesOpen ? '' : 'files-folded'}>
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
      <${tag.toasts} .store=${session.toasts}></${tag.toasts}>
    </div>`;
  }

  #header(): TemplateResult {
    const { session } = this;
    const { model, files } = session;
    return html`<header>
      <span class="status ${session.status}" role="img" aria-label=${`Status: ${session.status}`} title=${session.status}></span>
      <strong class="repo" title=${session.repoName}>${session.repoName || 'jupyter_ac'}</strong>
      ${files.branch ? html`<span class="branch muted" title="Branch">${icons.branch} ${files.branch}</span>` : nothing}
      <span class="space"></span>
      ${model.name ? html`<span class="model muted" title=${model.message || `Model: ${model.name}`}>${model.name}</span>` : nothing}
      ${
        model.isDemo
          ? html`<span class="demo" data-ac="demo-badge" title=${model.message || 'A small model to try the panel with; its answers are not to be trusted.'}>Demo model</span>`
          : nothing
      }
      <button class="icon-button" type="button" title="New conversation" aria-label="New conversation"
        ?disabled=${session.status !== 'ready' || session.chat.messages.length === 0}
        @click=${() => void session.chat.startNew()}>${icons.newChat}</button>
    </header>`;
  }
}
