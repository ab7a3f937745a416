/** Throttle: at most one update per frame, and fewer when rendering is slow, so that the page stays responsive. */

import type { Throttle } from './store-controller.ts';
import type { TypingController } from './typing.ts';

/** After an update, the next one waits this many times its duration. */
const REST_FACTOR = 2;
const MAX_REST_MS = 300;
/** Hidden pages get no frames. */
const HIDDEN_MS = 250;

/** @param typing - updates wait for the gaps between its keys */
export function frameThrottle(typing?: TypingController): Throttle {
  let isWaiting = false;
  let restUntil = 0;
  return (update) => {
    if (isWaiting) return;
    isWaiting = true;
    const run = () => {
      isWaiting = false;
      const start = performance.now();
      update();
      setTimeout(() => {
        const now = performance.now();
        restUntil = now + Math.min(MAX_REST_MS, REST_FACTOR * (now - start));
      });
    };
    const nextFrame = () => requestAnimationFrame(run);
    const next = () => (typing ? typing.whenFree(nextFrame) : nextFrame());
    const rest = restUntil - performance.now();
    if (document.hidden) setTimeout(run, HIDDEN_MS);
    else if (rest > 16) setTimeout(next, rest - 16);
    else next();
  };
}
