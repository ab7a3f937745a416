/** Snippets button, and its menu. */

import { t } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { arrowKeyIndex, focused } from '../controllers/focus.ts';
import { Popover } from '../controllers/popover.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { Session } from '../model/session.ts';
import type { Snippet } from '../model/snippets.ts';
import { popoverStyles } from '../styles/forms.ts';
import { snippetsStyles } from '../styles/snippets.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';

export class AcSnippets extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, popoverStyles, snippetsStyles];

  declare session: Session;
  readonly #popover = new Popover(this, () => this.#items[0]?.focus());

  constructor() {
    super();
    new StoreController(this, () => [this.session.snippets]);
    this.addEventListener('keydown', (event) => this.#key(event));
  }

  protected override willUpdate(): void {
    this.hidden = this.session.snippets.snippets.length === 0;
  }

  protected override render(): TemplateResult {
    return html`<button
        class="icon-button"
        type="button"
        data-ac="snippets"
        title=${t('Insert a text')}
        aria-label=${t('Insert a text')}
        aria-haspopup="menu"
        aria-expanded=${this.#popover.isOpen}
        @click=${() => {
          this.#popover.isOpen = !this.#popover.isOpen;
        }}
      >
        ${icons.snippets}
      </button>
      ${this.#popover.isOpen ? this.#menu() : nothing}`;
  }

  get #items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('.item')];
  }

  #menu(): TemplateResult {
    return html`<div class="popover" role="menu" aria-label=${t('Texts for the input')}>
      ${this.session.snippets.snippets.map((snippet) => this.#item(snippet))}
    </div>`;
  }

  #item(snippet: Snippet): TemplateResult {
    const { icon, tooltip, message } = snippet;
    return html`<button class="item" type="button" role="menuitem" tabindex="-1" data-ac="snippet" title=${message}
      @click=${() => this.#insert(snippet)}>
      <span class="icon" aria-hidden="true">${icon}</span>
      <span class="words">${tooltip || message}${tooltip ? html`<span class="message muted">${message}</span>` : nothing}</span>
    </button>`;
  }

  #insert({ message }: Snippet): void {
    this.#popover.isOpen = false;
    this.dispatchEvent(new CustomEvent('ac-insert', { detail: message }));
  }

  #key(event: KeyboardEvent): void {
    if (!this.#popover.isOpen) return;
    const items = this.#items;
    const index = items.indexOf(focused() as HTMLElement);
    const next = items[arrowKeyIndex(event.key, index, items.length) ?? -1];
    if (next) {
      event.preventDefault();
      next.focus();
    }
    // Tab leaves the menu and closes it.
    else if (event.key === 'Tab') this.#popover.isOpen = false;
  }
}
