import '../support/jsdom.ts';
import { type ActiveNotebook, CODE_ACTION, type CodeAction, provideActiveNotebook } from '@jupyter-ac/page';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as dialogs from '../../src/dialogs/index.ts';
import type { AcApp } from '../../src/elements/app.ts';
import { newMarkdownRenderer } from '../../src/markdown/index.ts';
import { NotebookCode } from '../../src/markdown/notebook-code.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeActiveNotebook } from '../support/active-notebook.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, drawn, one } from '../support/page.ts';

const never = () => new Promise<never>(() => {});
const ANSWER =
  'So:\n\n```python\nx = 2\ny = 3\n```\n\n```bash\nls\n```\n\n```\nz = 4\n```\n\n```python\n\n```\n';

let notebook: FakeActiveNotebook;
let rpc: FakeRpc;
let app: AcApp;
let session: Session;

beforeEach(async () => {
  notebook = new FakeActiveNotebook();
  provideActiveNotebook(notebook);
  rpc = new FakeRpc();
  ({ app, session } = await mount(rpc));
  app.markdown = newMarkdownRenderer({
    loadMaths: never,
    loadColours: never,
    loadDialogs: async () => dialogs,
    diagrams: () => null,
    rpc: () => rpc,
  });
  const messages = [
    { role: 'user', content: '```python\nmine\n```', request_id: 'r' },
    { role: 'assistant', content: ANSWER, request_id: 'r' },
  ];
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, messages }));
  await connect(rpc);
  await expect.poll(() => all('insert-cell').length).toBe(3);
});

afterEach(() => {
  app.markdown?.dispose();
  session.dispose();
  document.body.replaceChildren();
  provideActiveNotebook(undefined as unknown as ActiveNotebook);
});

function first(hook: string): HTMLElement {
  const [found] = all(hook);
  if (!found) throw new Error(`nothing is ${hook}`);
  return found;
}

const offered = (hook: string) => all(hook).filter((button) => !button.hidden);
const alerts = () =>
  all('message').flatMap((each) => [...each.querySelectorAll('.cell-note [role="alert"]')]);

function perform(action: CodeAction): boolean {
  const detail = { action, isTaken: false };
  app.dispatchEvent(new CustomEvent(CODE_ACTION, { detail }));
  return detail.isTaken;
}

it('offers the code of answers in the language of the kernel, or in none', () => {
  for (const hook of ['insert-cell', 'replace-cell', 'run-cell']) {
    expect(
      offered(hook).map((button) => button.closest('.code')?.querySelector('code')?.textContent),
    ).toEqual(['x = 2\ny = 3\n', 'z = 4\n']);
  }
  expect(all('insert-cell').every((button) => button.closest('.assistant'))).toBe(true);
  expect(first('replace-cell').getAttribute('aria-label')).toContain('Replace: Replace the active cell');
});

it('follows the active notebook', () => {
  notebook.become('bash');
  expect(offered('run-cell')).toHaveLength(2);
  notebook.become(null);
  expect(offered('run-cell')).toEqual([]);
  expect(perform('run')).toBe(false);
  expect(notebook.ran).toEqual([]);
});

it('inserts below, and inserts and runs, without the last line end', async () => {
  await click(first('insert-cell'));
  expect(notebook.inserted).toEqual(['x = 2\ny = 3']);
  expect(first('insert-cell').textContent).toBe('Inserted');
  await click(first('run-cell'));
  expect(notebook.ran).toEqual(['x = 2\ny = 3']);
});

it('shows the difference and asks before it replaces the cell', async () => {
  await click(first('replace-cell'));
  const question = one('replace-question');
  expect([...question.querySelectorAll('.diff > div')].map((line) => line.className)).toEqual([
    'del',
    'add',
    'same',
  ]);
  expect(notebook.source).toBe('x = 1\ny = 3');
  await click(one('replace-confirm'));
  expect(notebook.source).toBe('x = 2\ny = 3');
  expect(all('replace-question')).toEqual([]);
  await click(first('replace-cell'));
  expect(alerts()[0]?.textContent).toContain('has this code already');
});

it.each(['replace-keep', 'Escape'])('keeps the cell after %s', async (way) => {
  await click(first('replace-cell'));
  if (way !== 'Escape') await click(one(way));
  else {
    const key = new KeyboardEvent('keydown', {
      key: 'Escape',
      bubbles: true,
      composed: true,
      cancelable: true,
    });
    one('replace-confirm').dispatchEvent(key);
    expect(key.defaultPrevented).toBe(true);
  }
  expect(all('replace-question')).toEqual([]);
  expect(notebook.source).toBe('x = 1\ny = 3');
});

it('says why it can not be done', async () => {
  notebook.problem = 'The active cell is read-only.';
  for (const hook of ['insert-cell', 'replace-cell', 'run-cell']) {
    await click(first(hook));
    await drawn();
    expect(alerts().map((each) => each.textContent)).toEqual(['The active cell is read-only.']);
  }
  notebook.problem = '';
  await click(first('replace-cell'));
  notebook.source = 'typed';
  await click(one('replace-confirm'));
  expect(notebook.source).toBe('typed');
  expect(alerts()[0]?.textContent).toBe('It has changed.');
});

it('acts by command on the block that was used last, else on the last one', () => {
  expect(perform('insert')).toBe(true);
  first('insert-cell')
    .closest('.code')
    ?.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  expect(perform('run')).toBe(true);
  expect([notebook.inserted, notebook.ran]).toEqual([['z = 4'], ['x = 2\ny = 3']]);
});

it('is not there without notebooks beside the panel, and lets go of them when it closes', () => {
  expect(notebook.listeners.size).toBe(1);
  app.markdown?.dispose();
  expect(notebook.listeners.size).toBe(0);
  provideActiveNotebook(undefined as unknown as ActiveNotebook);
  const load = vi.fn(async () => dialogs);
  new NotebookCode(load, () => rpc).draw(first('message').getRootNode() as ShadowRoot);
  expect(load).not.toHaveBeenCalled();
});

it('restores the secrets of the cell that is replaced, and says which placeholders stay', async () => {
  const code = 'key = "[secret 1]"\nother = "[secret 9]"';
  const restored = code.replace('[secret 1]', 'sk-1');
  rpc.ready.set('LLMService.restore_cell_secrets', () => ({ text: restored }));
  const block = first('replace-cell').closest('.code') as HTMLElement;
  (block.querySelector('pre code') as HTMLElement).textContent = code;
  await click(first('replace-cell'));
  expect(rpc.last('LLMService.restore_cell_secrets').args).toEqual(['weather/a.ipynb', 'c1', code]);
  expect(one('replace-placeholders').textContent).toContain('[secret 1] stay');
  await click(one('replace-confirm'));
  expect(notebook.source).toBe(restored);
});

it.each([
  ['insert', 'insert-cell', 'run-cell'],
  ['run', 'run-cell', 'insert-cell'],
] as const)('says first that placeholders stand in the code: %s', async (action, hook, otherHook) => {
  const code = 'login("[secret 1]")';
  const block = first(hook).closest('.code') as HTMLElement;
  (block.querySelector('pre code') as HTMLElement).textContent = code;
  const done = action === 'insert' ? notebook.inserted : notebook.ran;
  await click(first(hook));
  expect(one('cell-placeholders').textContent).toContain('[secret 1]');
  first(hook).dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }));
  await click(first(otherHook));
  await click(first(hook));
  expect([notebook.inserted, notebook.ran]).toEqual([[], []]);
  expect(all('cell-placeholders')).toHaveLength(1);
  expect(perform(action)).toBe(true);
  expect(done).toEqual([code]);
  await drawn();
  expect(all('cell-placeholders')).toEqual([]);
  await click(first(hook));
  expect(done).toEqual([code]);
});

it('asks for no secrets without placeholders, and replaces only the cell that was shown', async () => {
  await click(first('replace-cell'));
  expect(rpc.count('LLMService.restore_cell_secrets')).toBe(0);
  expect(all('replace-placeholders')).toEqual([]);
  notebook.others = [{ id: 'c2', type: 'code', source: notebook.source }];
  notebook.active = 1;
  await click(one('replace-confirm'));
  expect(alerts().map(({ textContent }) => textContent)).toEqual(['It has changed.']);
  notebook.active = 0;
  await click(first('replace-cell'));
  // A copy has cells of the same ids and sources.
  notebook.file = 'weather/copy.ipynb';
  await click(one('replace-confirm'));
  expect(alerts().map(({ textContent }) => textContent)).toEqual(['It has changed.']);
  expect(notebook.source).toBe('x = 1\ny = 3');
});
