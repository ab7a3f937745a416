/** Notice about conversations without this user's signature, and the confirmation to trust them. */

import { t } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import type { Session } from '../model/session.ts';
import type { TrustStore } from '../model/trust.ts';
import { noticeStyles } from '../styles/notices.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';
import { inlineCode } from './inline-text.ts';

const MEANING = t(
  'Trusted conversations go on: their text, and the files that are ticked in them, are sent to the model ' +
    'with your questions, and their edits can be taken back. Trust them only if you know who wrote them.',
);

export class AcTrust extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, noticeStyles];

  declare session: Session;

  constructor() {
    super();
    new StoreController(this, () => [this.#store, this.session]);
  }

  get #store(): TrustStore {
    return this.session.trust;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { isShown, isAsking, message, error } = this.#store;
    if (!isShown) return nothing;
    return html`<div class="bar trust" role="status" data-ac="trust">
      ${icons.warning}
      <div class="words">
        <p>${inlineCode(error || (isAsking ? MEANING : message))}</p>
        <div class="choices">${isAsking ? this.#choice() : this.#offer()}</div>
      </div>
    </div>`;
  }

  #offer(): TemplateResult {
    return html`<button class="button" type="button" data-ac="trust-ask" @click=${() => this.#store.ask(true)}>
        ${t('Trust …')}
      </button>
      ${this.#store.isReadOnly ? nothing : this.#later()}`;
  }

  #later(): TemplateResult {
    return html`<button class="button" type="button" data-ac="trust-later" @click=${() => this.#store.close()}>
      ${t('Not now')}
    </button>`;
  }

  #choice(): TemplateResult {
    const { isBusy } = this.#store;
    const isAnswering = this.session.chat.stream !== null;
    return html`<button
        class="button primary"
        type="button"
        data-ac="trust-confirm"
        ?disabled=${isBusy || isAnswering}
        @click=${() => void this.#store.trust()}
      >
        ${isBusy ? icons.spinner : nothing} ${t('Trust them all')}
      </button>
      <button class="button" type="button" ?disabled=${isBusy} @click=${() => this.#store.ask(false)}>${t('Cancel')}</button>`;
  }
}
