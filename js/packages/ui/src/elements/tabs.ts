/** The conversations of a panel as tabs; hidden while there is only one. */

import { t } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { arrowKeyIndex } from '../controllers/focus.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { Mark, Tab, TabsStore } from '../model/tabs.ts';
import { conversationTabsStyles } from '../styles/conversation-tabs.ts';
import { tabStyles } from '../styles/tabs.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';

export class AcTabs extends LitElement {
  static override properties = { tabs: { attribute: false } };
  static override styles = [base, tabStyles, conversationTabsStyles];

  declare tabs: TabsStore;

  constructor() {
    super();
    new StoreController(this, () => [this.tabs]);
  }

  protected override willUpdate(): void {
    this.hidden = this.tabs.tabs.length < 2;
  }

  protected override updated(): void {
    this.#button(this.tabs.active)?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.hidden) return nothing;
    const { tabs, obstacle, news } = this.tabs;
    return html`<nav aria-label=${t('Open conversations')}><div class="tabs" role="tablist" aria-label=${t('Conversations')} @keydown=${this.#key}>
        ${repeat(
          tabs,
          ({ id }) => id,
          (tab) => this.#tab(tab),
        )}
      </div>
      <button class="icon-button" type="button" data-ac="tab-new" aria-label=${t('New conversation in a new tab')}
        title=${obstacle || t('New conversation in a new tab')} aria-description=${obstacle}
        aria-disabled=${obstacle !== ''} @click=${this.#openNew}>${icons.plus}</button>
      </nav>
      <span class="news" role="status">${news}</span>`;
  }

  #tab(tab: Tab): TemplateResult {
    const { id, name, mark } = tab;
    const isShown = id === this.tabs.active.id;
    return html`<button type="button" role="tab" data-ac="conversation-tab" data-tab=${id} data-mark=${mark}
      aria-selected=${isShown} tabindex=${isShown ? 0 : -1} aria-keyshortcuts="Delete"
      aria-label=${labelled(name, mark)} title=${described(name, mark)}
      @click=${() => this.tabs.activate(tab)} @auxclick=${(event: MouseEvent) => this.#middleClick(event, tab)}
      @mousedown=${keepFromScrolling}>
      ${mark === 'running' ? icons.spinner : nothing}
      ${mark === 'asking' ? icons.warning : nothing}
      ${mark === 'unread' ? html`<span class="dot"></span>` : nothing}
      <span class="name">${name}</span>
      <span class="close" data-ac="conversation-close" aria-hidden="true"
        title=${mark === 'running' ? t('Close the tab; the answer goes on') : t('Close the tab; the conversation is kept')}
        @click=${(event: MouseEvent) => this.#close(event, tab)}>${icons.close}</span>
    </button>`;
  }

  readonly #openNew = (): void => {
    this.tabs.open('');
    this.dispatchEvent(new CustomEvent('ac-input'));
  };

  #button({ id }: Tab): HTMLElement | null {
    const buttons = this.renderRoot.querySelectorAll<HTMLElement>('[role="tab"]');
    return [...buttons].find(({ dataset }) => dataset.tab === id) ?? null;
  }

  #close(event: Event, tab: Tab): void {
    event.stopPropagation();
    event.preventDefault();
    void this.#closeAndFocus(tab, this.renderRoot.contains(event.target as Node));
  }

  #middleClick(event: MouseEvent, tab: Tab): void {
    if (event.button === 1) this.#close(event, tab);
  }

  /** Focuses the shown tab, or the input when there are no tabs any more. */
  async #closeAndFocus(tab: Tab, isFocused: boolean): Promise<void> {
    this.tabs.close(tab);
    await this.updateComplete;
    if (!isFocused) return;
    const shown = this.hidden ? null : this.#button(this.tabs.active);
    if (shown) shown.focus();
    else this.dispatchEvent(new CustomEvent('ac-input'));
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { tabs, active } = this.tabs;
    const at = tabs.findIndex(({ id }) => id === active.id);
    const next = tabs[arrowKeyIndex(event.key, at, tabs.length) ?? -1];
    if (event.key === 'Delete') void this.#closeAndFocus(active, true);
    else if (next) void this.#move(next);
    else return;
    event.preventDefault();
  };

  async #move(tab: Tab): Promise<void> {
    this.tabs.activate(tab);
    await this.updateComplete;
    this.#button(tab)?.focus();
  }
}

/** A press of the middle button would begin to scroll. */
function keepFromScrolling(event: MouseEvent): void {
  if (event.button === 1) event.preventDefault();
}

function labelled(name: string, mark: Mark): string {
  switch (mark) {
    case 'asking':
      return t('%1: asks something', name);
    case 'running':
      return t('%1: is answering', name);
    case 'unread':
      return t('%1: has a new answer', name);
    case '':
      return name;
  }
}

function described(name: string, mark: Mark): string {
  return t('%1. Delete or a middle click closes the tab', labelled(name, mark));
}
