import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pausedStream, pauseLabel, requestId, withDelta } from '../../src/model/stream.ts';

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

describe('a pause before the provider is asked again', () => {
  const retry = { attempt: 2, attempts: 4, wait_s: 2.2, reason: 'The provider is busy.' };

  it('has its reason, and counts the seconds down', () => {
    const { phase, pause } = pausedStream('1-a', retry, 10_000);
    expect(phase).toBe('waiting');
    expect(pause?.reason).toBe('The provider is busy.');
    const words = [10_000, 11_500, 13_000].map((now) => (pause ? pauseLabel(pause, now) : ''));
    expect(words).toEqual([
      'Trying again in 3 s (2 of 4) …',
      'Trying again in 1 s (2 of 4) …',
      'Trying again (2 of 4) …',
    ]);
  });

  it('makes do with what an older server says of it', () => {
    const { pause } = pausedStream('1-a', { attempt: 1, max_attempts: 3, wait_seconds: 1 }, 0);
    expect(pause).toEqual({
      reason: 'The provider could not answer.',
      until: 1000,
      attempt: 1,
      attempts: 3,
    });
  });
});
