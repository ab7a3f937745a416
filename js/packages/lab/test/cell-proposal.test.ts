import type { Renderer, RenderMimeRegistry } from '@jupyterlab/notebook';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PROPOSAL_MIME, renderProposals } from '../src/cell-proposal.ts';
import type { ProposalCard } from '../src/proposal-card.ts';
import { type FakeCell, FakeNotebook, FakeTracker, fakeCell, NotebookActions } from './support/notebook.ts';

type AddFactory = RenderMimeRegistry['addFactory'];

const DATA = { version: 1, cell_id: 'failed', number: 3, before: 'a = 1\nb', code: 'a = 2\nb' };
const CHANGED = 'The cell has changed since';

let file: FakeNotebook;
let output: Renderer;

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => new EventTarget());
});

afterEach(() => {
  document.body.replaceChildren();
  vi.clearAllMocks();
  vi.unstubAllGlobals();
});

/** A notebook whose last cell shows a proposal. */
async function shown(data: unknown, ...cells: FakeCell[]): Promise<ShadowRoot> {
  const magic = fakeCell('%ac_fix', { id: 'magic' });
  file = new FakeNotebook([...cells, magic]);
  renderProposals(new FakeTracker([file]).real);
  const [factory] = vi.mocked<AddFactory>(file.content.rendermime.addFactory).mock.calls[0] ?? [];
  if (!factory) throw new Error('no renderer');
  expect(factory.safe).toBe(true);
  output = factory.createRenderer({ mimeType: PROPOSAL_MIME });
  await output.renderModel({ trusted: false, data: { [PROPOSAL_MIME]: data } });
  magic.node.append(output.node);
  document.body.append(file.node);
  const card = output.node.querySelector<ProposalCard>('[data-ac="cell-proposal"]');
  await card?.updateComplete;
  return card?.shadowRoot as ShadowRoot;
}

const failed = (source = 'a = 1\nb', more = {}) => fakeCell(source, { id: 'failed', ...more });
const sources = () => file.cells.map(({ model }) => model.sharedModel.source);

async function click(card: ShadowRoot, action: string, detail = 1): Promise<string> {
  const button = card.querySelector<HTMLButtonElement>(`[data-ac="proposal-${action}"]`);
  button?.dispatchEvent(new MouseEvent('click', { detail }));
  await (card.host as ProposalCard).updateComplete;
  return card.querySelector('[role="status"]')?.textContent ?? '';
}

it('shows the difference, and buttons that have names', async () => {
  const card = await shown(DATA, failed());
  expect([...card.querySelectorAll('.del, .add, .same')].map((line) => line.textContent)).toEqual([
    'a = 1',
    'a = 2',
    'b',
  ]);
  expect(card.querySelector('[role="group"]')?.getAttribute('aria-label')).toBe('Proposal for the cell [3]');
  const names = [...card.querySelectorAll('button')].map((button) => button.getAttribute('aria-label'));
  expect(names).toEqual([
    expect.stringMatching(/^Replace: /),
    expect.stringMatching(/^Replace and run: /),
    expect.stringMatching(/^Insert below: /),
  ]);
  expect(card.querySelector('[data-ac="proposal-placeholders"]')).toBeNull();
  expect(NotebookActions.run).not.toHaveBeenCalled();
});

it('replaces that very cell in one step of its own, and runs nothing', async () => {
  const card = await shown(DATA, failed(), fakeCell('other'));
  file.content.activeCellIndex = 1;
  expect(await click(card, 'replace')).toContain('Replaced.');
  expect(sources()).toEqual(['a = 2\nb', 'other', '%ac_fix']);
  const shared = file.cells[0]?.model.sharedModel;
  expect(shared?.transact).toHaveBeenCalledOnce();
  expect(shared?.undoManager.stopCapturing).toHaveBeenCalledTimes(2);
  expect(await click(card, 'replace')).toContain('already');
  expect(NotebookActions.run).not.toHaveBeenCalled();
});

it('replaces and runs the cell, which is active then', async () => {
  const card = await shown(DATA, fakeCell('other'), failed('a = 1\nb\n'));
  expect(await click(card, 'run')).toContain('run');
  expect(sources()).toEqual(['other', 'a = 2\nb', '%ac_fix']);
  expect(file.content.activeCellIndex).toBe(1);
  expect(NotebookActions.run).toHaveBeenCalledExactlyOnceWith(file.content, file.sessionContext);
  await click(card, 'run', 2);
  expect(NotebookActions.run).toHaveBeenCalledOnce();
  await click(card, 'run');
  expect(NotebookActions.run).toHaveBeenCalledTimes(2);
});

it('changes nothing without a kernel that could run it', async () => {
  const card = await shown(DATA, failed());
  file.sessionContext.session.kernel = null;
  expect(await click(card, 'run')).toContain('no kernel');
  expect(sources()).toEqual(['a = 1\nb', '%ac_fix']);
});

it('inserts a cell below its own', async () => {
  const card = await shown(DATA, failed('changed'));
  expect(await click(card, 'insert')).toContain('Inserted');
  expect(sources()).toEqual(['changed', '%ac_fix', 'a = 2\nb']);
});

it.each([
  ['has changed', failed('mine'), CHANGED],
  ['is gone', fakeCell('a = 1\nb'), 'no longer in this notebook'],
  ['is not editable', failed('a = 1\nb', { metadata: { editable: false } }), 'read-only'],
  ['is Markdown', failed('a = 1\nb', { type: 'markdown' }), 'markdown, not code'],
])('refuses a cell that %s', async (_, cell, words) => {
  const card = await shown(DATA, cell);
  const before = sources();
  for (const action of ['replace', 'run']) expect(await click(card, action)).toContain(words);
  expect(sources()).toEqual(before);
  expect(NotebookActions.run).not.toHaveBeenCalled();
});

it('refuses in a notebook that is read-only', async () => {
  const card = await shown(DATA, failed());
  file.content.model.readOnly = true;
  for (const action of ['replace', 'run', 'insert']) expect(await click(card, action)).toContain('read-only');
});

it('takes the only cell of that source where the id is not known', async () => {
  const data = { ...DATA, cell_id: null, number: null };
  const card = await shown(data, fakeCell('other'), fakeCell('a = 1\nb'));
  expect(card.querySelector('strong')?.textContent).toBe('Proposal for the cell');
  await click(card, 'replace');
  expect(sources()[1]).toBe('a = 2\nb');
  expect(await click(card, 'replace')).toContain('No cell has this source');
  const twice = await shown(data, fakeCell('a = 1\nb'), fakeCell('a = 1\nb'));
  expect(await click(twice, 'replace')).toContain('Several cells');
});

it('goes by the source where the file has no ids', async () => {
  const card = await shown(DATA, fakeCell('a = 1\nb', { id: 'made-up' }));
  file.content.model.nbformatMinor = 4;
  await click(card, 'replace');
  expect(sources()[0]).toBe('a = 2\nb');
});

it('refuses away from its notebook', async () => {
  const card = await shown(DATA, failed());
  document.body.append(output.node);
  expect(await click(card, 'replace')).toContain('at the cell itself');
});

it('warns of placeholders that stand for secrets', async () => {
  const card = await shown({ ...DATA, code: "login('[secret 1]')" }, failed());
  expect(card.querySelector('[data-ac="proposal-placeholders"]')?.textContent).toContain('[secret 1]');
});

it.each([null, 'text', {}, { ...DATA, version: 2 }, { ...DATA, code: 1 }])(
  'says what %j is not',
  async (data) => {
    await shown(data, failed());
    expect(output.node.textContent).toContain('another version');
    expect(output.node.querySelector('button')).toBeNull();
  },
);

it('tells the kernel before the magic runs that this page draws proposals', async () => {
  await shown(DATA, failed());
  const open = vi.fn();
  const kernel = { handleComms: true, createComm: vi.fn(() => ({ open })) };
  file.sessionContext.session.kernel = kernel;
  const run = (index: number, notebook: unknown = file.content) =>
    NotebookActions.executionScheduled.emit(null, { notebook, cell: file.cells[index] });
  run(0);
  run(1, {});
  expect(kernel.createComm).not.toHaveBeenCalled();
  run(1);
  expect(kernel.createComm).toHaveBeenCalledExactlyOnceWith('jupyter_ac.kernel');
  expect(open).toHaveBeenCalledExactlyOnceWith({ draws_proposals_of: 'magic' });
  kernel.handleComms = false;
  run(1);
  file.sessionContext.session.kernel = null;
  run(1);
  expect(open).toHaveBeenCalledOnce();
});
