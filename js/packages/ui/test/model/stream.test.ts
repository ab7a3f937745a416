import fc from 'fast-check';
import { expect, it } from 'vitest';
import { requestId, withDelta } from '../../src/model/stream.ts';

it('puts deltas together again, in UTF-16 code units, repeats included', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' })),
      fc.integer({ min: 1, max: 3 }),
      (pieces, times) => {
        let text = '';
        let offset = 0;
        for (const piece of pieces) {
          for (let time = 0; time < times; time += 1) text = withDelta(text, { offset, piece }) ?? 'gap';
          offset += piece.length;
        }
        expect(text).toBe(pieces.join(''));
      },
    ),
  );
});

it('knows that a piece is missing', () => {
  expect(withDelta('abc', { offset: 4, piece: 'e' })).toBeNull();
});

it('completes a text that ends inside the piece', () => {
  expect(withDelta('abc', { offset: 2, piece: 'cde' })).toBe('abcde');
});

it('makes request ids as the server expects them', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 0.999, noNaN: true }), (random) => {
      expect(requestId(1_763_000_000_000, () => random)).toMatch(/^[0-9]{10,16}-[0-9a-z]{6}$/);
    }),
  );
});
