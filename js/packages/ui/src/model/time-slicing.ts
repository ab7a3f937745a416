/** Time slicing: runs long work in slices, so that the page stays responsive. */

import type { Dispose } from './store.ts';

/** Less than the duration of one frame. */
const SLICE_MS = 8;

/**
 * Calls `each` for all items and then `done`; the first slice runs synchronously.
 *
 * @returns cancels the rest
 */
export function inSlices<Item>(items: Iterable<Item>, each: (item: Item) => void, done: () => void): Dispose {
  const left = items[Symbol.iterator]();
  let timer: number | undefined;
  const run = (): void => {
    const end = Date.now() + SLICE_MS;
    for (let next = left.next(); !next.done; next = left.next()) {
      each(next.value);
      if (Date.now() < end) continue;
      timer = setTimeout(run);
      return;
    }
    done();
  };
  run();
  return () => clearTimeout(timer);
}
