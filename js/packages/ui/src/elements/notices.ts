/** Status notices: start, lost connection, refusal, no repository, work without git, version mismatch. */

import { RpcMixin } from '@jupyter-ac/link';
import { t } from '@jupyter-ac/messages';
import { LitElement, nothing, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { StoreController } from '../controllers/store-controller.ts';
import type { Session } from '../model/session.ts';
import { noticeStyles } from '../styles/notices.ts';
import { base } from '../styles/tokens.ts';
import { tag } from './element-tags.ts';
import * as icons from './icons.ts';
import { inlineCode } from './inline-text.ts';

export class AcNotices extends RpcMixin(LitElement) {
  static override properties = { session: { attribute: false }, transportNote: { attribute: false } };
  static override styles = [base, noticeStyles];

  declare session: Session;
  /** Note about the transport; '' when there is none or it was closed. */
  declare transportNote: string;
  /** The version note stays closed once the user has closed it. */
  #isNoteClosed = false;
  /** So does the note on work without git. */
  #isPlainNoteClosed = false;

  constructor() {
    super();
    this.transportNote = '';
    new StoreController(this, () => [this.session, this.session.noRepository]);
  }

  protected override render(): TemplateResult {
    const { session } = this;
    if (session.noRepository.isAsking && !session.hasGit) return this.#noRepository();
    if (!session.isUsable) return session.rpc.status.state === 'refused' ? this.#refusal() : this.#overlay();
    return html`${this.#startLine()} ${this.#banner()} ${this.transportNote ? this.#transportNoteTemplate() : nothing}
    ${session.hasGit || this.#isPlainNoteClosed ? nothing : this.#plainNote()}
    ${session.versionNote && !this.#isNoteClosed ? this.#versionNote() : nothing}`;
  }

  /** Covers the panel until the server's state has been loaded once. */
  #overlay(): TemplateResult {
    const { problem, progress } = this.session;
    return html`<div class="overlay" data-ac="overlay" role="status">
      <div class="brand">${icons.newChat} ${t('jupyter_ac')}</div>
      <p>${problem ? t('Waiting for the server …') : (progress?.message ?? t('Opening the repository …'))}</p>
      <span class="track ${problem || !progress?.percent ? 'unknown' : ''}"
        ><span style="width:${progress?.percent ?? 0}%"></span
      ></span>
      ${this.#transportNoteText()}
      ${problem ? html`<p class="muted">${inlineCode(problem)}</p>${this.#tryAgain()}` : nothing}
    </div>`;
  }

  /** Progress of the start, while the panel can already be used. */
  #startLine(): TemplateResult | typeof nothing {
    const { progress, rpc } = this.session;
    if (!progress || rpc.status.state !== 'open') return nothing;
    return html`<div class="line muted" role="status">
      ${icons.spinner} <span>${progress.message}</span>
      <span class="track"><span style="width:${progress.percent}%"></span></span>
    </div>`;
  }

  #transportNoteTemplate(): TemplateResult {
    return html`<div class="line door muted" role="status">
      ${icons.plug}
      <span data-ac="door-note">${inlineCode(this.transportNote)}</span>
      <button
        class="icon-button"
        type="button"
        aria-label=${t('Close this notice')}
        @click=${() => this.dispatchEvent(new CustomEvent('ac-note'))}
      >
        ${icons.close}
      </button>
    </div>`;
  }

  /** The transport note without a close button. */
  #transportNoteText(): TemplateResult | typeof nothing {
    return this.transportNote
      ? html`<p class="muted" data-ac="door-note">${inlineCode(this.transportNote)}</p>`
      : nothing;
  }

  #banner(): TemplateResult | typeof nothing {
    const { problem, rpc } = this.session;
    const { status } = rpc;
    if (status.state === 'open') return problem ? this.#bar(problem) : nothing;
    if (status.state === 'waiting' && status.delayMs === Number.POSITIVE_INFINITY)
      return this.#bar(status.reason);
    return this.#bar(t('%1 Trying to reconnect …', problem || t('The connection to the server was lost.')));
  }

  #bar(words: string): TemplateResult {
    return html`<div class="bar" role="alert">${icons.offline}<p>${inlineCode(words)}</p>${this.#tryAgain()}</div>`;
  }

  #tryAgain(): TemplateResult {
    const { rpc } = this.session;
    const isOpening = rpc.status.state === 'connecting';
    const again = () => (rpc.connected ? void this.session.sync() : rpc.retry());
    return html`<button class="button" type="button" ?disabled=${isOpening} @click=${again}>
      ${isOpening ? icons.spinner : icons.refresh} ${t('Try now')}
    </button>`;
  }

  /** Shown instead of the panel: the server's refusal and its reason. */
  #refusal(): TemplateResult {
    const { session } = this;
    if (session.lacksRepository) return this.#noRepository();
    return html`<div class="overlay" role="alert">
      <div class="brand">${icons.warning} ${t('Not available')}</div>
      <p>${inlineCode(session.problem)}</p>
      ${this.#transportNoteText()}
      <div class="actions">
        <button class="button" type="button" @click=${() => session.rpc.retry()}>${icons.refresh} ${t('Look again')}</button>
      </div>
    </div>`;
  }

  #noRepository(): TemplateResult {
    return html`<${tag.noRepository} .session=${this.session} .transportNote=${this.transportNote}></${tag.noRepository}>`;
  }

  /** What is different in a folder without a repository. */
  #plainNote(): TemplateResult {
    const closeNote = () => {
      this.#isPlainNoteClosed = true;
      this.requestUpdate();
    };
    return html`<div class="bar note plain" role="status" data-ac="plain-note">
      ${icons.info}
      <p>${t('No git repository: edits are applied and can be undone, but nothing is staged or committed.')}</p>
      <button class="button" type="button" data-ac="plain-init" @click=${() => void this.session.offerRepository()}>${t('Make a repository …')}</button>
      <button class="icon-button" type="button" aria-label=${t('Close this notice')} @click=${closeNote}>${icons.close}</button>
    </div>`;
  }

  #versionNote(): TemplateResult {
    const closeNote = () => {
      this.#isNoteClosed = true;
      this.requestUpdate();
    };
    return html`<div class="bar note" role="status">
      ${icons.info}
      <p>${this.session.versionNote}</p>
      <button class="icon-button" type="button" aria-label=${t('Close this notice')} @click=${closeNote}>${icons.close}</button>
    </div>`;
  }
}
