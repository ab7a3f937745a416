/** Component `DataTable`: a table of many rows that come as props; the arrow keys go through it. */

import type { JsonValue } from '../model/panels/protocol.ts';
import type { Callback, ComponentMetadata, ComponentProps, ComponentView } from './components.ts';
import { RowWindow } from './row-window.ts';

const ROW_PX = 26;
const USUAL_HEIGHT_PX = 320;
const MAX_COLUMNS = 100;
/** Rows that Page Down passes. */
const PAGE = 10;

/** `columns`: names; `rows`: lists of cells; `onRowClick` gets the position of a row, from 0. */
export const DATA_TABLE: ComponentMetadata = {
  version: '1',
  propTypes: { columns: 'array', rows: 'array', height: 'number', label: 'string' },
};

export function dataTable(): ComponentView {
  return new DataTable();
}

class DataTable implements ComponentView {
  readonly element = document.createElement('div');
  readonly #table = document.createElement('table');
  readonly #head = document.createElement('thead');
  readonly #body = document.createElement('tbody');
  readonly #window: RowWindow;
  #rows: readonly JsonValue[] = [];
  #columns: readonly string[] = [];
  #onClick: Callback | undefined;
  #active = 0;

  constructor() {
    this.element.className = 'data-table';
    this.element.tabIndex = 0;
    this.#table.setAttribute('role', 'grid');
    this.#table.append(this.#head, this.#body);
    this.element.append(this.#table);
    this.#window = new RowWindow(this.element, ROW_PX, ({ first, end }) => this.#draw(first, end));
    this.element.addEventListener('keydown', (event) => this.#onKey(event));
    this.#body.addEventListener('click', (event) => this.#onPress(event));
  }

  update({ props, callbacks }: ComponentProps): void {
    const height = props.get('height');
    this.element.style.maxHeight = `${typeof height === 'number' && height > 0 ? height : USUAL_HEIGHT_PX}px`;
    const label = props.get('label');
    this.#table.setAttribute('aria-label', typeof label === 'string' ? label : 'Table');
    this.#rows = listOf(props.get('rows'));
    this.#columns = listOf(props.get('columns')).slice(0, MAX_COLUMNS).map(cellText);
    this.#onClick = callbacks.get('onRowClick');
    this.#table.setAttribute('aria-rowcount', `${this.#rows.length + 1}`);
    this.#active = Math.max(0, Math.min(this.#active, this.#rows.length - 1));
    this.#drawHead();
    this.#window.update(this.#rows.length);
  }

  dispose(): void {
    this.#window.dispose();
  }

  #drawHead(): void {
    const row = document.createElement('tr');
    row.setAttribute('aria-rowindex', '1');
    for (const name of this.#columns) {
      const cell = document.createElement('th');
      cell.scope = 'col';
      cell.textContent = name;
      row.append(cell);
    }
    this.#head.replaceChildren(row);
  }

  #draw(first: number, end: number): void {
    const rows: HTMLElement[] = [];
    for (let index = first; index < end; index += 1) rows.push(this.#row(index));
    const below = this.#rows.length - end;
    this.#body.replaceChildren(...gap(first), ...rows, ...gap(below));
    this.#mark();
  }

  #row(index: number): HTMLElement {
    const row = document.createElement('tr');
    row.dataset.index = `${index}`;
    row.setAttribute('aria-rowindex', `${index + 2}`);
    const cells = listOf(this.#rows[index]);
    for (let column = 0; column < this.#columns.length; column += 1) {
      const cell = document.createElement('td');
      const value = cells[column];
      cell.textContent = cellText(value);
      if (typeof value === 'number') cell.className = 'number';
      row.append(cell);
    }
    return row;
  }

  /** Marks the row that the keys are at. */
  #mark(): void {
    for (const row of this.#body.querySelectorAll<HTMLElement>('tr[data-index]')) {
      const isActive = row.dataset.index === `${this.#active}`;
      row.id = isActive ? 'active-row' : '';
      row.setAttribute('aria-selected', `${isActive}`);
    }
    this.#table.setAttribute('aria-activedescendant', 'active-row');
  }

  #onKey(event: KeyboardEvent): void {
    const last = this.#rows.length - 1;
    const to: Readonly<Record<string, number>> = {
      ArrowDown: this.#active + 1,
      ArrowUp: this.#active - 1,
      PageDown: this.#active + PAGE,
      PageUp: this.#active - PAGE,
      Home: 0,
      End: last,
    };
    if (event.key === 'Enter') this.#onClick?.(this.#active);
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
    this.#onClick?.(this.#active);
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
