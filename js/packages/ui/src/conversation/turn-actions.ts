/** Element with what can be done with a question and its answer: branch, pin, exclude from what is sent. */

import { t } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import * as commonIcons from '../elements/icons.ts';
import { type ConversationStore, conversationOf } from '../model/conversation.ts';
import { grouped } from '../model/format.ts';
import type { Message } from '../model/messages.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';

const styles = css`
  :host {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 2px;
  }
  button {
    display: inline-flex;
    align-items: center;
    gap: 5px;
    min-width: 24px;
    height: 24px;
    padding: 0 5px;
    color: var(--ac-muted);
    justify-content: center;
  }
  button:hover:not([aria-disabled='true']) {
    background: var(--ac-raised);
    color: var(--ac-ink);
  }
  button[aria-pressed='true'] {
    color: var(--ac-accent);
  }
  .words {
    display: none;
  }
  @container (min-width: 420px) {
    .words {
      display: inline;
    }
  }
  .mark {
    padding: 0 7px;
    border-radius: 9px;
    background: var(--ac-raised);
    line-height: 18px;
    white-space: nowrap;
  }
`;

const EXCLUDE = t(
  "Don't send this question and its answer with later questions. They stay here and can be put back. Each request has fewer tokens; once, what comes after them is written to the provider's cache again.",
);
const PIN = t('Pin: a compaction of the conversation keeps this question and its answer word for word.');

export class AcTurnActions extends LitElement {
  static override properties = { session: { attribute: false }, message: { attribute: false } };
  static override styles = [base, styles];

  declare session: Session;
  declare message: Message;

  constructor() {
    super();
    new StoreController(this, () => [this.#store, this.session]);
  }

  get #store(): ConversationStore {
    return conversationOf(this.session);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { requestId, context } = this.message;
    if (!requestId) return nothing;
    return html`${this.#mark()}${this.#branch()}${context === 'compacted' ? nothing : html`${this.#pin()}${this.#exclude()}`}`;
  }

  #branch(): TemplateResult | typeof nothing {
    if (!this.session.questions.canBranch) return nothing;
    return html`<button type="button" data-ac="branch-here" aria-disabled=${this.#store.isBlocked} aria-label=${t('Branch from here')}
      title=${t('Branch from here: a new conversation with everything up to this answer; this one is kept')}
      @click=${() => this.#act(() => this.#store.branchBehind(this.message.requestId))}>
      ${commonIcons.branch}<span class="words">${t('Branch from here')}</span></button>`;
  }

  #pin(): TemplateResult | typeof nothing {
    const { context, requestId, content } = this.message;
    if (!this.#store.canPin || context === 'excluded' || !content) return nothing;
    const isPinned = context === 'pinned';
    return html`<button type="button" data-ac="pin" aria-pressed=${isPinned} aria-disabled=${this.#store.isBlocked}
      aria-label=${t('Pin')} title=${isPinned ? t('Pinned. Press to unpin. %1', PIN) : PIN}
      @click=${() => this.#act(() => this.#store.pin(requestId, !isPinned))}>${isPinned ? icons.pinned : icons.pin}</button>`;
  }

  #exclude(): TemplateResult | typeof nothing {
    const { context, requestId, content } = this.message;
    if (!this.#store.canExclude || context === 'excluded' || !content) return nothing;
    return html`<button type="button" data-ac="exclude" aria-disabled=${this.#store.isBlocked}
      aria-label=${t("Don't send")} title=${EXCLUDE}
      @click=${() => this.#act(() => this.#store.exclude(requestId, true))}>${icons.exclude}</button>`;
  }

  /** How it stands, with the way back. */
  #mark(): TemplateResult | typeof nothing {
    const { context, requestId } = this.message;
    if (context === 'compacted')
      return html`<span class="mark" data-ac="context-mark" data-context="compacted" title=${t('A compaction has replaced it by a summary, or dropped it')}>${t('Not sent: compacted')}</span>`;
    if (context !== 'excluded') return nothing;
    const tokens = this.#store.marked.find((one) => one.requestId === requestId)?.tokens;
    const saved = tokens ? t('Not sent: %1 tokens less', grouped(tokens)) : t('Not sent');
    return html`<span class="mark number" data-ac="context-mark" data-context="excluded">${saved}</span>
      <button type="button" data-ac="include" aria-disabled=${this.#store.isBlocked}
        title=${t("Send this question and its answer again with later questions; what comes after them is written to the provider's cache again, once")}
        @click=${() => this.#act(() => this.#store.exclude(requestId, false))}>${t('Put back')}</button>`;
  }

  #act(change: () => Promise<void>): void {
    if (!this.#store.isBlocked) void change();
  }
}
