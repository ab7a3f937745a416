import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { peersOfWindow } from '../../src/model/toast-peers.ts';
import { ToastStore } from '../../src/model/toasts.ts';

let cell: ToastStore;
let side: ToastStore;

beforeEach(() => {
  vi.useFakeTimers();
  cell = new ToastStore();
  side = new ToastStore();
  for (const store of [cell, side]) store.join();
});

afterEach(() => {
  for (const store of [cell, side]) {
    peersOfWindow().delete(store);
    store.dispose();
  }
  vi.useRealTimers();
});

const shown = (store: ToastStore) => store.toasts.map(({ message }) => message);

it('show what the server tells all of them once', () => {
  for (const store of [cell, side]) store.show('info', 'The model is `x`.');
  expect([shown(cell), shown(side)]).toEqual([['The model is `x`.'], []]);
  side.show('error', 'Only here.');
  expect(shown(side)).toEqual(['Only here.']);
});

it('show the same again where it is said again', () => {
  cell.show('info', 'Saved.');
  vi.advanceTimersByTime(2500);
  side.show('info', 'Saved.');
  expect([shown(cell), shown(side)]).toEqual([['Saved.'], ['Saved.']]);
});

it('show it where it can be seen', () => {
  cell.isVisible = () => false;
  for (const store of [cell, side]) store.show('info', 'News.');
  expect([shown(cell), shown(side)]).toEqual([[], ['News.']]);
  cell.show('info', 'News.');
  expect(shown(cell)).toEqual([]);
});

it('lose nothing when one is closed', () => {
  for (const store of [cell, side]) store.show('warning', 'The disk is full.');
  cell.leave();
  expect([shown(cell), shown(side)]).toEqual([[], ['The disk is full.']]);
  side.leave();
  expect(shown(side)).toEqual(['The disk is full.']);
});

it('show progress once, and go on where the other one has gone', () => {
  const advance = (percent: number) => {
    for (const store of [cell, side]) store.progress('index', { message: 'Indexing', percent });
  };
  advance(10);
  advance(20);
  expect([shown(cell), shown(side)]).toEqual([['Indexing'], []]);
  cell.leave();
  side.progress('index', { message: 'Indexing', percent: 30 });
  expect(side.toasts[0]?.percent).toBe(30);
  side.progress('index', null);
  expect(shown(side)).toEqual([]);
});

it('leave a panel alone that stands by itself', () => {
  const alone = new ToastStore();
  cell.show('info', 'News.');
  alone.show('info', 'News.');
  expect(shown(alone)).toEqual(['News.']);
  alone.dispose();
});
