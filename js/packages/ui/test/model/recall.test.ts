import { describe, expect, it } from 'vitest';
import { Recall } from '../../src/model/recall.ts';

const ASKED = ['Third', 'Second', 'First'];

describe('walking through earlier questions', () => {
  it('goes back from an empty input to the first, and forward to the empty input', () => {
    const recall = new Recall();
    expect(recall.back('', ASKED)).toBe('Third');
    expect(recall.back('Third', ASKED)).toBe('Second');
    expect(recall.back('Second', ASKED)).toBe('First');
    expect(recall.back('First', ASKED)).toBeNull();
    expect(recall.forward('First', ASKED)).toBe('Second');
    expect(recall.forward('Second', ASKED)).toBe('Third');
    expect(recall.forward('Third', ASKED)).toBe('');
    expect(recall.forward('', ASKED)).toBeNull();
  });

  it('ends when the question is changed, and begins anew when all of it is taken away', () => {
    const recall = new Recall();
    recall.back('', ASKED);
    expect(recall.back('Third!', ASKED)).toBeNull();
    expect(recall.forward('Third!', ASKED)).toBeNull();
    expect(recall.back(' ', ASKED)).toBe('Third');
  });

  it('never takes the place of what is typed, and finds nothing where nothing was asked', () => {
    expect(new Recall().back('Mine', ASKED)).toBeNull();
    expect(new Recall().back('', [])).toBeNull();
  });
});
