/** Dialog with the text of a fetched web page, or the reason why there is none. */

import { RpcMixin } from '@jupyter-ac/link';
import { t } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { trapTab } from '../controllers/focus.ts';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { ago } from '../model/format.ts';
import type { Session } from '../model/session.ts';
import type { PageText } from '../model/urls.ts';
import { barStyles } from '../styles/bar.ts';
import { cardStyles } from '../styles/card.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';

export class AcWebPage extends RpcMixin(LitElement) {
  static override properties = {
    session: { attribute: false },
    url: { attribute: false },
    page: { state: true },
  };
  static override styles = [
    base,
    barStyles,
    cardStyles,
    css`
      .title {
        flex: 1;
        min-width: 0;
        overflow: hidden;
        font-weight: 600;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
      .facts {
        flex: none;
        padding: 6px 12px;
        border-bottom: 1px solid var(--ac-line);
        font-size: 12px;
        overflow-wrap: anywhere;
      }
      pre {
        flex: 1;
        min-height: 0;
        margin: 0;
        padding: 10px 12px;
        overflow-y: auto;
        font: 12px / 1.55 var(--ac-mono);
        overflow-wrap: anywhere;
        white-space: pre-wrap;
      }
      pre:focus-visible {
        outline-offset: -2px;
      }
      .state {
        display: flex;
        gap: 8px;
        padding: 14px 12px;
        overflow-wrap: anywhere;
      }
      .state.failed svg {
        margin-top: 2px;
        color: var(--ac-danger);
      }
    `,
  ];

  declare session: Session;
  /** Its address. */
  declare url: string;
  /** null while it is loading. */
  declare page: PageText | null;

  constructor() {
    super();
    this.page = null;
    new StoreController(this, () => [this.session.urls]);
    new OverlayController(
      this,
      () => true,
      () => this.#close(),
    );
    this.addEventListener('keydown', (event) => trapTab(event, this.renderRoot));
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('url')) void this.#load();
  }

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>('.card')?.focus();
  }

  protected override render(): TemplateResult {
    const { page, url } = this;
    const isFetching = this.session.urls.chip(url)?.state === 'fetching';
    const title = escapeInvisible(page?.title || url);
    return html`<div class="scrim" @pointerdown=${this.#pressed}>
      <div class="card wide" role="dialog" aria-modal="true" aria-label=${t('Web page %1', title)} data-ac="page-text" data-url=${url} tabindex="-1">
        <div class="bar">
          <span class="title" title=${title}><bdi>${title}</bdi></span>
          <button class="button" type="button" data-ac="page-fetch" aria-disabled=${isFetching || !this.rpcConnected || !this.session.urls.isFetchAllowed}
            @click=${() => void this.#fetchAgain()}>${isFetching ? icons.spinner : icons.refresh} ${t('Fetch again')}</button>
          <button class="icon-button" type="button" title=${t('Close (Escape)')} aria-label=${t('Close the page')} @click=${this.#close}>
            ${icons.close}
          </button>
        </div>
        ${this.#facts(page)} ${this.#content(page)}
      </div>
    </div>`;
  }

  #facts(page: PageText | null): TemplateResult {
    const { url } = this;
    const time = Date.parse(page?.fetchedAt ?? '');
    const isElsewhere = page?.finalUrl && page.finalUrl !== url;
    return html`<div class="facts muted">
      <div>${escapeInvisible(url)}</div>
      ${isElsewhere ? html`<div>${t('redirected to %1', escapeInvisible(page.finalUrl))}</div>` : nothing}
      ${page?.proxy ? html`<div>${t('through the proxy %1', escapeInvisible(page.proxy))}</div>` : nothing}
      ${
        Number.isNaN(time)
          ? nothing
          : html`<div>${page?.error ? t('tried') : t('fetched')} ${ago(time, Date.now())}${page?.error ? nothing : t('; it reaches the model as material to read, not as instructions')}</div>`
      }
    </div>`;
  }

  #content(page: PageText | null): TemplateResult {
    if (!page)
      return html`<p class="state muted" role="status">${icons.spinner} ${t('Loading the text …')}</p>`;
    if (page.error)
      return html`<p class="state failed" role="alert">${icons.warning} <span>${page.error}</span></p>`;
    return html`<pre tabindex="0" role="region" aria-label=${t('Text of the page')}>${page.text}</pre>`;
  }

  async #fetchAgain(): Promise<void> {
    const { urls } = this.session;
    if (!this.rpcConnected || !urls.isFetchAllowed || urls.chip(this.url)?.state === 'fetching') return;
    await urls.fetch(this.url, true);
    await this.#load();
  }

  async #load(): Promise<void> {
    const { url } = this;
    const page = await this.session.urls.read(url);
    if (url === this.url) this.page = page;
  }

  readonly #close = (): void => {
    this.dispatchEvent(new CustomEvent('ac-close'));
  };

  readonly #pressed = (event: PointerEvent): void => {
    if (event.target === event.currentTarget) this.#close();
  };
}
