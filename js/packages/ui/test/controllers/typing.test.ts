import '../support/jsdom.ts';
import type { ReactiveControllerHost } from 'lit';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { frameThrottle } from '../../src/controllers/frame-throttle.ts';
import { TypingController } from '../../src/controllers/typing.ts';

const host = { addController: vi.fn() } as unknown as ReactiveControllerHost;
const onChange = vi.fn();
const draw = vi.fn();
let typing: TypingController;

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  typing = new TypingController(host, onChange);
  typing.hostConnected();
});

afterEach(() => {
  typing.hostDisconnected();
  vi.useRealTimers();
});

function press(): void {
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true }));
}

/** Presses a key, and lets its frame pass. */
function type(): void {
  press();
  vi.advanceTimersByTime(8);
}

it('lets everything draw at once while nobody types', () => {
  typing.whenFree(draw);
  expect(draw).toHaveBeenCalledOnce();
});

it('says that someone types after the first key is painted, once, and when they have stopped', () => {
  press();
  expect(onChange).not.toHaveBeenCalled();
  vi.advanceTimersByTime(8);
  for (let key = 0; key < 30; key += 1) {
    vi.advanceTimersByTime(100);
    press();
  }
  expect(onChange.mock.calls).toEqual([[true]]);
  vi.advanceTimersByTime(999);
  expect(onChange).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(1);
  expect(onChange.mock.calls).toEqual([[true], [false]]);
});

it('draws in the gap after the next key', () => {
  type();
  typing.whenFree(draw);
  vi.advanceTimersByTime(100);
  press();
  vi.advanceTimersByTime(7);
  expect(draw).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(draw).toHaveBeenCalledOnce();
});

it('keeps nothing waiting for longer than a quarter of a second', () => {
  type();
  typing.whenFree(draw);
  vi.advanceTimersByTime(249);
  expect(draw).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(draw).toHaveBeenCalledOnce();
});

it('counts that time anew for each wait', () => {
  type();
  typing.whenFree(draw);
  vi.advanceTimersByTime(100);
  type();
  expect(draw).toHaveBeenCalledOnce();
  typing.whenFree(draw);
  vi.advanceTimersByTime(249);
  expect(draw).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(1);
  expect(draw).toHaveBeenCalledTimes(2);
});

it('does not let keys that come without a pause put off what waits', () => {
  type();
  typing.whenFree(draw);
  for (let key = 0; key < 4; key += 1) {
    press();
    vi.advanceTimersByTime(4);
  }
  expect(draw).toHaveBeenCalledOnce();
});

it('hears a key whose event goes no further', () => {
  const stop = (event: Event) => event.stopPropagation();
  document.body.addEventListener('keydown', stop);
  type();
  document.body.removeEventListener('keydown', stop);
  expect(onChange).toHaveBeenCalledWith(true);
});

it('leaves nothing waiting, and no key watched, without its host', () => {
  type();
  typing.whenFree(draw);
  typing.hostDisconnected();
  expect(draw).toHaveBeenCalledOnce();
  expect(onChange.mock.calls).toEqual([[true], [false]]);
  expect(vi.getTimerCount()).toBe(0);
  type();
  expect(onChange).toHaveBeenCalledTimes(2);
});

it('makes updates of a throttle wait, and takes those in between together', () => {
  const frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
  const throttle = frameThrottle(typing);
  type();
  throttle(draw);
  throttle(draw);
  expect(frames).toHaveLength(0);
  type();
  expect(frames).toHaveLength(1);
  frames[0]?.();
  expect(draw).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});
