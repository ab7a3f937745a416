import { expect, it } from 'vitest';
import { MarkdownView } from '../../src/markdown/markdown-view.ts';

function shown(markdown: string): HTMLElement {
  const root = document.createElement('div');
  new MarkdownView(root, false).show(markdown, true);
  return root;
}

it('shows tasks as boxes that nobody can tick', () => {
  const root = shown('- [x] done `it`\n- [ ] to do\n- [X] also\n- plain');
  const boxes = [...root.querySelectorAll<HTMLInputElement>('li input[type="checkbox"]')];
  expect(boxes.map(({ checked, disabled }) => [checked, disabled])).toEqual([
    [true, true],
    [false, true],
    [true, true],
  ]);
  expect([...root.querySelectorAll('li')].map((item) => item.textContent?.trim())).toEqual([
    'done it',
    'to do',
    'also',
    'plain',
  ]);
});

it('also in lists with empty lines, in numbered and in nested ones', () => {
  expect(shown('- [x] one\n\n- [ ] two\n').querySelectorAll('li > p > input')).toHaveLength(2);
  expect(shown('1. [ ] one\n   - [x] inner').querySelectorAll('input')).toHaveLength(2);
});

it.each(['- [x](https://a.example)', '- [xx] a', '- a [x] b', '[x] a', '- `[x] a`', '- [ ]b'])(
  'makes no box of %j',
  (markdown) => {
    expect(shown(markdown).querySelector('input')).toBeNull();
  },
);
