/** Chips of the files that the input names: a press ticks the file. Loaded on demand. */

import { t } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { StoreController } from '../controllers/store-controller.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { PathOffersStore } from '../model/path-offers.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';
import { urlChipStyles } from '../styles/url-chips.ts';
import * as icons from './icons.ts';

export class AcPathOffers extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, urlChipStyles];

  declare session: Session;
  #store: PathOffersStore | null = null;

  constructor() {
    super();
    new StoreController(this, () => (this.#store ? [this.#store] : []));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate('session', null);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#store?.dispose();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has('session')) return;
    this.#store?.dispose();
    this.#store = new PathOffersStore(this.session);
  }

  protected override render(): TemplateResult | typeof nothing {
    const offers = this.#store?.offers ?? [];
    if (!offers.length) return nothing;
    return html`<div class="chips" role="group" aria-label=${t('Files named in the input')}>
      ${repeat(
        offers,
        (path) => path,
        (path) => this.#chip(path),
      )}
    </div>`;
  }

  #chip(path: string): TemplateResult {
    const name = escapeInvisible(path);
    return html`<div class="chip found" data-ac="chip" data-kind="file" data-state="found" data-path=${path} title=${t('%1\nNot sent until you tick it', name)}>
      <button class="main" type="button" data-ac="chip-tick" aria-label=${t('Tick %1', name)} @click=${() => this.#press(() => this.#store?.tick(path))}>
        <span class="name"><bdi>${name}</bdi></span> <span class="verb">${t('Tick')}</span>
      </button>
      <button class="icon-button" type="button" data-ac="chip-remove" title=${t("Don't offer it")} aria-label=${t("Don't offer %1", name)}
        @click=${() => this.#press(() => this.#store?.dismiss(path))}>${icons.close}</button>
    </div>`;
  }

  /** The pressed chip disappears, so the focus moves to the input. */
  #press(act: () => void): void {
    act();
    this.dispatchEvent(new CustomEvent('ac-input'));
  }
}
