import { offerDiagrams } from '@jupyter-ac/page';
import { beforeEach, expect, it, vi } from 'vitest';
import { MarkdownView } from '../../src/markdown/view.ts';

const BLOCK = '```mermaid\ngraph TD\n```\n';
const draw = vi.fn(async (_source: string) => ({ svg: '<svg onload="alert(1)"/>', width: 80.5 }));
let root: HTMLElement;
let view: MarkdownView;

beforeEach(() => {
  draw.mockClear();
  offerDiagrams({ draw });
  root = document.createElement('div');
  view = new MarkdownView(root, false);
});

it('draws a diagram once it is whole, as an image that runs nothing', async () => {
  view.show('```mermaid\ngraph', false);
  view.show(BLOCK, false);
  expect(draw).not.toHaveBeenCalled();
  view.show(`${BLOCK}\nDone.\n`, false);
  view.show(`${BLOCK}\nDone.\n`, true);
  await vi.waitFor(() => expect(root.querySelector('img')).not.toBeNull());
  expect(draw.mock.calls).toEqual([['graph TD\n']]);
  expect(root.querySelector('img')?.src).toMatch(/^data:image\/svg\+xml,/);
  expect(root.querySelector('img')?.width).toBe(81);
  expect(root.querySelector('svg')).toBeNull();
});

it('shows the source on a click', async () => {
  view.show(BLOCK, true);
  await vi.waitFor(() => expect(root.querySelector('.diagram')).not.toBeNull());
  const button = root.querySelector<HTMLElement>('.diagram');
  expect(root.querySelector('pre')?.hidden).toBe(true);
  button?.click();
  expect([root.querySelector('pre')?.hidden, button?.getAttribute('aria-expanded')]).toEqual([false, 'true']);
});

it('leaves what is wrong as code and says why', async () => {
  draw.mockRejectedValueOnce(new Error('Parse error on line 2'));
  view.show(BLOCK, true);
  await vi.waitFor(() => expect(root.textContent).toContain('not drawn'));
  expect(root.querySelector('pre')?.hidden).toBe(false);
  expect(root.querySelector<HTMLElement>('.code-head span')?.title).toBe('Parse error on line 2');
});

it.each([
  'A@{ img: "https://evil.example/a.png" }',
  'style A fill:url(#x)',
  '%%{init: {"themeCSS": "@import x"}}%%',
  'A@{ img: "\\x68ttps" }',
  'a'.repeat(20_001),
])('never draws what may fetch, or is too long: %#', (line) => {
  view.show(`\`\`\`mermaid\n${line}\n\`\`\`\n`, true);
  expect(draw).not.toHaveBeenCalled();
});
