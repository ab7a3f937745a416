import '../support/jsdom.ts';
import { provideKernelAccess } from '@jupyter-ac/page';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, click, drawn, fill, one, press } from '../support/page.ts';
import { FakeKernel, FakeKernelPanels, offerPanels, panelCalls, panelRow } from '../support/panel-links.ts';
import { element, textNode } from '../support/panel-trees.ts';

let rpc: FakeRpc;
let session: Session;
let kernel: FakeKernel;

const words = (part: Element | null | undefined) => part?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const tab = (id: string) => one('panels').querySelector<HTMLElement>(`[data-panel="${id}"]`);
const selected = () => all('panel-tab').map((each) => each.getAttribute('aria-selected'));
/** The trees in the page, of the panels that are seen. */
const trees = () =>
  all('panel-tree').filter((tree) => !((tree.getRootNode() as ShadowRoot).host as HTMLElement).hidden);
/** Until the frame has come in which panels are drawn. */
const shown = async () => {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  await drawn();
};
const push = async (method: string, ...args: unknown[]) => {
  await rpc.push(`Panels.${method}`, ...args);
  await shown();
};

beforeEach(async () => {
  sessionStorage.clear();
  rpc = new FakeRpc();
  kernel = new FakeKernel();
  provideKernelAccess(kernel as never);
  rpc.ready.set('LLMService.list_pending_tools', () => []);
  ({ session } = await mount(rpc));
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
  provideKernelAccess(null as never);
});

/** Opens the view over these panels. */
async function open(...rows: object[]): Promise<void> {
  offerPanels(rpc, rows);
  await connect(rpc);
  one('panels-open').focus();
  await click(one('panels-open'));
}

describe('the view of panels', () => {
  it('is not offered by a server without panels', async () => {
    rpc.lacking.add('Panels.list');
    await connect(rpc);
    expect(all('panels-open')).toEqual([]);
  });

  it('has a tab for each, by the arrow keys too, and gives the focus back', async () => {
    await open(panelRow('a', { title: 'Tests' }), panelRow('b', { title: 'Pulse' }), panelRow('c'));
    expect(all('panel-tab').map(words)).toEqual(['Tests', 'Pulse', 'c']);
    expect(focused()).toBe(tab('a'));
    await press('ArrowRight');
    expect(selected()).toEqual(['false', 'true', 'false']);
    expect(focused()).toBe(tab('b'));
    await press('End');
    await press('ArrowRight');
    expect(focused()).toBe(tab('c'));
    await press('Home');
    expect(focused()).toBe(tab('a'));
    expect(one('panels').querySelector('[role="tabpanel"]')?.getAttribute('aria-labelledby')).toBe(
      tab('a')?.id,
    );
    await press('Escape');
    expect(all('panels')).toEqual([]);
    expect(focused()).toBe(one('panels-open'));
  });

  it('shows the tree of the chosen one, sends its events, and keeps what was typed in another', async () => {
    await open(panelRow('a'), panelRow('b'));
    const input = { id: 'i', type: 'input', props: { 'aria-label': 'City' }, children: [] };
    await push(
      'updateTree',
      'a',
      element('r', [input, textNode('t', 'sunny')], { _onClickHandlerId: 'r:onClick' }),
    );
    expect(words(trees()[0])).toBe('sunny');
    expect(trees()[0]?.getAttribute('aria-label')).toBe('a');
    await click(trees()[0]?.querySelector('div'));
    expect(rpc.last('Panels.executeHandler').args).toEqual(['a', 'r:onClick', []]);
    const field = trees()[0]?.querySelector('input') as HTMLInputElement;
    await fill(field, 'Bern');
    await click(tab('b'));
    await push('updateTree', 'b', element('r', [textNode('t', 'calm')]));
    expect(trees().map(words)).toEqual(['calm']);
    await push('applyMutations', 'a', [{ type: 'setText', nodeId: 't', text: 'rainy' }]);
    await click(tab('a'));
    expect(trees().map(words)).toEqual(['rainy']);
    expect(trees()[0]?.querySelector('input')).toBe(field);
    expect(field.value).toBe('Bern');
  });

  it('comes to the same tab again', async () => {
    await open(panelRow('a'), panelRow('b'));
    await click(tab('b'));
    await press('Escape');
    await click(one('panels-open'));
    expect(selected()).toEqual(['false', 'true']);
    expect(panelCalls(rpc).filter((call) => call.startsWith('initialize'))).toEqual([
      'initialize a',
      'initialize b',
    ]);
  });

  it('says what a panel is, and what it may call', async () => {
    const calls = ['Repo.get_file_tree', 'Repo.search_files', 'Kernel.list_variables'];
    await open(panelRow('a', { origin: 'built-in', state: 'running', calls }));
    expect(words(one('panel-state'))).toBe('Running');
    expect(words(one('panel-state').parentElement)).toContain('Built in');
    expect(words(one('panel-calls'))).toBe(
      'May call 3 methods of the server Kernel list_variablesRepo get_file_tree, search_files',
    );
  });

  it('says how to get a panel when there is none', async () => {
    await open();
    expect(words(one('panels-none'))).toContain('jupyter ac panel FILE.py');
    expect(focused()).toBe(one('panels'));
    await push('changed', [panelRow('late')]);
    expect(all('panels-none')).toEqual([]);
    expect(panelCalls(rpc)).toEqual(['initialize late']);
    expect(focused()).toBe(tab('late'));
  });

  it('says why there is no list', async () => {
    await connect(rpc);
    await click(one('panels-open'));
    await rpc.last('Panels.list').fail('access_denied', 'Log in to see panels.');
    await drawn();
    expect(words(one('panels-problem'))).toBe('Log in to see panels.');
  });

  it('has the titles of plugins on one line, without invisible signs', async () => {
    await open(panelRow('a', { title: `x\u202e\n${'y'.repeat(500)}` }));
    expect(words(tab('a')).length).toBeLessThan(120);
    expect(words(tab('a'))).toContain('\\u{202e}');
  });
});

it('Escape in a field of a plugin closes the view', async () => {
  await open(panelRow('a'));
  const field = { id: 'i', type: 'input', props: {}, children: [] };
  await push('updateTree', 'a', element('r', [field]));
  trees()[0]?.querySelector('input')?.focus();
  await press('x');
  expect(all('panels')).toHaveLength(1);
  await press('Escape');
  expect(all('panels')).toEqual([]);
  expect(focused()).toBe(one('panels-open'));
});

describe('a panel that fails', () => {
  it('keeps its tree, says why, and is started anew', async () => {
    await open(panelRow('a'));
    await push('updateTree', 'a', element('r', [textNode('t', 'sunny')]));
    const error = { message: 'The plugin has ended: exit status 1', stack: 'line 3' };
    await push('reportError', 'a', error);
    await push('changed', [panelRow('a', { state: 'failed', error })]);
    expect(tab('a')?.dataset.state).toBe('failed');
    expect(words(one('panel-error'))).toContain('exit status 1');
    expect(all('panel-failure')).toEqual([]);
    expect(words(trees()[0])).toBe('sunny');
    await click(one('panel-restart'));
    expect(panelCalls(rpc).at(-1)).toBe('restart a');
    await push('changed', [panelRow('a', { state: 'running' })]);
    expect(all('panel-error')).toEqual([]);
  });

  it('says so also when the page has not got its error', async () => {
    await open(panelRow('a', { state: 'failed', error: { message: 'no such file', stack: 'line 1' } }));
    expect(words(one('panel-failure'))).toBe('no such fileline 1');
    await click(one('panel-start-anew'));
    expect(panelCalls(rpc)).toEqual(['initialize a', 'restart a']);
  });

  it('has a log, which is folded', async () => {
    await open(panelRow('a'), panelRow('b'));
    await push('log', 'a', 'warn', ['careful', { n: 1 }]);
    await push('reportError', 'a', { message: 'broken' });
    expect(words(one('panel-log-toggle'))).toBe('Log 2 lines errors');
    expect(all('panel-log-line')).toEqual([]);
    await click(one('panel-log-toggle'));
    expect(all('panel-log-line').map(words)).toEqual(['Warning careful {"n":1}', 'Error broken']);
    await click(tab('b'));
    expect(all('panel-log-line')).toEqual([]);
    await click(tab('a'));
    await click(one('panel-log-clear'));
    expect(words(one('panel-log'))).toContain('Nothing yet');
  });
});

it('panels of the kernel have tabs too', async () => {
  kernel.active = new FakeKernelPanels('k', [panelRow('plot', { title: 'Plot', origin: 'kernel' })]);
  await open(panelRow('a'));
  expect(all('panel-tab').map(words)).toEqual(['a', 'Plot']);
  await click(tab('plot'));
  kernel.active.push('Panels.updateTree', 'plot', element('r', [textNode('t', 'dots')]));
  await shown();
  expect(trees().map(words)).toEqual(['dots']);
  expect(words(one('panel-state').parentElement)).toContain("Of the notebook's kernel");
});

it('a lost connection is said, and the tree stays', async () => {
  await open(panelRow('a'));
  await push('updateTree', 'a', element('r', [textNode('t', 'sunny')]));
  await rpc.become({ state: 'waiting', code: 1006, reason: 'gone', delayMs: 1000 });
  await shown();
  expect(words(one('panel-error'))).toBe('The connection to the panel was lost.');
  expect(words(trees()[0])).toBe('sunny');
  await rpc.become({ state: 'open', first: false });
  await shown();
  expect(all('panel-error')).toEqual([]);
  expect(panelCalls(rpc)).toEqual(['initialize a', 'initialize a']);
});
