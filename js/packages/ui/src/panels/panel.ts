/** A panel whose plugin runs elsewhere: its tree, what has gone wrong, and a button that starts it again. */

import { tagOf } from '@jupyter-ac/link';
import { t } from '@jupyter-ac/messages';
import { LitElement, nothing, type TemplateResult } from 'lit';
import { html, unsafeStatic } from 'lit/static-html.js';
import { isolateKeys } from '../controllers/key-isolation.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { ThemeController } from '../controllers/theme.ts';
import type { HostController } from '../model/panels/host-controller.ts';
import type { PanelLog } from '../model/panels/panel-log.ts';
import { formStyles } from '../styles/forms.ts';
import { base, tokens } from '../styles/tokens.ts';
import type { ComponentRegistry } from './components.ts';
import { TreeRenderer } from './renderer.ts';
import { panelStyles } from './styles.ts';

/** The plugin is said to be busy when an event has no answer for so long. */
const BUSY_MS = 1000;
const logTag = unsafeStatic(tagOf('ac-panel-log'));

export class AcPluginPanel extends LitElement {
  static override properties = {
    controller: { attribute: false },
    components: { attribute: false },
    label: { type: String },
    isEmbedded: { type: Boolean },
    log: { attribute: false },
    isPaused: { type: Boolean },
    isHeld: { type: Boolean },
    isBusy: { state: true },
    failures: { state: true },
  };
  static override styles = [tokens, base, formStyles, panelStyles];

  declare controller: HostController;
  declare components: ComponentRegistry;
  /** Name of the panel, for screen readers. */
  declare label: string;
  /** It is in a panel of ours, which handles keys that the plugin leaves. */
  declare isEmbedded: boolean;
  /** Shown below the panel when it has lines; null: elsewhere. */
  declare log: PanelLog | null;
  /** What changes isn't rendered until it is false again: the panel is kept, but not seen. */
  declare isPaused: boolean;
  /** What runs the plugin is known to be busy. */
  declare isHeld: boolean;
  /** Events have waited for their answers for a while. */
  declare isBusy: boolean;
  /** Components of the page that have failed. */
  declare failures: readonly string[];

  #renderer: TreeRenderer | null = null;
  #busyTimer: number | undefined;

  constructor() {
    super();
    this.label = t('Panel');
    this.isEmbedded = false;
    this.log = null;
    this.isPaused = false;
    this.isHeld = false;
    this.isBusy = false;
    this.failures = [];
    new StoreController(
      this,
      () => (this.log ? [this.controller, this.log] : [this.controller]),
      (update) => {
        if (!this.isPaused) update();
      },
    );
    new ThemeController(this, (isDark) => {
      void this.controller.setEnvironment({ colorScheme: isDark ? 'dark' : 'light' });
    });
    this.addEventListener('keydown', (event) => {
      if (!this.isEmbedded) isolateKeys(event);
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.dataset.lmSuppressShortcuts = 'true';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#busyTimer);
    this.#busyTimer = undefined;
    this.#renderer?.dispose();
    this.#renderer = null;
  }

  protected override render(): TemplateResult {
    const { lastError } = this.controller.getStatus();
    return html`
      ${
        lastError
          ? html`<div class="box bad error" role="alert" data-ac="panel-error">
            ${
              lastError.stack
                ? html`<details><summary>${lastError.message}</summary><pre>${lastError.stack}</pre></details>`
                : html`<p>${lastError.message}</p>`
            }
            ${this.#restartButton()}
          </div>`
          : nothing
      }
      ${this.failures.map((words) => html`<p class="box bad error" role="alert">${words}</p>`)}
      <div class="tree" role="region" aria-label=${this.label} tabindex="-1" data-ac="panel-tree"></div>
      ${this.#busyNote()}
      ${
        this.log?.lines.length
          ? html`<${logTag} style="max-height: 200px" .log=${this.log}></${logTag}>`
          : nothing
      }`;
  }

  protected override updated(): void {
    if (!this.isConnected) return;
    this.#renderer ??= new TreeRenderer(this.renderRoot.querySelector('.tree') as HTMLElement, {
      components: this.components,
      send: (handlerId, args) => this.controller.executeHandler(handlerId, args),
      onFailure: (type, error) => this.#onFailure(type, error),
    });
    this.#renderer.render(this.controller.getTree());
    this.#watch(this.controller.getStatus().pendingEvents > 0);
  }

  #busyNote(): TemplateResult | typeof nothing {
    const { connected, mode } = this.controller.getStatus();
    if (!connected || !(this.isBusy || this.isHeld)) return nothing;
    const words =
      mode === 'kernel'
        ? t('The kernel is busy; the panel answers when the running cell has ended.')
        : t('The panel is busy …');
    return html`<p class="waiting muted" role="status" data-ac="panel-busy">${words}</p>`;
  }

  #restartButton(): TemplateResult | typeof nothing {
    // Without a connection there is nothing that could be started.
    if (!this.controller.getStatus().connected) return nothing;
    return html`<button class="button" type="button" data-ac="panel-restart" @click=${() => {
      this.failures = [];
      void this.controller.restart();
    }}>${t('Restart')}</button>`;
  }

  #onFailure(type: string, error: unknown): void {
    const words = `${type}: ${error instanceof Error ? error.message : String(error)}`;
    if (this.failures.includes(words) || this.failures.length >= 3) return;
    // While the element is being updated.
    queueMicrotask(() => {
      this.failures = [...this.failures, words];
    });
  }

  #watch(isWaiting: boolean): void {
    if (!isWaiting) {
      clearTimeout(this.#busyTimer);
      this.#busyTimer = undefined;
      this.isBusy = false;
      return;
    }
    this.#busyTimer ??= window.setTimeout(() => {
      this.isBusy = true;
    }, BUSY_MS);
  }
}
