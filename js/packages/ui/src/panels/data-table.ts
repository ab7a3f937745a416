/**
 * Component `DataTable`: a table of many rows that come as props. The arrow keys go through it, and the heads of the
 * columns sort it in the page.
 */

import type { JsonValue } from '../model/panels/protocol.ts';
import type { Callback, ComponentMetadata, ComponentProps, ComponentView } from './components.ts';
import { nextSorting, type Sorting, sortedPositions } from './row-order.ts';
import { RowWindow } from './row-window.ts';

const ROW_PX = 26;
const USUAL_HEIGHT_PX = 320;
const MAX_COLUMNS = 100;
/** Rows that Page Down passes. */
const PAGE = 10;

/** `columns`: names; `rows`: lists of cells; `onRowClick` gets the position of a row in `rows`, from 0. */
export const DATA_TABLE: ComponentMetadata = {
  version: '1',
  propTypes: { columns: 'array', rows: 'array', height: 'number', label: 'string', sortable: 'boolean' },
};

export function dataTable(): ComponentView {
  return new DataTable();
}

let tables = 0;

class DataTable implements ComponentView {
  readonly element = document.createElement('div');
  readonly #table = document.createElement('table');
  readonly #head = document.createElement('thead');
  readonly #body = document.createElement('tbody');
  readonly #window: RowWindow;
  readonly #activeId: string;
  #rows: readonly JsonValue[] = [];
  #columns: readonly string[] = [];
  #isSortable = true;
  #sorting: Sorting | null = null;
  /** Positions of the rows as they are shown; null: as they are given. */
  #order: readonly number[] | null = null;
  #onClick: Callback | undefined;
  /** Place of the row that the keys are at, among those shown. */
  #active = 0;

  constructor() {
    tables += 1;
    this.#activeId = `active-row-${tables}`;
    this.element.className = 'data-table';
    this.#table.setAttribute('role', 'grid');
    this.#table.tabIndex = 0;
    this.#table.append(this.#head, this.#body);
    this.element.append(this.#table);
    this.#window = new RowWindow(this.element, ROW_PX, ({ first, end }) => this.#draw(first, end));
    this.#table.addEventListener('keydown', (event) => this.#onKey(event));
    this.#body.addEventListener('click', (event) => this.#onPress(event));
    this.#head.addEventListener('click', (event) => this.#onHead(event));
  }

  update({ props, callbacks }: ComponentProps): void {
    const height = props.get('height');
    this.element.style.maxHeight = `${typeof height === 'number' && height > 0 ? height : USUAL_HEIGHT_PX}px`;
    const label = props.get('label');
    this.#table.setAttribute('aria-label', typeof label === 'string' ? label : 'Table');
    const rows = listOf(props.get('rows'));
    const hasNewRows = rows !== this.#rows;
    this.#rows = rows;
    const columns = listOf(props.get('columns')).slice(0, MAX_COLUMNS).map(cellText);
    const isSortable = props.get('sortable') !== false;
    this.#onClick = callbacks.get('onRowClick');
    this.#table.setAttribute('aria-rowcount', `${rows.length + 1}`);
    this.#active = Math.max(0, Math.min(this.#active, rows.length - 1));
    if (isSortable !== this.#isSortable || columns.join('\0') !== this.#columns.join('\0')) {
      this.#sorting = this.#order = null;
      this.#columns = columns;
      this.#isSortable = isSortable;
      this.#drawHead();
    }
    if (hasNewRows) this.#sort();
    this.#alignHead();
    this.#window.update(rows.length);
  }

  dispose(): void {
    this.#window.dispose();
  }

  /** The head stays the same elements as long as the columns do: one of its buttons may have the focus. */
  #drawHead(): void {
    const row = document.createElement('tr');
    row.setAttribute('aria-rowindex', '1');
    this.#columns.forEach((name, column) => {
      const cell = document.createElement('th');
      cell.scope = 'col';
      if (this.#isSortable) {
        const button = document.createElement('button');
        button.type = 'button';
        button.dataset.column = `${column}`;
        button.textContent = name;
        cell.append(button);
      } else cell.textContent = name;
      row.append(cell);
    });
    this.#head.replaceChildren(row);
    this.#markSorting();
  }

  #draw(first: number, end: number): void {
    const rows: HTMLElement[] = [];
    for (let place = first; place < end; place += 1) rows.push(this.#row(place));
    const below = this.#rows.length - end;
    this.#body.replaceChildren(...gap(first), ...rows, ...gap(below));
    this.#mark();
  }

  #row(place: number): HTMLElement {
    const row = document.createElement('tr');
    row.dataset.index = `${place}`;
    row.setAttribute('aria-rowindex', `${place + 2}`);
    const cells = listOf(this.#rows[this.#position(place)]);
    for (let column = 0; column < this.#columns.length; column += 1) {
      const cell = document.createElement('td');
      const value = cells[column];
      cell.textContent = cellText(value);
      if (typeof value === 'number') cell.className = 'number';
      row.append(cell);
    }
    return row;
  }

  #position(place: number): number {
    return this.#order?.[place] ?? place;
  }

  #sort(): void {
    const sorting = this.#sorting;
    const cells = sorting && this.#rows.map((row) => listOf(row)[sorting.column]);
    this.#order = sorting && cells && sortedPositions(cells, sorting);
  }

  /** As the first row: numbers stand at the end. */
  #alignHead(): void {
    const first = listOf(this.#rows[0]);
    for (const [column, cell] of [...this.#head.querySelectorAll('th')].entries())
      cell.classList.toggle('number', typeof first[column] === 'number');
  }

  #markSorting(): void {
    for (const [column, cell] of [...this.#head.querySelectorAll('th')].entries()) {
      const isSorted = column === this.#sorting?.column;
      if (isSorted) cell.setAttribute('aria-sort', this.#sorting?.isDescending ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    }
  }

  /** Marks the row that the keys are at. */
  #mark(): void {
    let isDrawn = false;
    for (const row of this.#body.querySelectorAll<HTMLElement>('tr[data-index]')) {
      const isActive = row.dataset.index === `${this.#active}`;
      isDrawn ||= isActive;
      if (isActive) row.id = this.#activeId;
      else row.removeAttribute('id');
      row.setAttribute('aria-selected', `${isActive}`);
    }
    if (isDrawn) this.#table.setAttribute('aria-activedescendant', this.#activeId);
    else this.#table.removeAttribute('aria-activedescendant');
  }

  #onKey(event: KeyboardEvent): void {
    // The buttons of the head have keys of their own.
    if (event.target !== this.#table) return;
    const last = this.#rows.length - 1;
    const to: Readonly<Record<string, number>> = {
      ArrowDown: this.#active + 1,
      ArrowUp: this.#active - 1,
      PageDown: this.#active + PAGE,
      PageUp: this.#active - PAGE,
      Home: 0,
      End: last,
    };
    if (event.key === 'Enter' && last >= 0) this.#onClick?.(this.#position(this.#active));
    const next = Object.hasOwn(to, event.key) ? to[event.key] : undefined;
    if (next === undefined || last < 0) return;
    event.preventDefault();
    this.#active = Math.max(0, Math.min(last, next));
    this.#window.reveal(this.#active, ROW_PX);
    this.#mark();
  }

  #onPress(event: Event): void {
    const row = event.target instanceof Element ? event.target.closest<HTMLElement>('tr[data-index]') : null;
    if (!row) return;
    this.#active = Number(row.dataset.index);
    this.#mark();
    this.#onClick?.(this.#position(this.#active));
  }

  #onHead(event: Event): void {
    const button =
      event.target instanceof Element ? event.target.closest<HTMLElement>('[data-column]') : null;
    if (!button) return;
    this.#sorting = nextSorting(this.#sorting, Number(button.dataset.column));
    this.#active = 0;
    this.#sort();
    this.#markSorting();
    this.#window.update(this.#rows.length);
  }
}

function gap(rows: number): HTMLElement[] {
  if (rows === 0) return [];
  const row = document.createElement('tr');
  row.setAttribute('aria-hidden', 'true');
  row.style.height = `${rows * ROW_PX}px`;
  return [row];
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function cellText(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
