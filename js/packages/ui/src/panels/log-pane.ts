/** The log of a panel, foldable: what its plugin has written, and its errors. */

import { t, tn } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { StickToBottom } from '../controllers/stick-to-bottom.ts';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import { shownLines } from '../model/browser/shown-text.ts';
import type { LogLine, PanelLog } from '../model/panels/panel-log.ts';
import { base } from '../styles/tokens.ts';
import { logStyles } from './view-styles.ts';

const LEVEL_WORDS = { log: '', info: t('Info'), warn: t('Warning'), error: t('Error') } as const;

export class AcPanelLog extends LitElement {
  static override properties = { log: { attribute: false }, isOpen: { state: true } };
  static override styles = [base, logStyles];

  declare log: PanelLog;
  declare isOpen: boolean;
  readonly #stick = new StickToBottom(() => {});

  constructor() {
    super();
    this.isOpen = false;
    new StoreController(this, () => [this.log]);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stick.detach();
  }

  protected override updated(): void {
    const lines = this.renderRoot.querySelector<HTMLElement>('.lines');
    if (lines) this.#stick.attach(lines);
    this.#stick.follow();
  }

  protected override render(): TemplateResult {
    const { lines, dropped, hasErrors } = this.log;
    const count = lines.length + dropped;
    const words = count ? tn('%1 line', '%1 lines', count) : 'empty';
    return html`<div class="bar">
        <button class="fold" type="button" data-ac="panel-log-toggle" aria-expanded=${this.isOpen} aria-controls="lines"
          @click=${() => {
            this.isOpen = !this.isOpen;
          }}>${this.isOpen ? icons.chevronDown : icons.chevronRight} ${t('Log')} <span class="muted number">${words}</span>
          ${hasErrors ? html`<span class="bad">${icons.warning} ${t('errors')}</span>` : nothing}</button>
        ${
          this.isOpen && count
            ? html`<button class="button small" type="button" data-ac="panel-log-clear" @click=${() => this.log.clear()}>${t('Clear')}</button>`
            : nothing
        }
      </div>
      <div id="lines" class="lines" role="log" aria-live="off" aria-label=${t('Log of the panel')} data-ac="panel-log" tabindex="0" ?hidden=${!this.isOpen}>
        ${this.isOpen ? this.#lines(lines, dropped) : nothing}
      </div>`;
  }

  #lines(lines: readonly LogLine[], dropped: number): TemplateResult {
    if (!lines.length)
      return html`<p class="muted">${t('Nothing yet: what the plugin logs, and its errors, stand here.')}</p>`;
    return html`${dropped ? html`<p class="muted">${t('%1 not kept', tn('%1 earlier line', '%1 earlier lines', dropped))}</p>` : nothing}
      ${repeat(
        lines,
        ({ id }) => id,
        ({
          level,
          text,
          times,
        }) => html`<div class="line ${level}" data-ac="panel-log-line" data-level=${level}>
          ${LEVEL_WORDS[level] ? html`<span class="level">${LEVEL_WORDS[level]}</span>` : nothing}
          <span class="text">${shownLines(text)}</span>
          ${times > 1 ? html`<span class="muted number">× ${times}</span>` : nothing}
        </div>`,
      )}`;
  }
}
