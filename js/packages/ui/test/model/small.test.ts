import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { bytes, dollars, percent, tokens } from '../../src/model/format.ts';
import { ToastStore } from '../../src/model/toasts.ts';

describe('numbers', () => {
  it.each([
    [0, '0'],
    [950, '950'],
    [9876, '9,876'],
    [12_345, '12.3k'],
    [128_000, '128k'],
    [1_048_576, '1.05M'],
  ])('%i tokens are %s', (count, text) => {
    expect(tokens(count)).toBe(text);
  });

  it.each([
    [999, '999 B'],
    [12_345, '12.3 kB'],
    [4_205_000, '4.21 MB'],
  ])('%i bytes are %s', (count, text) => {
    expect(bytes(count)).toBe(text);
  });

  it.each([
    [0, '$0'],
    [0.00001, '< $0.0001'],
    [0.0042, '$0.0042'],
    [1.5, '$1.50'],
  ])('%f dollars are %s', (sum, text) => {
    expect(dollars(sum)).toBe(text);
  });

  it('percent stays between 0 and 100, also of nothing', () => {
    expect([percent(1, 0), percent(5, 2), percent(-1, 2), percent(1, 4)]).toEqual([0, 100, 0, 25]);
  });
});

describe('toasts', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('go by themselves, errors last', () => {
    const store = new ToastStore();
    store.show('success', 'Done');
    store.show('error', 'Broken');
    vi.advanceTimersByTime(3000);
    expect(store.toasts.map(({ message }) => message)).toEqual(['Broken']);
    vi.advanceTimersByTime(6000);
    expect(store.toasts).toEqual([]);
  });

  it('do not repeat a message that is on show, and are four at most', () => {
    const store = new ToastStore();
    for (const message of ['a', 'a', 'b', 'c', 'd', 'e']) store.show('info', message);
    expect(store.toasts.map(({ message }) => message)).toEqual(['b', 'c', 'd', 'e']);
  });

  it('can be closed', () => {
    const store = new ToastStore();
    store.show('error', 'x');
    store.dismiss(store.toasts[0]?.id ?? 0);
    expect(store.toasts).toEqual([]);
  });
});
