// Measures a conversation in the page: when it is there, and how it scrolls.

function* elements(root) {
  for (const element of root.querySelectorAll('*')) {
    yield element;
    if (element.shadowRoot) yield* elements(element.shadowRoot);
  }
}

function all(name) {
  return [...elements(document)].filter((element) => element.dataset?.ac === name);
}

const scroller = () => [...elements(document)].find(({ className }) => className === 'scroller');
const frame = () => new Promise(requestAnimationFrame);

/** Milliseconds from the navigation until the last answer is laid out as Markdown at the end of the view. */
window.opened = async () => {
  for (;;) {
    const last = all('message').at(-1);
    if (last?.querySelector('.prose:not(.plain)') && last.getBoundingClientRect().height > 40) {
      return performance.now();
    }
    await frame();
  }
};

/** Fetches all earlier messages; returns how many there are then. */
window.whole = async () => {
  for (;;) {
    const [button] = all('earlier');
    if (!button) return all('message').length;
    if (button.getAttribute('aria-disabled') !== 'true') button.click();
    await frame();
  }
};

/** Scrolls up from the end for some seconds; returns the frames a second. */
window.scroll = async (seconds, pxPerSecond) => {
  const view = scroller();
  view.scrollTop = view.scrollHeight;
  for (let count = 0; count < 10; count += 1) await frame();
  const begin = await frame();
  let last = begin;
  let frames = 0;
  while (last - begin < seconds * 1000) {
    const now = await frame();
    view.scrollTop -= ((now - last) * pxPerSecond) / 1000;
    last = now;
    frames += 1;
  }
  return { frames: (frames * 1000) / (last - begin) };
};

/** Frames a second of a page that does nothing. */
window.rest = async (seconds) => {
  const begin = await frame();
  let last = begin;
  let frames = 0;
  while (last - begin < seconds * 1000) {
    last = await frame();
    frames += 1;
  }
  return (frames * 1000) / (last - begin);
};
