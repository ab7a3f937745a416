import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/model/panels/protocol.ts';
import type { ComponentView } from '../../src/panels/components.ts';
import { dataTable } from '../../src/panels/data-table.ts';

let view: ComponentView;
let clicked: unknown[];

const ROWS = Array.from({ length: 10_000 }, (_, at) => [`row ${at}`, (at * 7919) % 10_000]);
const update = (props: Record<string, JsonValue>) =>
  view.update({
    props: new Map(Object.entries({ columns: ['name', 'n'], rows: ROWS, ...props })),
    callbacks: new Map([['onRowClick', (...args) => clicked.push(...args)]]),
    _nodeId: 'n',
    _childNodes: [],
    title: '',
  });
const table = () => view.element.querySelector('table') as HTMLElement;
const shown = () => [...view.element.querySelectorAll('tbody tr[data-index]')].map((row) => row.textContent);
const key = (name: string) =>
  table().dispatchEvent(new KeyboardEvent('keydown', { key: name, cancelable: true }));
const head = (column: number) => view.element.querySelector<HTMLElement>(`[data-column="${column}"]`);
const active = () => view.element.querySelector('[aria-selected="true"]')?.getAttribute('aria-rowindex');

beforeEach(() => {
  view = dataTable();
  clicked = [];
  document.body.append(view.element);
  update({});
});

afterEach(() => {
  view.dispose?.();
  document.body.replaceChildren();
});

describe('a table', () => {
  it('draws the rows in view, and says how many there are', () => {
    expect(shown()[0]).toBe('row 00');
    expect(shown().length).toBeLessThan(60);
    expect(table().getAttribute('aria-rowcount')).toBe('10001');
    expect(table().getAttribute('aria-label')).toBe('Table');
    update({ label: 'Cities', height: 100 });
    expect(table().getAttribute('aria-label')).toBe('Cities');
    expect(view.element.style.maxHeight).toBe('100px');
  });

  it('is gone through by keys, also beyond what is drawn', () => {
    for (const name of ['ArrowDown', 'PageDown', 'ArrowUp', 'Enter']) key(name);
    expect([active(), clicked]).toEqual(['12', [10]]);
    key('End');
    expect(shown().at(-1)).toBe(`row 9999${(9999 * 7919) % 10_000}`);
    expect(active()).toBe('10001');
    expect(table().getAttribute('aria-activedescendant')).toBe(
      view.element.querySelector('[aria-selected="true"]')?.id,
    );
    key('Home');
    key('ArrowUp');
    expect(active()).toBe('2');
  });

  it('leaves other keys to the page', () => {
    const event = new KeyboardEvent('keydown', { key: 'x', cancelable: true });
    table().dispatchEvent(event);
    expect(event.defaultPrevented).toBe(false);
  });

  it('is sorted by the heads of its columns; clicks name the row as it was given', () => {
    head(1)?.click();
    expect(view.element.querySelector('[aria-sort]')?.getAttribute('aria-sort')).toBe('ascending');
    expect(shown()[1]).toBe(`row ${ROWS.findIndex(([, n]) => n === 1)}1`);
    view.element.querySelectorAll<HTMLElement>('tbody tr[data-index]')[1]?.click();
    key('ArrowDown');
    key('Enter');
    expect(clicked).toEqual([1, 2].map((wanted) => ROWS.findIndex(([, n]) => n === wanted)));
    head(1)?.click();
    expect(shown()[0]).toMatch(/9999$/);
    head(1)?.click();
    expect(shown()[0]).toBe('row 00');
    expect(view.element.querySelector('[aria-sort]')).toBeNull();
  });

  it('stays sorted with other rows, with the same head', () => {
    head(0)?.click();
    const button = head(0);
    update({
      rows: [
        ['b', 1],
        ['a', 2],
      ],
    });
    expect(shown()).toEqual(['a2', 'b1']);
    expect(head(0)).toBe(button);
    update({ columns: ['other'], rows: [['b'], ['a']] });
    expect(shown()).toEqual(['b', 'a']);
  });

  it('that is not to be sorted has plain heads', () => {
    update({ sortable: false });
    expect(head(0)).toBeNull();
    expect([...view.element.querySelectorAll('th')].map((cell) => cell.textContent)).toEqual(['name', 'n']);
  });

  it('shows what is no table as well as it can', () => {
    update({ columns: ['a', 3, null], rows: [null, 'x', [{ b: 1 }, null, '<b>']] });
    expect(shown()).toEqual(['', '', '{"b":1}<b>']);
    update({ rows: [] });
    for (const name of ['End', 'Enter']) key(name);
    expect(clicked).toEqual([]);
  });

  it('beside another has an id of its own for its row', () => {
    const other = dataTable();
    document.body.append(other.element);
    other.update({
      props: new Map([['rows', ROWS]]),
      callbacks: new Map(),
      _nodeId: 'm',
      _childNodes: [],
      title: '',
    });
    const ids = [...document.querySelectorAll('[id^="active-row"]')].map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    other.dispose?.();
  });
});
