import { describe, expect, it } from 'vitest';
import { InputHistory } from '../../src/model/input-history.ts';

const ASKED = ['Third', 'Second', 'First'];

describe('walking through earlier questions', () => {
  it('goes back from an empty input to the first, and forward to the empty input', () => {
    const recall = new InputHistory();
    expect(recall.previous('', ASKED)).toBe('Third');
    expect(recall.previous('Third', ASKED)).toBe('Second');
    expect(recall.previous('Second', ASKED)).toBe('First');
    expect(recall.previous('First', ASKED)).toBeNull();
    expect(recall.next('First', ASKED)).toBe('Second');
    expect(recall.next('Second', ASKED)).toBe('Third');
    expect(recall.next('Third', ASKED)).toBe('');
    expect(recall.next('', ASKED)).toBeNull();
  });

  it('ends when the question is changed, and begins anew when all of it is taken away', () => {
    const recall = new InputHistory();
    recall.previous('', ASKED);
    expect(recall.previous('Third!', ASKED)).toBeNull();
    expect(recall.next('Third!', ASKED)).toBeNull();
    expect(recall.previous(' ', ASKED)).toBe('Third');
  });

  it('never takes the place of what is typed, and finds nothing where nothing was asked', () => {
    expect(new InputHistory().previous('Mine', ASKED)).toBeNull();
    expect(new InputHistory().previous('', [])).toBeNull();
  });
});
