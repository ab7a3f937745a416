import '../support/jsdom.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { RowWindow } from '../../src/panels/row-window.ts';

let scroller: HTMLElement;
let drawn: [number, number, number][];
let rows: RowWindow;

const scroll = (top: number) => {
  scroller.scrollTop = top;
  scroller.dispatchEvent(new Event('scroll'));
};

beforeEach(() => {
  scroller = document.createElement('div');
  Object.defineProperty(scroller, 'clientHeight', { value: 260 });
  drawn = [];
  rows = new RowWindow(scroller, 26, ({ first, end }, count) => drawn.push([first, end, count]));
});

describe('many rows', () => {
  it('are drawn where they are seen, and again when that has changed', () => {
    rows.update(10_000);
    scroll(5);
    scroll(2600);
    scroll(260_000);
    expect(drawn).toEqual([
      [0, 34, 10_000],
      [88, 122, 10_000],
      [9988, 10_000, 10_000],
    ]);
  });

  it('are drawn again when they are others', () => {
    rows.update(10_000);
    rows.update(10_000);
    rows.update(20);
    expect(drawn.slice(1)).toEqual([
      [0, 34, 10_000],
      [0, 20, 20],
    ]);
  });

  it('are brought into view with as little scrolling as needed, below a header', () => {
    rows.update(10_000);
    rows.reveal(5, 26);
    expect(scroller.scrollTop).toBe(0);
    rows.reveal(20, 26);
    expect(scroller.scrollTop).toBe(21 * 26 + 26 - 260);
    rows.reveal(3, 26);
    expect(scroller.scrollTop).toBe(3 * 26);
  });

  it('are drawn no more after the end', () => {
    rows.update(10_000);
    rows.dispose();
    scroll(2600);
    expect(drawn).toHaveLength(1);
  });
});
