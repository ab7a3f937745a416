import { describe, expect, it, vi } from 'vitest';
import * as colours from '../../src/colours/index.ts';
import { CodeHighlighter } from '../../src/markdown/code-highlighter.ts';
import { DiagramBlocks } from '../../src/markdown/diagrams.ts';
import { FormulaRenderer } from '../../src/markdown/formulas.ts';
import { MarkdownView } from '../../src/markdown/markdown-view.ts';
import { PostProcessor } from '../../src/markdown/post-processor.ts';
import * as maths from '../../src/maths/index.ts';

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

it('has its code coloured as soon as that is possible, but not a long block that still grows', async () => {
  const root = document.createElement('div');
  const load = vi.fn(async () => colours);
  const postProcessor = new PostProcessor(
    new FormulaRenderer(async () => maths),
    new CodeHighlighter(load),
    new DiagramBlocks(() => null),
  );
  const view = new MarkdownView(root, false, postProcessor);
  view.show('No code.\n', false);
  view.show(`No code.\n\n\`\`\`python\n${'# long\n'.repeat(1000)}`, false);
  expect(load).not.toHaveBeenCalled();
  view.show('Other.\n\n```python\ndef f(): pass\n```\n', true);
  expect(root.querySelector('code')?.textContent).toBe('def f(): pass\n');
  await vi.waitFor(() => expect(root.querySelector('.hljs-keyword')?.textContent).toBe('def'), 30_000);
  expect(load).toHaveBeenCalledTimes(1);
});
