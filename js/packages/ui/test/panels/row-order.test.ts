import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextSorting, sortedPositions } from '../../src/panels/row-order.ts';

it('a column is sorted up, down, and no more', () => {
  const up = nextSorting(null, 2);
  const down = nextSorting(up, 2);
  expect([up, down, nextSorting(down, 2), nextSorting(down, 1)]).toEqual([
    { column: 2, isDescending: false },
    { column: 2, isDescending: true },
    null,
    { column: 1, isDescending: false },
  ]);
});

describe('rows', () => {
  const sorted = (cells: unknown[], isDescending = false) =>
    sortedPositions(cells as never, { isDescending }).map((position) => cells[position]);

  it('are sorted as numbers, and as texts with numbers in them', () => {
    expect(sorted([10, 9, -1, 2.5])).toEqual([-1, 2.5, 9, 10]);
    expect(sorted(['b10', 'B9', 'a'])).toEqual(['a', 'B9', 'b10']);
    expect(sorted([true, 'x', 3, [1]])).toEqual([3, [1], true, 'x']);
  });

  it('without a value come last, up and down', () => {
    expect(sorted([null, 2, undefined, 1])).toEqual([1, 2, null, undefined]);
    expect(sorted([null, 2, undefined, 1], true)).toEqual([2, 1, null, undefined]);
  });

  it('are all there, and equal ones stay in their order', () => {
    const cells = fc.array(
      fc.oneof(fc.constantFrom(null, true, 'a', 'A', 'b'), fc.integer({ min: -2, max: 2 })),
    );
    fc.assert(
      fc.property(cells, fc.boolean(), (given, isDescending) => {
        const positions = sortedPositions(given, { isDescending });
        expect([...positions].sort((a, b) => a - b)).toEqual(given.map((_, at) => at));
        positions.reduce((before, position) => {
          if (given[before] === given[position]) expect(before).toBeLessThan(position);
          return position;
        }, -1);
      }),
    );
  });
});
