import { expect, it } from 'vitest';
import { MarkdownView } from '../../src/markdown/markdown-view.ts';
import { addWordBreaks, MAX_UNBROKEN } from '../../src/markdown/word-breaks.ts';

const TIMES = 20_000;
const UNITS = ['a', '漢', '🟧', 'a\u0301', '\u0301', '=', 'QWJj0/x+'];

function broken(text: string): HTMLElement {
  const place = document.createElement('p');
  place.textContent = text;
  addWordBreaks(place);
  return place;
}

it.each(UNITS)('no stretch of a word of %s is long', (unit) => {
  const text = `before ${unit.repeat(TIMES)} behind`;
  const place = broken(text);
  expect(place.textContent).toBe(text);
  const stretches = [...place.childNodes].map((node) => node.textContent ?? '');
  expect(Math.max(...stretches.map((stretch) => stretch.length))).toBeLessThan(MAX_UNBROKEN + 20);
  expect(stretches.filter((stretch) => /\p{Surrogate}/u.test(stretch))).toEqual([]);
});

it('does not part a letter from its marks', () => {
  const place = broken(`x${'a\u0301\u0302'.repeat(TIMES)}`);
  expect([...place.childNodes].filter((node) => /^\p{M}/u.test(node.textContent ?? ''))).toEqual([]);
});

it('leaves ordinary texts and code alone', () => {
  const words = broken('word '.repeat(TIMES));
  expect(words.childNodes).toHaveLength(1);
  const code = document.createElement('pre');
  code.innerHTML = `<code>${'a'.repeat(TIMES)}</code>`;
  addWordBreaks(code);
  expect(code.querySelector('wbr')).toBe(null);
});

it('is done to answers while they grow and when they are whole', () => {
  const root = document.createElement('div');
  const view = new MarkdownView(root, false);
  const text = 'a'.repeat(TIMES);
  for (const isFinal of [false, true]) {
    view.show(text, isFinal);
    expect(root.querySelectorAll('wbr')).toHaveLength(TIMES / MAX_UNBROKEN - 1);
    expect(root.textContent?.trim()).toBe(text);
  }
});
