import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { registerDialogs } from '../../src/dialogs/index.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, drawn, one } from '../support/page.ts';

const CELLS = 'LLMService.get_notebook_cells';
const EXCLUDE = 'LLMService.set_excluded_cells';
const OUTPUTS = 'LLMService.set_shown_outputs';

const cell = (id: string, more: object = {}) => ({
  id,
  cell_type: 'code',
  title: `title of ${id}`,
  tokens: 7,
  excluded: false,
  outputs: false,
  images: 0,
  images_sent: false,
  ...more,
});

let rpc: FakeRpc;
let session: Session;
let missing = 0;

const breakdown = {
  total_tokens: 50,
  breakdown: {
    files: 50,
    file_count: 2,
    file_details: [
      { path: 'a.ipynb', name: 'a.ipynb', tokens: 40, in_log: false, selected: true },
      { path: 'b.py', name: 'b.py', tokens: 10, in_log: false, selected: true },
    ],
  },
};

beforeEach(async () => {
  registerDialogs();
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  rpc.ready.set('LLMService.get_context_breakdown', () => breakdown);
  rpc.ready.set(CELLS, () => ({
    cells: [cell('a', { excluded: true }), cell('b'), cell('m', { cell_type: 'markdown' })],
    missing,
  }));
  rpc.ready.set(EXCLUDE, () => []);
  rpc.ready.set(OUTPUTS, () => []);
  await connect(rpc);
  await vi.waitFor(() => expect(all('notebook-cells')).toHaveLength(1));
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

const checks = () => all('cell-check') as HTMLInputElement[];

async function open(): Promise<void> {
  one('notebook-cells').querySelector('button')?.click();
  await vi.waitFor(() => expect(all('cell-row')).toHaveLength(3));
}

it('lists the cells of a ticked notebook when it is unfolded', async () => {
  expect(rpc.count(CELLS)).toBe(0);
  await open();
  expect(rpc.last(CELLS).args).toEqual(['a.ipynb']);
  expect(all('cell-row').map(({ dataset }) => [dataset.id, dataset.tokens])).toEqual([
    ['a', '7'],
    ['b', '7'],
    ['m', '7'],
  ]);
  expect(checks().map(({ checked }) => checked)).toEqual([false, true, true]);
  // Neither a cell that is left out nor one without code sends outputs.
  expect(all('cell-outputs')).toHaveLength(1);
});

it('leaves cells out and sends their outputs', async () => {
  await open();
  checks()[1]?.click();
  await drawn();
  expect(rpc.last(EXCLUDE).args).toEqual(['a.ipynb', ['a', 'b']]);
  one<HTMLInputElement>('cell-outputs').click();
  await drawn();
  expect(rpc.last(OUTPUTS).args).toEqual(['a.ipynb', ['b']]);
});

it('sends images of a cell whose outputs are sent', async () => {
  const rows = [
    cell('b', { images: 2 }),
    cell('c', { outputs: true, images: 1, images_sent: true }),
    cell('d', { outputs: true }),
  ];
  rpc.ready.set(CELLS, () => ({ cells: rows, missing }));
  await open();
  // The others have none, or none that goes out.
  expect(all('cell-images').map(({ ariaLabel }) => ariaLabel)).toEqual([
    'Send 1 image of the cell title of c',
  ]);
  expect(one<HTMLInputElement>('cell-images').checked).toBe(true);
  one<HTMLInputElement>('cell-images').click();
  await drawn();
  expect(rpc.last(OUTPUTS).args).toEqual(['a.ipynb', ['c', 'd'], []]);
  one<HTMLInputElement>('cell-images').click();
  await drawn();
  expect(rpc.last(OUTPUTS).args).toEqual(['a.ipynb', ['c', 'd'], ['c']]);
});

it('says that a cell can’t be found, and goes on without it', async () => {
  missing = 1;
  await open();
  missing = 0;
  one('cells-forget').click();
  await vi.waitFor(() => expect(all('cells-forget')).toHaveLength(0));
  expect(rpc.last(EXCLUDE).args).toEqual(['a.ipynb', ['a']]);
});

it('says what the server refuses', async () => {
  rpc.ready.set(CELLS, () => {
    throw new Error('It is no notebook.');
  });
  one('notebook-cells').querySelector('button')?.click();
  await vi.waitFor(() => expect(one('notebook-cells').textContent).toContain('It is no notebook.'));
});
