import { beforeEach, expect, it } from 'vitest';
import { shownAddress } from '../../src/markdown/link-address.ts';
import { MarkdownView } from '../../src/markdown/markdown-view.ts';

let root: HTMLElement;

beforeEach(() => {
  root = document.createElement('div');
  document.body.replaceChildren(root);
});

it.each([
  ['https://bücher.example/ä?b=ü', 'https://xn--bcher-kva.example/%C3%A4?b=%C3%BC'],
  ['https://аpple.com', 'https://xn--pple-43d.com/'],
  ['mailto:a@b.example', 'mailto:a@b.example'],
  ['no address\u202e', 'no%20address%E2%80%AE'],
])('%s is shown as %s', (href, shown) => {
  expect(shownAddress(href)).toBe(shown);
});

it('is cut when it is long', () => {
  expect(shownAddress(`https://a.example/${'x'.repeat(999)}`)).toHaveLength(301);
});

it('is shown on hover and on focus, and described for screen readers', () => {
  const view = new MarkdownView(root, false);
  view.show('[read **this**](https://a.example/b) and', false);
  const link = () => root.querySelector('a') as HTMLElement;
  const shown = () => root.querySelector('.leads')?.textContent ?? null;
  expect(link().getAttribute('aria-description')).toBe('Leads to https://a.example/b');
  expect(shown()).toBeNull();
  link()
    .querySelector('strong')
    ?.dispatchEvent(new Event('pointerover', { bubbles: true }));
  expect(shown()).toBe('https://a.example/b');
  expect(root.querySelector('.leads')?.getAttribute('aria-hidden')).toBe('true');
  root.dispatchEvent(new Event('pointerleave'));
  expect(shown()).toBeNull();
  link().focus();
  expect(shown()).toBe('https://a.example/b');
  link().blur();
  expect(shown()).toBeNull();
});
