/** Sorts rows of a table by one of their cells. Pure. */

import type { JsonValue } from '../model/panels/protocol.ts';

export interface Sorting {
  readonly column: number;
  readonly isDescending: boolean;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** What a click on the head of a column makes of the sorting: ascending, descending, as given. */
export function nextSorting(sorting: Sorting | null, column: number): Sorting | null {
  if (sorting?.column !== column) return { column, isDescending: false };
  return sorting.isDescending ? null : { column, isDescending: true };
}

/** Positions of the rows in their order; equal ones stay as they are, rows without a value come last. */
export function sortedPositions(
  cells: readonly (JsonValue | undefined)[],
  { isDescending }: Pick<Sorting, 'isDescending'>,
): number[] {
  const sign = isDescending ? -1 : 1;
  return cells
    .map((_, position) => position)
    .sort((a, b) => {
      const [one, two] = [cells[a] ?? null, cells[b] ?? null];
      if (one === null || two === null) return Number(one === null) - Number(two === null) || a - b;
      return sign * compared(one, two) || a - b;
    });
}

/** Numbers before texts; what else there is, as JSON. */
function compared(one: JsonValue, two: JsonValue): number {
  if (typeof one === 'number' && typeof two === 'number') return one - two;
  if (typeof one === 'number' || typeof two === 'number') return typeof one === 'number' ? -1 : 1;
  return collator.compare(textOf(one), textOf(two));
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
