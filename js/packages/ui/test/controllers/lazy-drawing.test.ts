import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Drawable, LazyDrawing } from '../../src/controllers/lazy-drawing.ts';

class FakeObserver {
  static last: FakeObserver | null = null;
  readonly observed = new Set<Element>();
  constructor(readonly notify: (entries: readonly Partial<IntersectionObserverEntry>[]) => void) {
    FakeObserver.last = this;
  }
  observe(element: Element): void {
    this.observed.add(element);
  }
  unobserve(element: Element): void {
    this.observed.delete(element);
  }
  disconnect(): void {
    this.observed.clear();
  }
}

let frames: (() => void)[];
const onDrawn = vi.fn();

beforeEach(() => {
  frames = [];
  onDrawn.mockReset();
  vi.stubGlobal('IntersectionObserver', FakeObserver);
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

/** An element of the page at a height; drawing it takes some time. */
function element(top: number, ms = 0): Drawable {
  let isDrawn = false;
  const made = Object.assign(document.createElement('p'), {
    draw: () => {
      isDrawn = true;
      if (ms) vi.spyOn(performance, 'now').mockReturnValue(performance.now() + ms);
    },
  });
  Object.defineProperty(made, 'isDrawn', { get: () => isDrawn });
  made.getBoundingClientRect = () => ({ top, bottom: top + 10 }) as DOMRect;
  document.body.append(made);
  return made as unknown as Drawable;
}

function frame(): void {
  for (const run of frames.splice(0)) run();
}

const seen = (target: Element, isIntersecting = true) => ({ target, isIntersecting });

it('draws what comes near the view, in the next frame', () => {
  const drawing = new LazyDrawing(onDrawn);
  const [near, far] = [element(0), element(9000)];
  drawing.watch(document.body, [near, far]);
  expect(FakeObserver.last?.observed).toEqual(new Set([near, far]));
  FakeObserver.last?.notify([seen(near), seen(far, false)]);
  expect(near.isDrawn).toBe(false);
  frame();
  expect([near.isDrawn, far.isDrawn]).toEqual([true, false]);
  expect(FakeObserver.last?.observed).toEqual(new Set([far]));
  expect(onDrawn).toHaveBeenCalledTimes(1);
});

it('draws the nearest first, and the rest in later frames', () => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const drawing = new LazyDrawing(onDrawn);
  const [far, near] = [element(900, 50), element(10, 50)];
  drawing.watch(document.body, [far, near]);
  FakeObserver.last?.notify([seen(far), seen(near)]);
  frame();
  expect([far.isDrawn, near.isDrawn]).toEqual([false, true]);
  frame();
  expect(far.isDrawn).toBe(true);
});

it('leaves out what has left the view again, and what has left the page', () => {
  const drawing = new LazyDrawing(onDrawn);
  const [left, removed] = [element(0), element(5)];
  drawing.watch(document.body, [left, removed]);
  FakeObserver.last?.notify([seen(left), seen(removed)]);
  FakeObserver.last?.notify([seen(left, false)]);
  removed.remove();
  frame();
  expect([left.isDrawn, removed.isDrawn]).toEqual([false, false]);
  drawing.detach();
  expect(FakeObserver.last?.observed.size).toBe(0);
});

it('draws at once where the browser can’t observe', () => {
  vi.stubGlobal('IntersectionObserver', undefined);
  const one = element(0);
  new LazyDrawing(onDrawn).watch(document.body, [one]);
  expect(one.isDrawn).toBe(true);
});
