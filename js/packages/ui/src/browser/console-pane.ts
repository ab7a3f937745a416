/** Pane of a page's console: filter by level and text, link to the file, add to the conversation. */

import { t, tn } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import { VirtualList } from '../controllers/virtual-list.ts';
import * as icons from '../elements/icons.ts';
import { openLocation } from '../elements/location-links.ts';
import type { BrowserStore } from '../model/browser/browser.ts';
import type { LevelFilter } from '../model/browser/console-messages.ts';
import { messageItem } from '../model/browser/page-items.ts';
import type { ConsoleMessage, Level } from '../model/browser/recorded-rows.ts';
import { shownLine, shownLines, shownUrl } from '../model/browser/shown-text.ts';
import { escapeInvisible } from '../model/file-location.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';
import { addToQuestion } from './add-to-question.ts';
import { consoleStyles } from './console-styles.ts';
import { listFoot, listState, type NoRows, RowKeys } from './recorded-rows-view.ts';
import { paneStyles } from './styles.ts';

const ROW_PX = 28;
const LEVELS: readonly [LevelFilter, string][] = [
  ['all', t('All levels')],
  ['problems', t('Errors and warnings')],
  ['error', t('Errors')],
];
const NONE: NoRows = {
  noMatch: t('No messages match the filter.'),
  none: t('No messages yet. Reload the page to record it from its start.'),
};
const ICONS: Readonly<Record<Level, TemplateResult>> = {
  error: icons.warning,
  warning: icons.warning,
  info: icons.info,
  log: icons.chevronRight,
  debug: icons.settings,
};

export class AcBrowserConsole extends LitElement {
  static override properties = {
    session: { attribute: false },
    store: { attribute: false },
    open: { state: true },
  };
  static override styles = [base, paneStyles, consoleStyles];

  declare session: Session;
  declare store: BrowserStore;
  /** The message shown in full; null for none. */
  declare open: ConsoleMessage | null;
  readonly #list = new VirtualList(this, ROW_PX, () => this.store.console.shown.length);
  readonly #keys = new RowKeys(
    this,
    this.#list,
    () => this.store.console.shown,
    (row) => {
      this.open = row;
    },
  );

  constructor() {
    super();
    this.open = null;
    new StoreController(this, () => [this.store, this.store.console]);
  }

  protected override willUpdate(): void {
    this.#keys.anchor();
    const { rows } = this.store.console;
    if (this.open && !rows.some(({ id }) => id === this.open?.id)) this.open = null;
  }

  protected override updated(): void {
    this.#list.attach(this.renderRoot.querySelector<HTMLElement>('.list'));
  }

  protected override render(): TemplateResult {
    const { console } = this.store;
    return html`<div class="filters">
        <input type="search" data-ac="browser-console-filter" placeholder=${t('Filter messages')} aria-label=${t('Filter messages')} .value=${console.query}
          @input=${(event: Event) => console.search((event.target as HTMLInputElement).value)} />
        <select data-ac="browser-console-level" aria-label=${t('Level')}
          @change=${(event: Event) => void console.setLevel((event.target as HTMLSelectElement).value as LevelFilter)}>
          ${LEVELS.map(([level, label]) => html`<option value=${level} ?selected=${level === console.level}>${label}</option>`)}
        </select>
      </div>
      ${this.#messages()} ${this.open ? this.#detail(this.open) : nothing}
      ${listFoot(
        console,
        (count) => tn('%1 message', '%1 messages', count),
        () => void this.store.clear('console'),
      )}`;
  }

  #messages(): TemplateResult {
    const { shown } = this.store.console;
    const { first, end } = this.#list.shown;
    const { active } = this.#keys;
    return html`<div class="list" role="listbox" tabindex="0" aria-label=${t('Messages of the console, the newest first')}
      aria-activedescendant=${shown[active] ? `row-${active}` : nothing} @keydown=${this.#keys.onKey}>
      <div style="height:${shown.length * ROW_PX}px">
        <div style="transform:translateY(${first * ROW_PX}px)">
          ${shown.slice(first, end).map((row, at) => this.#row(row, first + at))}
        </div>
      </div>
      ${listState(this.store, this.store.console, NONE)}
    </div>`;
  }

  #row(row: ConsoleMessage, index: number): TemplateResult {
    const { id, level, message, path, line } = row;
    const isOpen = this.open?.id === id;
    return html`<div class="row ${level} ${index === this.#keys.active ? 'active' : ''} ${isOpen ? 'chosen' : ''}" id=${`row-${index}`} role="option"
      aria-selected=${isOpen} aria-setsize=${this.store.console.shown.length} aria-posinset=${index + 1}
      data-ac="browser-row" data-kind="message" data-id=${id} data-level=${level}
      @click=${() => this.#keys.take(index)}>
      <span class="level">${ICONS[level]} ${level}</span>
      <span class="cut words"><bdi>${shownLine(message)}</bdi></span>
      ${path ? html`<span class="cut file muted"><bdi>${escapeInvisible(path)}${line ? `:${line}` : ''}</bdi></span>` : nothing}
    </div>`;
  }

  #detail(row: ConsoleMessage): TemplateResult {
    const { level, message, source, path, line, time } = row;
    const at = time ? new Date(time * 1000).toLocaleTimeString() : '';
    return html`<section class="detail" aria-label=${t('Message')} data-ac="browser-message">
      <div class="head">
        <span class="level ${level}">${ICONS[level]} ${level}</span>
        <span class="muted wrap">${[at, shownLine(source, 40)].filter(Boolean).join(', ')}</span>
        ${
          path
            ? html`<a class="place wrap" role="link" tabindex="0" data-ac="place" data-path=${path} data-line=${line}
              @click=${() => this.#openFile(row)} @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && this.#openFile(row)}><bdi>${escapeInvisible(path)}${line ? `:${line}` : ''}</bdi></a>`
            : nothing
        }
        <span class="space"></span>
        <button class="button small" type="button" data-ac="browser-add" @click=${() => void this.#add(row)}>${t('Add to conversation')}</button>
        <button class="icon-button" type="button" aria-label=${t('Close the message')} title=${t('Close')} @click=${this.#close}>${icons.close}</button>
      </div>
      <pre tabindex="0" role="region" aria-label=${t('Text of the message')}>${shownLines(message)}</pre>
    </section>`;
  }

  readonly #close = (): void => {
    this.open = null;
    this.renderRoot.querySelector<HTMLElement>('.list')?.focus();
  };

  #openFile({ path, line }: ConsoleMessage): void {
    openLocation(this, { path, line, col: 0 });
  }

  #add(row: ConsoleMessage): Promise<boolean> {
    const item = messageItem(row, shownUrl(this.store.chosen?.url ?? '', 200));
    return addToQuestion(this.session, item.kind, item.name, async () => item);
  }
}
