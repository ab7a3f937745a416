import { type DiagramRenderer, pageDiagramRenderer, provideDiagramRenderer } from '@jupyter-ac/page';
import { beforeEach, expect, it, vi } from 'vitest';
import { DiagramFrame } from '../../src/controllers/diagram-frame.ts';
import { diagramFrame } from '../../src/load-chunk.ts';
import { CodeHighlighter } from '../../src/markdown/code-highlighter.ts';
import { DiagramBlocks } from '../../src/markdown/diagrams.ts';
import { FormulaRenderer } from '../../src/markdown/formulas.ts';
import { MarkdownView } from '../../src/markdown/markdown-view.ts';
import { PostProcessor } from '../../src/markdown/post-processor.ts';

const BLOCK = '```mermaid\ngraph TD\n```\n';
const render = vi.fn<DiagramRenderer['render']>(async () => ({
  svg: '<svg onload="alert(1)"/>',
  width: 80.5,
}));
let root: HTMLElement;
let view: MarkdownView;
let postProcessor: PostProcessor;

const never = async () => {
  throw new Error('not wanted');
};
const withDiagrams = (diagrams: () => DiagramRenderer | null) =>
  new PostProcessor(new FormulaRenderer(never), new CodeHighlighter(never), new DiagramBlocks(diagrams));

beforeEach(() => {
  render.mockClear();
  provideDiagramRenderer({ render });
  root = document.createElement('div');
  postProcessor = withDiagrams(pageDiagramRenderer);
  view = new MarkdownView(root, false, postProcessor);
});

it('draws a diagram once it is whole, as an image that runs nothing', async () => {
  view.show('```mermaid\ngraph', false);
  view.show(BLOCK, false);
  expect(render).not.toHaveBeenCalled();
  view.show(`${BLOCK}\nDone.\n`, false);
  view.show(`${BLOCK}\nDone.\n`, true);
  await vi.waitFor(() => expect(root.querySelector('img')).not.toBeNull(), 30_000);
  expect(render.mock.calls).toEqual([['graph TD\n', false]]);
  expect(root.querySelector('img')?.src).toMatch(/^data:image\/svg\+xml,/);
  expect(root.querySelector('img')?.width).toBe(81);
  expect(root.querySelector('svg')).toBeNull();
});

it('shows the source on a click', async () => {
  view.show(BLOCK, true);
  await vi.waitFor(() => expect(root.querySelector('.diagram')).not.toBeNull(), 30_000);
  const button = root.querySelector<HTMLElement>('.diagram');
  expect(root.querySelector('pre')?.hidden).toBe(true);
  button?.click();
  expect([root.querySelector('pre')?.hidden, button?.getAttribute('aria-expanded')]).toEqual([false, 'true']);
});

it('leaves what is wrong as code and says why', async () => {
  render.mockRejectedValueOnce(new Error('Parse error on line 2'));
  view.show(BLOCK, true);
  await vi.waitFor(() => expect(root.textContent).toContain('not drawn'), 30_000);
  expect(root.querySelector('pre')?.hidden).toBe(false);
  expect(root.querySelector<HTMLElement>('.code-head span')?.title).toBe('Parse error on line 2');
});

it.each([
  'A@{ img: "https://evil.example/a.png" }',
  'style A fill:url(#x)',
  '%%{init: {"themeCSS": "@import x"}}%%',
  'A@{ img: "\\x68ttps" }',
  'a'.repeat(20_001),
])('never draws what may fetch, or is too long, and says why: %#', (line) => {
  view.show(`\`\`\`mermaid\n${line}\n\`\`\`\n`, true);
  expect(render).not.toHaveBeenCalled();
  const name = root.querySelector<HTMLElement>('.code-head span');
  expect(name?.textContent).toBe('mermaid: not drawn');
  expect(name?.title).toMatch(/might load something|too long/);
});

it('draws what is shown anew for another background, also what was being drawn', async () => {
  view.show(BLOCK, true);
  postProcessor.setDark(true);
  await vi.waitFor(() => expect(render).toHaveBeenLastCalledWith('graph TD\n', true), 30_000);
  await vi.waitFor(() => expect(root.querySelectorAll('img')).toHaveLength(1), 30_000);
  postProcessor.setDark(true);
  expect(render).toHaveBeenCalledTimes(2);
  postProcessor.setDark(false);
  expect(render).toHaveBeenLastCalledWith('graph TD\n', false);
  expect(root.querySelectorAll('img')).toHaveLength(1);
});

it('leaves code where nothing draws: a UI that came by the comm has no server for the frame', () => {
  expect(diagramFrame('blob:http://localhost/1')).toBeNull();
  expect(diagramFrame('http://localhost:8888/jupyter-ac/static/ui-000000.js')).toBeInstanceOf(DiagramFrame);
  new MarkdownView(
    root,
    false,
    withDiagrams(() => null),
  ).show(BLOCK, true);
  expect(root.querySelector('pre')?.hidden).toBe(false);
});
