/** Settings dialog (form, model, keys, files), modal within the panel. */

import { t } from '@jupyter-ac/messages';
import { LitElement, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { arrowKeyIndex, tabStops, trapTab } from '../controllers/focus.ts';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { Session } from '../model/session.ts';
import type { SettingsTab } from '../model/settings.ts';
import { barStyles } from '../styles/bar.ts';
import { settingsStyles } from '../styles/settings.ts';
import { base } from '../styles/tokens.ts';
import { tag } from './element-tags.ts';
import * as icons from './icons.ts';

const LABELS: Readonly<Record<SettingsTab, string>> = {
  form: t('Settings'),
  models: t('Model'),
  keys: t('Keys'),
  config: t('Files'),
};

export class AcSettings extends LitElement {
  static override properties = { session: { attribute: false }, tab: { attribute: false } };
  static override styles = [base, barStyles, settingsStyles];

  declare session: Session;
  declare tab: SettingsTab;

  constructor() {
    super();
    new StoreController(this, () => [this.session]);
    new OverlayController(
      this,
      () => true,
      () => this.#close(),
    );
    this.addEventListener('keydown', (event) => this.#key(event));
    // A pane requests another tab.
    this.addEventListener('ac-settings', (event) => {
      event.stopPropagation();
      this.#show((event as CustomEvent<SettingsTab>).detail);
    });
  }

  protected override firstUpdated(): void {
    void this.#focusPane();
  }

  protected override render(): TemplateResult {
    const { tabs } = this.session.settings;
    return html`<div class="scrim" @pointerdown=${this.#pressed}>
      <div class="card" role="dialog" aria-modal="true" aria-label=${t('Settings')} data-ac="overlay" tabindex="-1">
        <div class="bar">
          <div class="tabs" role="tablist" @keydown=${this.#tabKey}>
            ${tabs.map((tab) => this.#tab(tab))}
          </div>
          <button class="icon-button" type="button" title=${t('Close (Escape)')} aria-label=${t('Close the settings')} @click=${this.#close}>
            ${icons.close}
          </button>
        </div>
        <div class="pane" id="pane" role="tabpanel" aria-label=${LABELS[this.tab]}>${this.#pane()}</div>
      </div>
    </div>`;
  }

  #tab(tab: SettingsTab): TemplateResult {
    const isOpen = tab === this.tab;
    return html`<button type="button" role="tab" data-tab=${tab} aria-selected=${isOpen} aria-controls="pane"
      tabindex=${isOpen ? 0 : -1} @click=${() => this.#show(tab)}>${LABELS[tab]}</button>`;
  }

  #pane(): TemplateResult {
    const { session } = this;
    switch (this.tab) {
      case 'form':
        return html`<${tag.settingsForm} .session=${session}></${tag.settingsForm}>`;
      case 'models':
        return html`<${tag.models} .session=${session}></${tag.models}>`;
      case 'keys':
        return html`<${tag.keys} .session=${session}></${tag.keys}>`;
      case 'config':
        return html`<${tag.config} .session=${session}></${tag.config}>`;
    }
  }

  #show(tab: SettingsTab): void {
    if (tab === this.tab) return;
    this.session.settings.leave(() => {
      this.tab = tab;
      void this.#focusPane();
    });
  }

  /** Focuses the first tab stop of the pane, or the dialog. */
  async #focusPane(): Promise<void> {
    await this.updateComplete;
    const pane = this.renderRoot.querySelector('.pane')?.firstElementChild;
    if (pane instanceof LitElement) await pane.updateComplete;
    // The pane may have set the focus itself.
    if (pane?.shadowRoot?.activeElement) return;
    const first = pane?.shadowRoot ? tabStops(pane.shadowRoot)[0] : undefined;
    (first ?? this.renderRoot.querySelector<HTMLElement>('.card'))?.focus();
  }

  readonly #close = (): void => {
    this.session.settings.leave(() => this.dispatchEvent(new CustomEvent('ac-close')));
  };

  readonly #pressed = (event: PointerEvent): void => {
    if (event.target === event.currentTarget) this.#close();
  };

  #key(event: KeyboardEvent): void {
    trapTab(event, this.renderRoot);
    // Ctrl+S saves the open settings, never the notebook behind them.
    if (event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  readonly #tabKey = (event: KeyboardEvent): void => {
    const { tabs } = this.session.settings;
    const next = tabs[arrowKeyIndex(event.key, tabs.indexOf(this.tab), tabs.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    this.session.settings.leave(() => {
      this.tab = next;
      void this.updateComplete.then(() =>
        this.renderRoot.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus(),
      );
    });
  };
}
