import { describe, expect, it } from 'vitest';
import { MarkdownView } from '../../src/markdown/view.ts';

function shown(pieces: readonly string[]): HTMLElement {
  const root = document.createElement('div');
  const view = new MarkdownView(root, false);
  let text = '';
  for (const piece of pieces) {
    text += piece;
    view.show(text, false);
  }
  view.show(text, true);
  return root;
}

describe('a growing answer', () => {
  it('keeps the nodes of finished blocks', () => {
    const root = document.createElement('div');
    const view = new MarkdownView(root, false);
    view.show('First.\n\nSecond\n', false);
    const first = root.querySelector('p');
    view.show('First.\n\nSecond\ngrows.\n\nThird\n', false);
    expect(root.querySelector('p')).toBe(first);
    view.show('First.\n\nSecond\ngrows.\n\nThird\n', true);
    expect(root.querySelector('p')).toBe(first);
    expect(root.querySelectorAll('p')).toHaveLength(3);
  });

  it('is drawn anew when its beginning changes', () => {
    const root = document.createElement('div');
    const view = new MarkdownView(root, false);
    view.show('First.\n\nSecond\n\n', false);
    view.show('Other.\n\nSecond\n\n', true);
    expect(root.textContent).toContain('Other.');
    expect(root.textContent).not.toContain('First.');
  });

  it('ends as if it had come at once, links defined at its end included', () => {
    const text =
      'See [the docs][d].\n\n- one\n- two\n\n```python\nx = 1\n\ny = 2\n```\n\n[d]: https://a.example\n';
    const pieces = text.match(/[\s\S]{1,7}/g) ?? [];
    expect(shown(pieces).innerHTML).toBe(shown([text]).innerHTML);
    expect(shown(pieces).querySelector('a')?.href).toBe('https://a.example/');
  });

  it('gets a button to copy each piece of code', () => {
    const root = shown(['```js\n1\n```\n\n', '```js\n2\n```\n']);
    expect(root.querySelectorAll('.code-head button.copy')).toHaveLength(2);
  });
});
