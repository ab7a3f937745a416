import '../support/jsdom.ts';
import type { ContextItemGiven } from '@jupyter-ac/link/rpc';
import {
  type ActiveNotebook,
  type KernelAccess,
  KernelError,
  provideActiveNotebook,
  provideKernelAccess,
} from '@jupyter-ac/page';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addMention } from '../../src/controllers/add-mention.ts';
import { focused } from '../../src/controllers/focus.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeActiveNotebook } from '../support/active-notebook.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { FakeKernelAccess, variable } from '../support/kernel-access.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, click, drawn, fill, one, press } from '../support/page.ts';
import { rawRows } from '../support/raw-rows.ts';

let rpc: FakeRpc;
let session: Session;
let notebook: FakeActiveNotebook;
let kernel: FakeKernelAccess;
let rows: object[];

const input = () => one<HTMLTextAreaElement>('input');
const chips = () => all('chip').map(({ dataset }) => `${dataset.kind} ${dataset.name} ${dataset.state}`);
const given = () =>
  rpc.calls
    .filter(({ method }) => method === 'LLMService.add_context')
    .map(({ args }) => args[0] as ContextItemGiven);
const options = () => all('input-option').map((option) => option.textContent?.replace(/\s+/g, ' ').trim());
const asked = () => rpc.count('LLMService.chat_streaming');

beforeEach(async () => {
  notebook = new FakeActiveNotebook();
  kernel = new FakeKernelAccess();
  provideActiveNotebook(notebook);
  provideKernelAccess(kernel.real);
  rows = [];
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  rpc.ready.set('Repo.get_tree_rows', () => rawRows(['weather/a.ipynb', 'src/a.py']));
  rpc.ready.set('LLMService.search_symbols', () => []);
  rpc.ready.set('LLMService.get_context_items', () => rows);
  rpc.ready.set('LLMService.add_context', (raw) => {
    const { kind, name, source = '' } = raw as ContextItemGiven;
    const row = { id: `id-${rows.length}`, kind, name, source, tokens: 12, secrets: 1, images: 0 };
    rows = [...rows, row];
    return row;
  });
  rpc.ready.set('LLMService.remove_context', (id) => {
    rows = rows.filter((row) => (row as { id: string }).id !== id);
    return rows;
  });
  rpc.ready.set('LLMService.chat_streaming', () => {
    rows = [];
    return { status: 'started' };
  });
  await connect(rpc);
  session.selection.replace([]);
  input().focus();
  await drawn();
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
  provideActiveNotebook(undefined as unknown as ActiveNotebook);
  provideKernelAccess(undefined as unknown as KernelAccess);
});

async function type(text: string): Promise<void> {
  await fill(input(), text);
  input().setSelectionRange(text.length, text.length);
  await fill(input(), text);
}

describe('the menu after @', () => {
  it('offers the variables of the kernel with type and shape, and adds the chosen one', async () => {
    await type('See @var:app');
    expect(options()).toEqual(['apples DataFrame, 3 × 2']);
    await press('Enter');
    expect(given()).toEqual([
      { kind: 'variable', name: 'apples', text: 'apples: DataFrame', source: 'weather/a.ipynb' },
    ]);
    expect(input().value).toBe('See `apples` ');
    expect(chips()).toEqual(['variable apples ready']);
    expect(one('chip').textContent).toMatch(/12 tokens · 1 secret masked/);
  });

  it('offers what there is, by prefix, and cells by their numbers', async () => {
    notebook.others = [{ id: 'c2', type: 'markdown', source: '\n# Title' }];
    await type('@');
    expect(options().slice(0, 6)).toEqual([
      '@var: a variable of the kernel',
      '@cell cell 1: x = 1',
      '@output of cell 1: x = 1',
      '@error the last error',
      '@selection the selected text',
      '@notebook tick the open notebook',
    ]);
    await type('@se');
    expect(options()).toEqual(['@selection the selected text']);
    await type('@cell:');
    expect(options()).toEqual(['@cell:1 x = 1', '@cell:2 # Title']);
    await type('@cell:2');
    await press('Enter');
    expect(given()).toMatchObject([{ kind: 'cell', name: 'cell 2', cell: 'c2' }]);
    expect(given()[0]?.text).toBe('Cell 2 (markdown):\n\n\n# Title');
    expect(input().value).toBe('cell 2 ');
  });

  it('goes on to the variables, and stays open', async () => {
    await type('@va');
    await press('Enter');
    expect(input().value).toBe('@var:');
    expect(options()).toEqual(['apples DataFrame, 3 × 2', 'os int']);
  });

  it('loads the extension by one click, and goes on', async () => {
    kernel.obstacle = new KernelError('jupyter_ac is not loaded.', 'not-loaded');
    await type('@var:');
    expect(options()).toEqual(['Load jupyter_ac in this kernel jupyter_ac is not loaded.']);
    expect(kernel.loads).toBe(0);
    await click(one('input-option'));
    expect(kernel.loads).toBe(1);
    expect(options()).toEqual(['apples DataFrame, 3 × 2', 'os int']);
  });

  it.each([
    ['busy', 'kernel busy The kernel is busy.', 'The kernel is busy.'],
    ['other-language', 'Needs Python.', 'Needs Python.'],
  ])('says in a sentence why there are none: %s', async (state, said, message) => {
    kernel.obstacle = new KernelError(message, state);
    await type('@var:');
    expect(options()).toEqual([said]);
    await press('Enter');
    expect(input().value).toBe('@var:');
  });

  it('forgets the variables of another kernel', async () => {
    await type('@var:');
    kernel.variables = [variable('pears')];
    for (const listener of kernel.listeners) listener();
    await type('@var:p');
    expect(options()).toEqual(['pears int']);
  });

  it('ticks the notebook instead of adding its text', async () => {
    await type('@notebook');
    await press('Enter');
    expect(session.selection.paths).toEqual(['weather/a.ipynb']);
    expect(given()).toEqual([]);
    expect(chips()).toEqual([]);
  });
});

describe('what is typed whole', () => {
  it('is added by the blank after it, once, and never for a bare name', async () => {
    await type('@apples @var:apples');
    expect(given()).toEqual([]);
    await type('@apples @var:apples ');
    await type('@apples @var:apples is');
    expect(given().map(({ name }) => name)).toEqual(['apples']);
  });

  it('is added before the question goes out', async () => {
    notebook.shown = [[{ output_type: 'stream', text: '17\n' }]];
    await type('Why @output');
    await press('Escape');
    await press('Enter');
    expect(given()).toMatchObject([{ kind: 'output', text: 'Output of cell 1:\n\n17', images: [] }]);
    expect(asked()).toBe(1);
    expect(chips()).toEqual([]);
  });

  it('holds the question back once when it is not found, and says why', async () => {
    await type('@cell:7 and @var:pears and @file:src/b.py here');
    expect(chips()).toEqual(['cell cell 7 failed', 'variable pears failed']);
    await press('Enter');
    expect(asked()).toBe(0);
    expect(all('chip').map((chip) => chip.querySelector('.reason')?.textContent)).toEqual([
      'There is no cell 7: the notebook has 1.',
      'There is no variable pears.',
      'src/b.py is not among the files of this repository that can be sent.',
    ]);
    expect(one('context-refusal').textContent).toContain('Not sent');
    await press('Enter');
    expect(asked()).toBe(1);
    expect(all('context-refusal')).toEqual([]);
    expect(chips()).toEqual([]);
  });

  it('goes out when the failures are removed, and can be tried again', async () => {
    await type('@var:pears @selection ');
    notebook.selected = { text: 'x', path: 'src/a.py', cell: null };
    const retry = all('chip-retry');
    await click(retry[1]);
    expect(given()).toMatchObject([{ kind: 'selection', name: 'selection in a.py', source: 'src/a.py' }]);
    await vi.waitFor(() => expect(chips()).toContain('selection selection in a.py ready'));
    await click(all('chip-remove')[chips().indexOf('variable pears failed')]);
    await vi.waitFor(() => expect(chips()).toEqual(['selection selection in a.py ready']));
    input().focus();
    await press('Enter');
    expect(asked()).toBe(1);
  });

  it.each([
    [
      'no notebook hook',
      () => provideActiveNotebook(undefined as unknown as ActiveNotebook),
      'What do @error, @cell and @var:pears do?',
    ],
    [
      'no open notebook',
      () => {
        notebook.file = '';
      },
      'What do @error, @cell:3, @selection and @notebook do?',
    ],
  ])('is text on a page with %s, and holds nothing back', async (_, leave, text) => {
    leave();
    await type(`${text} `);
    expect(chips()).toEqual([]);
    await press('Enter');
    expect(asked()).toBe(1);
    expect(given()).toEqual([]);
    expect(all('context-refusal')).toEqual([]);
  });

  it('ticks a file without a notebook, too', async () => {
    provideActiveNotebook(undefined as unknown as ActiveNotebook);
    await type('@file:src/a.py is odd');
    await press('Enter');
    expect(session.selection.paths).toEqual(['src/a.py']);
    expect(asked()).toBe(1);
  });

  it('adds the selection of a file beside no notebook', async () => {
    notebook.file = '';
    notebook.selected = { text: 'x', path: 'src/a.py', cell: null };
    await type('@selection ');
    expect(given()).toMatchObject([{ kind: 'selection', source: 'src/a.py' }]);
  });

  it('ticks a file by its path', async () => {
    await type('@file:src/a.py');
    await press('Escape');
    await press('Enter');
    expect(session.selection.paths).toEqual(['src/a.py']);
    expect(asked()).toBe(1);
  });
});

describe('an error', () => {
  it('is that of the kernel, else that in the output of the active cell', async () => {
    kernel.obstacle = new KernelError('Not loaded.', 'not-loaded');
    notebook.shown = [[{ output_type: 'error', ename: 'KeyError', evalue: 'x', traceback: [] }]];
    await type('@error ');
    expect(given()).toMatchObject([{ name: 'error of cell 1', text: 'KeyError: x', cell: 'c1' }]);
    kernel.obstacle = null;
    const none = { notes: [], frames: [], frames_left_out: 0, causes: [] };
    kernel.error = { type: 'ValueError', message: 'no', ...none };
    await type('');
    await type('@error ');
    expect(given()[1]).toMatchObject({ name: 'ValueError', text: 'ValueError: no' });
  });

  it('of a cell is that in its output, whatever the kernel and the active cell have', async () => {
    kernel.error = {
      ...{ type: 'ValueError', message: 'no' },
      ...{ notes: [], frames: [], frames_left_out: 0, causes: [] },
    };
    notebook.others = [{ id: 'c2', type: 'code', source: 'd["x"]' }];
    notebook.shown = [[], [{ output_type: 'error', ename: 'KeyError', evalue: 'x', traceback: [] }]];
    await type('@error:2 @error:1 ');
    expect(given()).toMatchObject([{ name: 'error of cell 2', text: 'KeyError: x', cell: 'c2' }]);
    expect(chips()).toEqual(['error error of cell 1 failed', 'error error of cell 2 ready']);
    expect(all('chip').map((chip) => chip.querySelector('.reason')?.textContent)).toContain(
      'The output of cell 1 has no error.',
    );
  });
});

describe('chips', () => {
  it('are those of the conversation, reached by arrow keys and removed by Delete', async () => {
    rows = [
      { id: '1', kind: 'variable', name: 'a', source: '', tokens: 1, secrets: 0, images: 2 },
      { id: '2', kind: 'cell', name: 'cell 1', source: '', tokens: 1, secrets: 0, images: 0 },
    ];
    await rpc.emit('contextChanged', rows);
    await drawn();
    expect(all('chip')[0]?.textContent).toContain('2 images');
    all('chip')[0]?.focus();
    await press('ArrowRight');
    expect(focused()).toBe(all('chip')[1]);
    await press('Delete');
    expect(rpc.last('LLMService.remove_context').args).toEqual(['2']);
    await press('Delete');
    expect(chips()).toEqual([]);
    expect(focused()).toBe(input());
  });

  it('keep the focus when one is tried again', async () => {
    await type('@selection ');
    notebook.selected = { text: 'x', path: 'src/a.py', cell: null };
    all('chip')[0]?.focus();
    await press('Enter');
    expect(chips()).toEqual(['selection selection in a.py ready']);
    expect(focused()).toBe(one('chip'));
  });

  it('are not added while there is no connection', async () => {
    await rpc.become({ state: 'waiting', reason: 'The server is gone.' } as never);
    const added = addMention(session, '@cell:1', new AbortController().signal);
    await expect(added).rejects.toThrow('The server is gone.');
  });

  it('are added on behalf of a command', async () => {
    const closing = new AbortController().signal;
    await addMention(session, '@cell:1', closing);
    await drawn();
    expect(chips()).toEqual(['cell cell 1 ready']);
    await expect(addMention(session, 'cell', closing)).rejects.toThrow('no mention');
  });

  it('have rows in the breakdown, which leave them out', async () => {
    const details = [
      { name: 'cell/cell 1', path: 'context://cell/cell 1', tokens: 9, in_log: false },
      { name: 'cell/cell 1', path: 'context://cell/cell 1', tokens: 8, in_log: true },
    ];
    const breakdown = { context: 17, context_details: details };
    rpc.ready.set('LLMService.get_context_breakdown', () => ({ total_tokens: 17, breakdown }));
    await addMention(session, '@cell:1', new AbortController().signal);
    await drawn();
    const lines = all('breakdown-row').filter(({ dataset }) => dataset.category === 'context');
    expect(lines.map(({ dataset }) => dataset.tokens)).toEqual(['17', '9', '8']);
    expect(lines[0]?.textContent).toContain('Added');
    expect(lines[2]?.textContent).toContain('still sent');
    await click(lines[1]?.querySelector('button'));
    expect(chips()).toEqual([]);
  });
});
