/** Long work cut up, so that the page can draw and answer in between. */

import type { Dispose } from './store.ts';

/** Less than the time between two pictures of the screen. */
const SLICE_MS = 8;

/**
 * Runs `each` for all items and then `done`: what takes a few milliseconds at once, more of it in turns.
 *
 * @returns stops it where it is
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
