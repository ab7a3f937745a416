/** What the lists of messages and of requests have in common: keys, empty states, the line below. */

import { t } from '@jupyter-ac/messages';
import { html, type LitElement, nothing, type TemplateResult } from 'lit';
import type { VirtualList } from '../controllers/virtual-list.ts';
import * as icons from '../elements/icons.ts';
import type { BrowserStore } from '../model/browser/browser.ts';
import type { RecordedList } from '../model/browser/recorded-list.ts';
import { grouped } from '../model/format.ts';

const PAGE = 10;

interface Row {
  readonly id: number;
}

/** The row that the keyboard is at: it stays at its message when others come above it. */
export class RowKeys<T extends Row> {
  #id = 0;
  #before: readonly T[] = [];

  /** @param open - called on Enter and on a click */
  constructor(
    private readonly host: LitElement,
    private readonly list: VirtualList,
    private readonly rows: () => readonly T[],
    private readonly open: (row: T) => void,
  ) {}

  /** Index of the row; 0 if it is gone. */
  get active(): number {
    return Math.max(
      0,
      this.rows().findIndex(({ id }) => id === this.#id),
    );
  }

  /** Call it before each update: the rows in view stay in view when others come above them. */
  anchor(): void {
    const rows = this.rows();
    const before = this.#before;
    this.#before = rows;
    if (rows === before || !before.length) return;
    this.list.anchor((index) => {
      const row = before[Math.min(index, before.length - 1)];
      const now = row ? rows.findIndex(({ id }) => id === row.id) : -1;
      return now < 0 ? 0 : now - index;
    });
  }

  take(index: number): void {
    const row = this.rows()[index];
    if (!row) return;
    this.#id = row.id;
    this.open(row);
    this.host.requestUpdate();
  }

  readonly onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    const { active } = this;
    const last = this.rows().length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + PAGE,
      PageUp: active - PAGE,
      Home: 0,
      End: last,
    };
    const next = moves[event.key];
    if (next !== undefined) {
      const index = Math.max(0, Math.min(last, next));
      this.#id = this.rows()[index]?.id ?? 0;
      this.list.reveal(index);
      this.host.requestUpdate();
    } else if (event.key === 'Enter' || event.key === ' ') this.take(active);
    else return;
    event.preventDefault();
  };
}

/** Sentences for a list without rows: nothing matches the filter, nothing was recorded. */
export interface NoRows {
  readonly noMatch: string;
  readonly none: string;
}

/** Why a list has no rows. */
export function listState(
  store: BrowserStore,
  list: RecordedList<Row>,
  sentences: NoRows,
): TemplateResult | typeof nothing {
  if (list.error) return html`<p class="none bad" role="alert">${icons.warning} ${list.error}</p>`;
  if (list.shown.length) return nothing;
  if (!store.chosen)
    return html`<p class="none muted">${t('No page is watched. Watch one under “Pages”.')}</p>`;
  if (!list.isLoaded) return html`<p class="none muted" role="status">${icons.spinner} ${t('Reading …')}</p>`;
  return html`<p class="none muted">${list.query ? sentences.noMatch : sentences.none}</p>`;
}

/** How many rows there are, and what to do with them. */
export function listFoot(
  list: RecordedList<Row>,
  counted: (count: number) => string,
  clear: () => void,
  more: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const { rows, shown } = list;
  const all = counted(rows.length);
  return html`<div class="foot">
    <span class="muted number" role="status">${shown.length === rows.length ? all : t('%1 of %2', grouped(shown.length), all)}${list.isCut ? t(', the newest') : ''}</span>
    ${
      list.canGrow
        ? html`<button class="button small" type="button" data-ac="browser-older" @click=${() => void list.more()}>${t('Show older ones')}</button>`
        : nothing
    }
    <span class="space"></span>
    ${more}
    <button class="button small" type="button" data-ac="browser-clear" ?disabled=${rows.length === 0} @click=${clear}>${t('Clear')}</button>
  </div>`;
}
