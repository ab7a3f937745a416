/** Header of the panel: status, repository, model, and buttons for commit, history and settings. */

import { t } from '@jupyter-ac/messages';
import { LitElement, nothing, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { StoreController } from '../controllers/store-controller.ts';
import type { Session } from '../model/session.ts';
import type { SettingsTab } from '../model/settings.ts';
import { barStyles } from '../styles/bar.ts';
import { headerStyles } from '../styles/header.ts';
import { base } from '../styles/tokens.ts';
import { tag } from './element-tags.ts';
import * as icons from './icons.ts';

const STATES: Readonly<Record<Session['status'], string>> = {
  starting: t('starting'),
  ready: t('ready'),
  streaming: t('streaming'),
  offline: t('offline'),
  error: t('error'),
};
const TRANSPORTS: Readonly<Record<string, string>> = {
  server: t('through the Jupyter server'),
  relay: t('through the kernel'),
  page: t('through the stand-alone server'),
};

/** Asks the panel to show the settings. */
export function openSettings(from: HTMLElement, detail: SettingsTab): void {
  from.dispatchEvent(new CustomEvent('ac-settings', { detail, bubbles: true, composed: true }));
}

/** Asks the panel to show the review selector. */
export function startReview(from: HTMLElement): void {
  from.dispatchEvent(new CustomEvent('ac-review-start', { bubbles: true, composed: true }));
}

/**
 * Asks the panel to show a conversation in a tab of its own.
 *
 * @param detail - its id; '' for a new one
 * @returns whether the panel can
 */
export function openInTab(from: EventTarget, detail: string): boolean {
  const asked = new CustomEvent('ac-open-tab', { detail, bubbles: true, composed: true, cancelable: true });
  return !from.dispatchEvent(asked);
}

/** Shows the tab in which a conversation is open; returns whether there is one. */
export function showTab(from: EventTarget, detail: string): boolean {
  const asked = new CustomEvent('ac-show-tab', { detail, bubbles: true, composed: true, cancelable: true });
  return !from.dispatchEvent(asked);
}

/** Begins a new conversation: in place of one that is complete, else beside it. */
export function startNew(from: EventTarget, session: Session, isBeside: boolean): void {
  if (!isBeside && session.status === 'ready') void session.chat.startNew();
  else if (!openInTab(from, ''))
    session.toasts.show('warning', t('Another conversation can be opened when this answer is complete.'));
}

/** Asks the panel to show the view of browsers. */
export function openBrowser(from: HTMLElement): void {
  from.dispatchEvent(new CustomEvent('ac-browser', { bubbles: true, composed: true }));
}

/** Asks the panel to show the view of panels. */
export function openPanels(from: HTMLElement): void {
  from.dispatchEvent(new CustomEvent('ac-panels', { bubbles: true, composed: true }));
}

export class AcHeader extends LitElement {
  static override properties = {
    session: { attribute: false },
    transport: {},
    transportNote: { attribute: false },
    isNoteShown: { attribute: false },
    isChoosingReview: { attribute: false },
  };
  static override styles = [base, barStyles, headerStyles];

  declare session: Session;
  declare transport: string;
  declare transportNote: string;
  declare isNoteShown: boolean;
  /** The review selector is open. */
  declare isChoosingReview: boolean;

  constructor() {
    super();
    new StoreController(this, () => [this.session, this.session.files, this.session.review]);
  }

  protected override render(): TemplateResult {
    const { session } = this;
    const { status } = session;
    const { branch, operation } = session.files;
    const words = [STATES[status], TRANSPORTS[this.transport]].filter(Boolean).join(', ');
    return html`<header class="bar">
      <span class="status ${status}" role="img" aria-label=${t('Status: %1', words)} title=${words}></span>
      <strong class="repo" role="heading" aria-level=${this.transport === 'page' ? 1 : 2} title=${session.repoName}>${session.repoName || 'jupyter_ac'}</strong>
      ${branch && this.session.hasGit ? html`<span class="branch muted" title=${t('Branch')}>${icons.branch} ${branch}</span>` : nothing}
      ${operation ? html`<span class="operation" title=${t('In the middle of: %1', operation)}>${operation}</span>` : nothing}
      ${this.#transportNoteTemplate()}
      <span class="space"></span>
      ${
        session.model.isDemo && !session.chat.isRecorded
          ? html`<span class="demo" data-ac="demo-badge" title=${session.model.message || t('A small model to try the panel with; its answers are not to be trusted.')}>${t('Demo')}<span class="long"> ${t('model')}</span></span>`
          : nothing
      }
      ${this.#model()} ${this.#buttons()}
    </header>`;
  }

  /** Button that shows the transport note again after it was closed. */
  #transportNoteTemplate(): TemplateResult | typeof nothing {
    if (this.isNoteShown || this.transport !== 'relay') return nothing;
    const words = this.transportNote || t('The panel reaches its server through the kernel.');
    return html`<button class="door" type="button" data-ac="door-note" title=${words} aria-label=${t('Through the kernel: %1', words)}
      ?disabled=${!this.transportNote} @click=${() => this.dispatchEvent(new CustomEvent('ac-note'))}>
      ${icons.plug} <span class="long">${t('kernel')}</span>
    </button>`;
  }

  /** Starts a new conversation, and focuses the input; with Ctrl in a tab of its own. */
  #startNew(isBeside: boolean): void {
    if (newObstacle(this.session, isBeside)) return;
    startNew(this, this.session, isBeside);
    this.dispatchEvent(new CustomEvent('ac-input'));
  }

  /** Enter with Ctrl doesn't click a button. */
  readonly #newKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    this.#startNew(true);
  };

  #newButton(): TemplateResult {
    const { session } = this;
    const obstacle = newObstacle(session, false);
    const words =
      session.status === 'streaming' ? NEW_BESIDE : t('New conversation. With Ctrl: in a new tab');
    return html`<button class="icon-button" type="button" data-ac="new-conversation" aria-label=${t('New conversation')}
      title=${obstacle || words} aria-description=${obstacle || words} aria-disabled=${obstacle !== ''}
      @keydown=${this.#newKey}
      @click=${(event: MouseEvent) => this.#startNew(event.ctrlKey || event.metaKey)}>${icons.newChat}</button>`;
  }

  #model(): TemplateResult | typeof nothing {
    const { model, settings } = this.session;
    // The model isn't known until the state is loaded.
    if (!this.session.isLoaded) return nothing;
    if (this.session.chat.isRecorded)
      return html`<span class="model muted" data-ac="model">${t('recorded answer')}</span>`;
    const words = model.message || t('Model: %1', model.name);
    if (!settings.offers('models')) {
      return model.name
        ? html`<span class="model muted" title=${words}>${modelName(model.name)}</span>`
        : nothing;
    }
    return html`<button class="model" type="button" data-ac="model" aria-haspopup="dialog"
      title=${model.name ? t('%1. Choose another one', words) : model.message || t('Choose a model')}
      @click=${() => openSettings(this, 'models')}>
      <span class="name">${model.name ? modelName(model.name) : t('No model')}</span> ${icons.chevronDown}
    </button>`;
  }

  /** While the selector is open, its own button has the hook. */
  #reviewButton(): TemplateResult | typeof nothing {
    if (!this.session.review.canStart) return nothing;
    return html`<button class="icon-button" type="button" data-ac=${this.isChoosingReview ? nothing : 'review-start'} title=${t('Review a branch')}
      aria-label=${t('Review a branch')} aria-haspopup="dialog" @click=${() => startReview(this)}>${icons.review}</button>`;
  }

  #browserButton(): TemplateResult | typeof nothing {
    if (!this.session.rpc.offers('Browser.targets')) return nothing;
    return html`<button class="icon-button" type="button" data-ac="browser-open" title=${t('Browser')} aria-label=${t('Browser')}
      aria-haspopup="dialog" @click=${() => openBrowser(this)}>${icons.browser}</button>`;
  }

  #panelsButton(): TemplateResult | typeof nothing {
    if (!this.session.rpc.offers('Panels.list')) return nothing;
    return html`<button class="icon-button" type="button" data-ac="panels-open" title=${t('Panels')} aria-label=${t('Panels')}
      aria-haspopup="dialog" @click=${() => openPanels(this)}>${icons.panels}</button>`;
  }

  #buttons(): TemplateResult {
    const { session } = this;
    const { firstTab } = session.settings;
    return html`
      <${tag.commit} .session=${session}></${tag.commit}>
      ${this.#reviewButton()} ${this.#browserButton()} ${this.#panelsButton()}
      ${session.history.isOffered ? html`<${tag.sessions} .session=${session}></${tag.sessions}>` : nothing}
      ${this.#newButton()}
      ${
        firstTab
          ? html`<button class="icon-button" type="button" data-ac="settings" title=${t('Settings')} aria-label=${t('Settings')} aria-haspopup="dialog"
              @click=${() => openSettings(this, firstTab)}>${icons.settings}</button>`
          : nothing
      }
    `;
  }
}

const NEW_BESIDE = t('New conversation in a new tab: the answer in this one goes on');

/** Why no new conversation can begin; '' when one can. */
function newObstacle({ status, chat }: Session, isBeside: boolean): string {
  if (status === 'starting') return t('New conversation: wait for the server to be ready');
  if (status !== 'ready' && status !== 'streaming') return t('New conversation: there is no connection');
  if (isBeside || chat.messages.length) return '';
  return t('Nothing has been asked in this conversation yet. With Ctrl: a new one in a new tab');
}

/** The provider's part is hidden where there is little room. */
function modelName(name: string): TemplateResult {
  const start = name.lastIndexOf('/') + 1;
  return html`<span class="long">${name.slice(0, start)}</span>${name.slice(start)}`;
}
