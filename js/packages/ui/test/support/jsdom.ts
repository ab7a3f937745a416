/** What the elements use and jsdom leaves out: nothing here ever changes size or colour. */

class StillObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

Object.assign(globalThis, {
  ResizeObserver: StillObserver,
  matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
  CSS: { supports: () => true },
});
