/** Elements for the versions of questions: which one is shown, the way to the others. */

import { t } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import type { AcChat } from '../elements/chat.ts';
import * as icons from '../elements/icons.ts';
import { conversationOf, type Version } from '../model/conversation.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';

const versionStyles = css`
  .versions {
    display: flex;
    align-items: center;
    justify-content: flex-end;
    gap: 1px;
    margin: 4px -4px -4px 0;
    color: var(--ac-muted);
    font-size: 11px;
  }
  .icon-button {
    width: 22px;
    height: 22px;
  }
`;

const endStyles = css`
  :host {
    display: block;
    max-width: 820px;
    margin: 0 auto;
  }
  .end {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 6px 10px;
    margin-bottom: 14px;
    padding: 8px 12px;
    border: 1px dashed var(--ac-line);
    border-radius: var(--ac-radius);
    font-size: 12px;
  }
  .words {
    flex: 1 1 160px;
    overflow-wrap: anywhere;
  }
`;

/** The version of a question that is shown, and the ways to those before and after it. */
export class AcVersions extends LitElement {
  static override properties = { session: { attribute: false }, requestId: { attribute: false } };
  static override styles = [base, versionStyles];

  declare session: Session;
  declare requestId: string;

  constructor() {
    super();
    new StoreController(this, () => [conversationOf(this.session), this.session]);
  }

  protected override render(): TemplateResult | typeof nothing {
    const versions = conversationOf(this.session).versions.get(this.requestId) ?? [];
    const at = versions.findIndex(({ isCurrent }) => isCurrent);
    if (at < 0 || versions.length < 2) return nothing;
    return html`<div class="versions number" role="group" aria-label=${t('Versions of this question')} data-ac="versions">
      ${this.#way(t('Earlier version'), versions[at - 1], icons.chevronLeft)}
      <span data-ac="version">${t('%1 of %2', at + 1, versions.length)}</span>
      ${this.#way(t('Later version'), versions[at + 1], icons.chevronRight)}
    </div>`;
  }

  #way(label: string, version: Version | undefined, icon: TemplateResult): TemplateResult {
    const isOff = !version || conversationOf(this.session).isBlocked;
    return html`<button class="icon-button" type="button" aria-label=${label} title=${version ? `${label}: ${version.preview}` : label}
      aria-disabled=${isOff} @click=${() => !isOff && version && void this.#show(version)}>${icon}</button>`;
  }

  async #show(version: Version): Promise<void> {
    const root = this.getRootNode();
    await conversationOf(this.session).showVersion(version);
    if (root instanceof ShadowRoot) showQuestion(root.host as AcChat, version);
  }
}

/** What stands behind the last answer when other conversations go on from there. */
export class AcOtherEnd extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, endStyles];

  declare session: Session;

  constructor() {
    super();
    new StoreController(this, () => [conversationOf(this.session), this.session]);
  }

  protected override render(): TemplateResult | typeof nothing {
    const store = conversationOf(this.session);
    const newest = store.versions.get('')?.at(-1);
    if (!newest || this.session.chat.stream) return nothing;
    return html`<div class="end" data-ac="other-end">
      <span class="words muted">${t('What followed here is kept in another conversation: “%1”', newest.preview)}</span>
      <button class="button" type="button" aria-disabled=${store.isBlocked}
        @click=${() => !store.isBlocked && void this.#show(newest)}>${t('Back to it')}</button>
    </div>`;
  }

  async #show(version: Version): Promise<void> {
    const root = this.getRootNode();
    await conversationOf(this.session).showVersion(version);
    if (root instanceof ShadowRoot) showQuestion(root.host as AcChat, version);
  }
}

/** Scrolls to a version's question when it has been drawn. */
function showQuestion(chat: AcChat, { requestId }: Version): void {
  void chat.updateComplete.then(() => chat.reveal(`${requestId}/user`));
}
