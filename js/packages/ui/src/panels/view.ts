/** View of panels, modal within the page's own: a tab for each, and the one that is shown. */

import { tagOf } from '@jupyter-ac/link';
import { t, tNodes, tn } from '@jupyter-ac/messages';
import { LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { html, unsafeStatic } from 'lit/static-html.js';
import { arrowKeyIndex, trapTab } from '../controllers/focus.ts';
import { LostFocusController } from '../controllers/lost-focus.ts';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import { shownLine, shownLines } from '../model/browser/shown-text.ts';
import { callsByNamespace, ORIGIN_WORDS, type PanelState, STATE_WORDS } from '../model/panels/panel-rows.ts';
import type { PanelsStore, ShownPanel } from '../model/panels/panels-store.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';
import { pageEnvironment } from './environment.ts';
import { panelsStore } from './sessions.ts';
import { usualComponents } from './usual-components.ts';
import { viewStyles } from './view-styles.ts';

const tag = {
  panel: unsafeStatic(tagOf('ac-plugin-panel')),
  log: unsafeStatic(tagOf('ac-panel-log')),
};

const STATE_ICONS: Readonly<Record<PanelState, TemplateResult>> = {
  stopped: icons.stop,
  starting: icons.spinner,
  running: icons.check,
  failed: icons.warning,
};

export class AcPanels extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, viewStyles];

  declare session: Session;
  readonly #components = usualComponents();
  /** The store that was told that the view is open. */
  #opened: PanelsStore | null = null;
  /** Key of the tab that was in view last. */
  #revealed = '';
  readonly #onVisibility = (): void => this.#opened?.setActive(!document.hidden);

  constructor() {
    super();
    new StoreController(this, () => [this.store]);
    new LostFocusController(this, () => this.focus());
    new OverlayController(
      this,
      () => true,
      () => this.#close(),
    );
    this.addEventListener('keydown', (event) => trapTab(event, this.renderRoot));
  }

  get store(): PanelsStore {
    return panelsStore(this.session);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.#opened?.close();
    this.#opened = null;
  }

  override focus(): void {
    const tab = this.renderRoot.querySelector<HTMLElement>('[aria-selected="true"]');
    (tab ?? this.renderRoot.querySelector<HTMLElement>('.card'))?.focus();
  }

  protected override firstUpdated(): void {
    this.focus();
  }

  protected override updated(changed: PropertyValues): void {
    if (changed.has('session')) {
      this.#opened?.close();
      this.#opened = this.store;
      this.store.open(pageEnvironment(this.renderRoot.querySelector('.card') as HTMLElement));
    }
    const key = this.store.shown?.key ?? '';
    if (key === this.#revealed) return;
    this.#revealed = key;
    const selected = this.renderRoot.querySelector('[aria-selected="true"]');
    selected?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
    if (this.shadowRoot?.activeElement?.matches('.card')) this.focus();
  }

  protected override render(): TemplateResult {
    const { store } = this;
    const { panels, shown } = store;
    return html`<div class="scrim" @pointerdown=${this.#pressed}>
      <div class="card wide" role="dialog" aria-modal="true" aria-label=${t('Panels')} data-ac="panels" tabindex="-1">
        <div class="bar">
          <h2>${t('Panels')}</h2>
          <span class="line cut muted" role="status">${this.#stateLine()}</span>
          <button class="icon-button" type="button" title=${t('Close (Escape)')} aria-label=${t('Close')} @click=${() => this.#close()}>${icons.close}</button>
        </div>
        ${
          panels.length
            ? html`<div class="tabs" role="tablist" aria-label=${t('Panels')} @keydown=${this.#tabKey}>${repeat(
                panels,
                ({ key }) => key,
                (panel) => this.#tab(panel, panel.key === shown?.key),
              )}</div>`
            : nothing
        }
        ${store.problem ? html`<p class="box bad problem" role="alert" data-ac="panels-problem">${shownLine(store.problem, 600)}</p>` : nothing}
        ${store.kernelNote ? html`<p class="box note" role="status" data-ac="panels-note">${store.kernelNote}</p>` : nothing}
        ${shown ? this.#pane(shown) : this.#none()}
      </div>
    </div>`;
  }

  #stateLine(): string {
    const { store, session } = this;
    if (!session.rpc.connected) return t('The connection is lost');
    if (!store.isLoaded) return t('Looking for panels …');
    const count = store.panels.length;
    return count ? tn('%1 panel', '%1 panels', count) : '';
  }

  #tab({ key, id, title, state, origin }: ShownPanel, isShown: boolean): TemplateResult {
    const isNotable = state === 'failed' || state === 'starting';
    return html`<button class="tab ${state}" type="button" role="tab" id=${`tab ${key}`} aria-controls="pane" data-ac="panel-tab"
      data-panel=${id} data-state=${state} data-origin=${origin} aria-selected=${isShown} tabindex=${isShown ? 0 : -1}
      title=${`${shownLine(title, 100)}: ${STATE_WORDS[state]}. ${ORIGIN_WORDS[origin]}`} @click=${() => this.store.show(key)}>
      <span class="cut">${shownLine(title, 100)}</span>
      ${isNotable ? html`<span class="mark" role="img" aria-label=${STATE_WORDS[state]}>${STATE_ICONS[state]}</span>` : nothing}
    </button>`;
  }

  #pane(shown: ShownPanel): TemplateResult {
    const { store } = this;
    const { key, state, origin } = shown;
    return html`<div class="pane" id="pane" role="tabpanel" aria-labelledby=${`tab ${key}`}>
      <div class="facts">
        <span class="state ${state}" data-ac="panel-state" data-state=${state}>${STATE_ICONS[state]} ${STATE_WORDS[state]}</span>
        <span class="muted">${ORIGIN_WORDS[origin]}</span>
        ${this.#calls(shown)}
        <span class="space"></span>
        <button class="button small" type="button" data-ac="panel-start-anew" title=${t('End the plugin and start it anew, for all that show it')}
          ?disabled=${state === 'starting'} @click=${() => void store.restart()}>${icons.refresh} ${t('Restart')}</button>
      </div>
      ${this.#error(shown)}
      <div class="plugins">${repeat(
        store.opened,
        ([opened]) => opened,
        ([
          opened,
          { controller },
        ]) => html`<${tag.panel} fill .isEmbedded=${true} ?hidden=${opened !== key} .isPaused=${opened !== key} .controller=${controller}
          .components=${this.#components} .label=${titleOf(store, opened)}></${tag.panel}>`,
      )}</div>
      <${tag.log} .log=${store.logOf(key)}></${tag.log}>
    </div>`;
  }

  #calls({ calls }: ShownPanel): TemplateResult {
    if (!calls.length)
      return html`<span class="muted" data-ac="panel-calls">${t('Calls nothing of the server')}</span>`;
    return html`<details class="calls" data-ac="panel-calls">
      <summary>${t('May call %1 of the server', tn('%1 method', '%1 methods', calls.length))}</summary>
      <dl>${callsByNamespace(calls).map(
        ([namespace, methods]) => html`<div><dt>${shownLine(namespace, 60)}</dt>
          <dd>${methods.map((method, at) => html`${at ? ', ' : ''}<code>${shownLine(method, 80)}</code>`)}</dd></div>`,
      )}</dl>
    </details>`;
  }

  /** Of a plugin that has failed before this page showed it; else the panel says it itself. */
  #error({ key, error }: ShownPanel): TemplateResult | typeof nothing {
    const status = this.store.opened.get(key)?.controller.getStatus();
    if (!error || status?.lastError) return nothing;
    const message = shownLines(error.message || t('The plugin has ended.'), 2000);
    return html`<div class="box bad problem" role="alert" data-ac="panel-failure">
      ${error.stack ? html`<details><summary>${message}</summary><pre>${shownLines(error.stack)}</pre></details>` : html`<p>${message}</p>`}
    </div>`;
  }

  #none(): TemplateResult {
    const { store } = this;
    if (!store.isLoaded)
      return html`<p class="none muted" role="status">${icons.spinner} ${t('Looking for panels …')}</p>`;
    return html`<div class="none" data-ac="panels-none">
      <p>${tNodes('No panel is here yet. A panel is a few lines of Python: run %1 in a notebook that has loaded %2, or serve a file with %3; those of installed packages are listed by themselves.', html`<code>Plugin(App).display()</code>`, html`<code>jupyter_ac</code>`, html`<code>jupyter ac panel FILE.py</code>`)}</p>
      <p class="muted">${tNodes('The page “Panels” of the documentation (%1) shows how to write one.', html`<code>docs/panels.md</code>`)}</p>
    </div>`;
  }

  readonly #tabKey = (event: KeyboardEvent): void => {
    const { panels, shown } = this.store;
    const index = panels.findIndex(({ key }) => key === shown?.key);
    const next = panels[arrowKeyIndex(event.key, index, panels.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    this.store.show(next.key);
    void this.updateComplete.then(() => this.focus());
  };

  readonly #pressed = (event: PointerEvent): void => {
    if (event.target === event.currentTarget) this.#close();
  };

  #close(): void {
    this.dispatchEvent(new CustomEvent('ac-close'));
  }
}

function titleOf(store: PanelsStore, key: string): string {
  return shownLine(store.panels.find((panel) => panel.key === key)?.title ?? t('Panel'), 100);
}
