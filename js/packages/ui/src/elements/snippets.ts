/** The button for texts that go into the input, and their menu when it is open. */

import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { focused, step } from '../controllers/focus.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { Session } from '../model/session.ts';
import type { Snippet } from '../model/snippets.ts';
import { popoverStyles } from '../styles/forms.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';

export class AcSnippets extends LitElement {
  static override properties = { session: { attribute: false }, isOpen: { state: true } };
  static override styles = [
    base,
    popoverStyles,
    css`
      :host {
        display: inline-flex;
      }
      :host([hidden]) {
        display: none;
      }
      .popover {
        right: 0;
        bottom: calc(100% + 6px);
        left: 0;
        gap: 0;
        max-width: 420px;
        max-height: 260px;
        padding: 4px;
        overflow-y: auto;
        overscroll-behavior: contain;
      }
      .item {
        display: flex;
        flex: none;
        gap: 8px;
        padding: 5px 8px;
        text-align: left;
      }
      .item:hover,
      .item:focus-visible {
        background: var(--ac-tint);
      }
      .item:focus-visible {
        outline-offset: -2px;
      }
      .icon {
        flex: none;
        min-width: 20px;
        text-align: center;
      }
      .words {
        min-width: 0;
      }
      .message {
        display: block;
        overflow: hidden;
        font-size: 11px;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
    `,
  ];

  declare session: Session;
  declare isOpen: boolean;
  readonly #elsewhere = (event: Event): void => {
    if (!event.composedPath().includes(this)) this.isOpen = false;
  };

  constructor() {
    super();
    this.isOpen = false;
    new StoreController(this, () => [this.session.snippets]);
    this.addEventListener('keydown', (event) => this.#key(event));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.isOpen = false;
    document.removeEventListener('pointerdown', this.#elsewhere, true);
  }

  protected override willUpdate(): void {
    this.hidden = this.session.snippets.snippets.length === 0;
  }

  protected override render(): TemplateResult {
    return html`<button
        class="icon-button"
        type="button"
        data-ac="snippets"
        title="Insert a text"
        aria-label="Insert a text"
        aria-haspopup="menu"
        aria-expanded=${this.isOpen}
        @click=${() => {
          this.isOpen = !this.isOpen;
        }}
      >
        ${icons.snippets}
      </button>
      ${this.isOpen ? this.#menu() : nothing}`;
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has('isOpen')) return;
    if (!this.isOpen) document.removeEventListener('pointerdown', this.#elsewhere, true);
    else {
      document.addEventListener('pointerdown', this.#elsewhere, true);
      this.#items[0]?.focus();
    }
  }

  get #items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('.item')];
  }

  #menu(): TemplateResult {
    return html`<div class="popover" role="menu" aria-label="Texts for the input">
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
    this.isOpen = false;
    this.dispatchEvent(new CustomEvent('ac-insert', { detail: message }));
  }

  #close(): void {
    this.isOpen = false;
    this.renderRoot.querySelector('button')?.focus();
  }

  #key(event: KeyboardEvent): void {
    if (!this.isOpen) return;
    const items = this.#items;
    const index = items.indexOf(focused() as HTMLElement);
    const next = items[step(event.key, index, items.length) ?? -1];
    if (event.key === 'Escape') this.#close();
    else if (next) next.focus();
    // Tab goes on from here, out of the menu.
    else if (event.key === 'Tab') this.isOpen = false;
    if (event.key === 'Escape' || next) event.preventDefault();
  }
}
