/** Dialog of the file viewer; its code is loaded on demand. */

import { t } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { trapTab } from '../controllers/focus.ts';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { LoadViewer } from '../load-chunk.ts';
import type { MarkdownRenderer } from '../markdown/markdown-renderer.ts';
import { escapeInvisible, type FileLocation, locationLabel } from '../model/file-location.ts';
import type { Session } from '../model/session.ts';
import { barStyles } from '../styles/bar.ts';
import { cardStyles } from '../styles/card.ts';
import { base } from '../styles/tokens.ts';
import type { OpenViewer } from '../viewer/index.ts';
import * as icons from './icons.ts';

export class AcViewer extends LitElement {
  static override properties = {
    session: { attribute: false },
    load: { attribute: false },
    markdown: { attribute: false },
    location: { attribute: false },
    isTab: { attribute: false },
    shown: { state: true },
    error: { state: true },
  };
  static override styles = [
    base,
    barStyles,
    cardStyles,
    css`
      .path {
        flex: 1;
        min-width: 0;
        overflow: hidden;
        direction: rtl;
        font: 12px var(--ac-mono);
        text-align: left;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      label {
        display: inline-flex;
        flex: none;
        gap: 5px;
        align-items: center;
      }
      label input {
        margin: 0;
      }
      .mount {
        flex: 1;
      }
      .tab {
        display: flex;
        flex-direction: column;
        height: 100%;
        outline: 0;
      }
      .tab > .bar {
        gap: 4px;
        min-height: 34px;
      }
      .wait {
        display: flex;
        flex-wrap: wrap;
        gap: 8px;
        align-items: center;
        padding: 16px;
      }
    `,
  ];

  declare session: Session;
  declare load: LoadViewer;
  /** Renders formulas and highlights code; undefined where neither is available. */
  declare markdown: MarkdownRenderer | null | undefined;
  /** The requested location. */
  declare location: FileLocation;
  /** It stands alone; otherwise it covers a panel until it is closed. */
  declare isTab: boolean;
  /** The current location, after navigation in the viewer. */
  declare shown: FileLocation;
  declare error: string;
  #viewer: OpenViewer | null = null;

  constructor() {
    super();
    this.error = '';
    this.isTab = false;
    new StoreController(this, () => [this.session.selection, this.session.files]);
    new OverlayController(
      this,
      () => !this.isTab,
      () => this.#close(),
    );
    this.addEventListener('keydown', (event) => this.isTab || trapTab(event, this.renderRoot));
  }

  /** Focuses the file, or the dialog while the viewer is loading. */
  focusFile(): void {
    if (this.#viewer) this.#viewer.focus();
    else this.#box?.focus();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // It is back in the page, where it was left.
    if (this.hasUpdated) void this.#start(this.shown);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#viewer?.dispose();
    this.#viewer = null;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('location')) return;
    this.shown = this.location;
    this.#viewer?.show(this.location);
  }

  protected override firstUpdated(): void {
    if (!this.isTab) this.#box?.focus();
    void this.#start(this.location);
  }

  get #box(): HTMLElement | null {
    return this.renderRoot.querySelector('[data-ac="viewer"]');
  }

  protected override render(): TemplateResult {
    const { shown, isTab } = this;
    const box = html`<div class=${isTab ? 'tab' : 'card wide'} role=${isTab ? 'region' : 'dialog'} aria-modal=${isTab ? nothing : 'true'}
        aria-label=${shown.path ? t('File %1', escapeInvisible(shown.path)) : t('Map')} data-ac="viewer"
        data-path=${shown.path} data-line=${shown.line} tabindex="-1">
        <div class="bar">
          <span class="path" title=${escapeInvisible(shown.path)}><bdi>${locationLabel(shown)}</bdi></span>
          ${this.#tick()}
          ${
            isTab
              ? nothing
              : html`<button class="icon-button" type="button" title=${t('Close (Escape)')} aria-label=${t('Close the file')} @click=${this.#close}>
                ${icons.close}
              </button>`
          }
        </div>
        ${this.#viewer ? nothing : this.#waiting()}
        <div class="mount" ?hidden=${!this.#viewer}></div>
      </div>`;
    return isTab ? box : html`<div class="scrim" @pointerdown=${this.#pressed}>${box}</div>`;
  }

  /** Checkbox that ticks the shown file. */
  #tick(): TemplateResult | typeof nothing {
    const { selection, files } = this.session;
    const { path } = this.shown;
    if (!files.tree.files.get(path)?.isSendable) return nothing;
    const isOn = selection.has(path);
    return html`<label class="muted"><input type="checkbox" data-ac="viewer-tick" .checked=${isOn}
      @change=${() => selection.mark([path], !isOn)}>${t('Send')}</label>`;
  }

  #waiting(): TemplateResult {
    return this.error
      ? html`<div class="wait" role="alert">${icons.warning} <span>${this.error}</span>
          <button class="button" type="button" @click=${() => void this.#start(this.location)}>${icons.refresh} ${t('Try again')}</button></div>`
      : html`<p class="wait muted" role="status">${icons.spinner} ${t('Loading the viewer …')}</p>`;
  }

  async #start(location: FileLocation): Promise<void> {
    this.error = '';
    try {
      const { openViewer, commentsOn } = await this.load();
      const host = this.renderRoot.querySelector<HTMLElement>('.mount');
      if (!host || !this.isConnected || this.#viewer) return;
      this.#viewer = openViewer(host, location, {
        rpc: this.session.rpc,
        review: this.session.review,
        conversation: this.session.chat,
        comments: (path) => commentsOn(path, this.session),
        markdown: (text) => this.markdown?.render(text) ?? document.createTextNode(text),
        moved: (location) => {
          this.shown = location;
          this.dispatchEvent(new CustomEvent('ac-moved', { detail: location }));
        },
      });
      this.requestUpdate();
      await this.updateComplete;
      if (!this.isTab) this.#viewer?.focus();
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
    }
  }

  readonly #close = (): void => {
    this.dispatchEvent(new CustomEvent('ac-close'));
  };

  readonly #pressed = (event: PointerEvent): void => {
    if (event.target === event.currentTarget) this.#close();
  };
}
