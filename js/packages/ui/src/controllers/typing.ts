/**
 * Controller that knows whether someone types in the page, so that a key gets the next frame.
 *
 * A page that draws all the time shows a key up to a whole frame later than one that is still: the key
 * comes while a frame is under way. What moves by itself waits for the gap after a key's own frame.
 */

import type { ReactiveController, ReactiveControllerHost } from 'lit';

/** So long after the last key someone still types. */
const TYPING_MS = 1000;
/** A page that is still has painted a key by then. */
const KEY_FRAME_MS = 8;
const MOST_WAIT_MS = 250;

type Timer = ReturnType<typeof setTimeout>;

export class TypingController implements ReactiveController {
  #lastKey = Number.NEGATIVE_INFINITY;
  #isTyping = false;
  #waiting: (() => void)[] = [];
  #longestWait: Timer | undefined;
  readonly #timers = new Set<Timer>();

  /** @param onChange - told when typing has begun, after the first key's frame, and when it has ended */
  constructor(
    host: ReactiveControllerHost,
    private readonly onChange: (isTyping: boolean) => void = () => undefined,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    window.addEventListener('keydown', this.#onKey, { capture: true, passive: true });
  }

  hostDisconnected(): void {
    window.removeEventListener('keydown', this.#onKey, { capture: true });
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#runWaiting();
    if (this.#isTyping) this.#setTyping(false);
  }

  /** Calls `draw` at once; while someone types, in the gap after the next key's frame, or a quarter of a second later. */
  whenFree(draw: () => void): void {
    if (!this.#isTyping) {
      draw();
      return;
    }
    this.#waiting.push(draw);
    this.#longestWait ??= setTimeout(this.#runWaiting, MOST_WAIT_MS);
  }

  readonly #onKey = (): void => {
    this.#lastKey = performance.now();
    this.#later(this.#afterKey, KEY_FRAME_MS);
  };

  readonly #afterKey = (): void => {
    this.#runWaiting();
    if (this.#isTyping) return;
    this.#setTyping(true);
    this.#later(this.#endTyping, TYPING_MS);
  };

  readonly #endTyping = (): void => {
    const rest = this.#lastKey + TYPING_MS - performance.now();
    if (rest > 0) {
      this.#later(this.#endTyping, rest);
      return;
    }
    this.#runWaiting();
    this.#setTyping(false);
  };

  #setTyping(isTyping: boolean): void {
    this.#isTyping = isTyping;
    this.onChange(isTyping);
  }

  readonly #runWaiting = (): void => {
    clearTimeout(this.#longestWait);
    this.#longestWait = undefined;
    for (const draw of this.#waiting.splice(0)) draw();
  };

  #later(run: () => void, ms: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }
}
