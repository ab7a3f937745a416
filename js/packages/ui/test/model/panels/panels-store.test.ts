import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KEEP_MS, MAX_KEPT, PanelsStore } from '../../../src/model/panels/panels-store.ts';
import { FakeRpc, settle } from '../../support/fake-rpc.ts';
import {
  FakeKernel,
  FakeKernelPanels,
  offerPanels,
  panelCalls,
  panelRow,
} from '../../support/panel-links.ts';
import { element } from '../../support/panel-trees.ts';

let rpc: FakeRpc;
let kernel: FakeKernel;
let remembered: string;
let store: PanelsStore;

const LIGHT = { colorScheme: 'light', active: true } as const;
const make = () =>
  new PanelsStore(
    { rpc },
    {
      kernel,
      schedule: () => (update) => update(),
      memory: {
        get: () => remembered,
        set: (key) => {
          remembered = key;
        },
      },
    },
  );
const open = async () => {
  store.open(LIGHT);
  await settle();
};
const titles = () => store.panels.map(({ title }) => title);
const treeOf = (key: string) => store.opened.get(key)?.controller.getTree();

beforeEach(async () => {
  vi.useFakeTimers();
  rpc = new FakeRpc();
  kernel = new FakeKernel();
  remembered = '';
  offerPanels(rpc, [panelRow('a'), panelRow('b')]);
  await rpc.become({ state: 'open', first: true });
  store = make();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('panels of the server', () => {
  it('are listed when the view opens, and only the shown one is started', async () => {
    expect(rpc.calls).toEqual([]);
    await open();
    expect(titles()).toEqual(['a', 'b']);
    expect(panelCalls(rpc)).toEqual(['initialize a']);
    expect(rpc.last('Panels.initialize').args).toEqual([
      'a',
      { protocolVersion: 3, env: LIGHT, extensions: ['moveBefore'] },
    ]);
  });

  it('are told when nobody sees them, and are as they were when they are shown again', async () => {
    await open();
    await rpc.push('Panels.updateTree', 'a', element('r'));
    store.show('server: b');
    await settle();
    expect(rpc.last('Panels.setEnvironment').args).toEqual(['a', { active: false }]);
    store.show('server: a');
    await settle();
    expect(panelCalls(rpc).slice(1)).toEqual([
      'initialize b',
      'setEnvironment a',
      'setEnvironment a',
      'setEnvironment b',
    ]);
    expect(treeOf('server: a')).toEqual(element('r'));
  });

  it('are ended when they have not been seen for long, also by a closed view', async () => {
    await open();
    store.close();
    await settle();
    expect(panelCalls(rpc).at(-1)).toBe('setEnvironment a');
    vi.advanceTimersByTime(KEEP_MS - 1);
    expect(store.opened.size).toBe(1);
    vi.advanceTimersByTime(1);
    await settle();
    expect(panelCalls(rpc).at(-1)).toBe('destroy a');
    expect(store.opened.size).toBe(0);
    await open();
    expect(panelCalls(rpc).at(-1)).toBe('initialize a');
  });

  it('are kept up to a number of them', async () => {
    const names = Array.from({ length: MAX_KEPT + 1 }, (_, at) => `p${at}`);
    offerPanels(
      rpc,
      names.map((name) => panelRow(name)),
    );
    await open();
    for (const name of [...names.slice(1, -1), 'p0', names.at(-1)]) store.show(`server: ${name}`);
    await settle();
    expect(panelCalls(rpc).filter((call) => call.startsWith('destroy'))).toEqual(['destroy p1']);
  });

  it('are told that the page is hidden', async () => {
    await open();
    store.setActive(false);
    store.setActive(false);
    await settle();
    expect(rpc.last('Panels.setEnvironment').args).toEqual(['a', { active: false }]);
    expect(rpc.count('Panels.setEnvironment')).toBe(1);
  });

  it('get what is theirs only', async () => {
    await open();
    await rpc.push('Panels.updateTree', 'b', element('other'));
    await rpc.push('Panels.updateTree', 'a', element('mine'));
    await rpc.push('Panels.applyMutations', 'a', [
      { type: 'setProps', nodeId: 'mine', props: { title: 'x' } },
    ]);
    await rpc.push('Panels.updateTree');
    expect(treeOf('server: a')).toEqual(element('mine', [], { title: 'x' }));
  });

  it('write lines and errors into the log of their own, which stays when they are ended', async () => {
    await open();
    await rpc.push('Panels.log', 'a', 'warn', ['careful', 3]);
    await rpc.push('Panels.reportError', 'a', { message: 'broken', stack: 's' });
    expect(store.logOf('server: a').lines.map(({ level, text }) => `${level} ${text}`)).toEqual([
      'warn careful 3',
      'error broken',
    ]);
    expect(store.logOf('server: b').lines).toEqual([]);
    store.close();
    vi.advanceTimersByTime(KEEP_MS);
    expect(store.logOf('server: a').lines).toHaveLength(2);
  });

  it('follow the list that the server sends', async () => {
    await open();
    await rpc.push('Panels.reportError', 'a', { message: 'ended' });
    await rpc.push('Panels.changed', [panelRow('a', { state: 'failed', error: { message: 'ended' } })]);
    expect(titles()).toEqual(['a']);
    expect(store.opened.get('server: a')?.controller.getStatus().lastError?.message).toBe('ended');
    await rpc.push('Panels.changed', [panelRow('a', { state: 'starting' }), panelRow('c')]);
    expect(store.opened.get('server: a')?.controller.getStatus().lastError).toBeNull();
    expect(titles()).toEqual(['a', 'c']);
    await rpc.push('Panels.changed', [panelRow('c')]);
    expect(store.shown?.id).toBe('c');
    expect(panelCalls(rpc).slice(-2)).toEqual(['destroy a', 'initialize c']);
  });

  it('forget what was wrong when they were loaded anew, as after a save of their file', async () => {
    await open();
    await rpc.push('Panels.changed', [panelRow('a', { state: 'running', loads: 1 })]);
    await rpc.push('Panels.reportError', 'a', { message: 'SyntaxError' });
    const error = () => store.opened.get('server: a')?.controller.getStatus().lastError?.message;
    await rpc.push('Panels.changed', [panelRow('a', { state: 'running', loads: 1, title: 'A' })]);
    expect(error()).toBe('SyntaxError');
    await rpc.push('Panels.changed', [panelRow('a', { state: 'running', loads: 2 })]);
    expect(error()).toBeUndefined();
  });

  it('are restarted for all, and started anew when they were not shown', async () => {
    await open();
    await store.restart();
    expect(panelCalls(rpc)).toEqual(['initialize a', 'restart a']);
    rpc.ready.set('Panels.initialize', () => Promise.reject(new Error('no such module')));
    store.show('server: b');
    await settle();
    expect(store.opened.get('server: b')?.controller.getStatus().lastError?.message).toBe('no such module');
    offerPanels(rpc, []);
    await store.restart();
    expect(panelCalls(rpc).slice(-2)).toEqual(['restart b', 'initialize b']);
    expect(store.opened.get('server: b')?.controller.getStatus()).toMatchObject({
      isReady: true,
      lastError: null,
    });
  });
});

describe('a lost connection', () => {
  const LOST = { state: 'waiting', code: 1006, reason: 'gone', delayMs: 1000 } as const;

  it('is said, keeps the tree, and the panel is started again when it is back', async () => {
    await open();
    await rpc.push('Panels.updateTree', 'a', element('r'));
    await rpc.become(LOST);
    const status = () => store.opened.get('server: a')?.controller.getStatus();
    expect(status()).toMatchObject({
      connected: false,
      lastError: { message: expect.stringContaining('lost') },
    });
    expect(treeOf('server: a')).toEqual(element('r'));
    await rpc.become({ state: 'open', first: false });
    expect(status()).toMatchObject({ connected: true, isReady: true, lastError: null });
    expect(panelCalls(rpc)).toEqual(['initialize a', 'initialize a']);
    expect(rpc.count('Panels.list')).toBe(2);
    expect(treeOf('server: a')).toEqual(element('r'));
  });

  it('is no failure of the list', async () => {
    rpc.ready.delete('Panels.list');
    store.open(LIGHT);
    await settle();
    await rpc.become(LOST);
    await rpc.last('Panels.list').fail('closed');
    expect([store.problem, store.isLoaded]).toEqual(['', false]);
  });

  it('has a panel started that was opened without it', async () => {
    await open();
    await rpc.become(LOST);
    store.show('server: b');
    await settle();
    await rpc.become({ state: 'open', first: false });
    expect(panelCalls(rpc).filter((call) => call === 'initialize b').length).toBeGreaterThan(0);
    expect(store.opened.get('server: b')?.controller.getStatus().isReady).toBe(true);
  });
});

it('says why the server lists none', async () => {
  rpc.ready.delete('Panels.list');
  store.open(LIGHT);
  await settle();
  await rpc.last('Panels.list').fail('access_denied', 'Log in to see panels.');
  expect([store.problem, store.isLoaded]).toEqual(['Log in to see panels.', true]);
});

describe('the choice', () => {
  it('is remembered', async () => {
    remembered = 'server: b';
    store = make();
    await open();
    expect(panelCalls(rpc)).toEqual(['initialize b']);
    store.show('server: a');
    expect(remembered).toBe('server: a');
  });

  it('waits for the list that may have it, and is the first one else', async () => {
    remembered = 'kernel: plot';
    store = make();
    kernel.active = new FakeKernelPanels('k1', [panelRow('plot')], true);
    await open();
    expect([store.shown, panelCalls(rpc)]).toEqual([null, []]);
    kernel.active.answer?.();
    await settle();
    expect(store.shown?.id).toBe('plot');
    kernel.become(null);
    await settle();
    expect(store.shown?.id).toBe('a');
  });
});

describe('panels of the kernel', () => {
  const plot = (id = 'k1') => new FakeKernelPanels(id, [panelRow('plot', { origin: 'kernel' })]);

  it('stand behind those of the server, and are called over the kernel', async () => {
    const panels = plot();
    kernel.active = panels;
    await open();
    expect(titles()).toEqual(['a', 'b', 'plot']);
    store.show('kernel: plot');
    await settle();
    panels.push('Panels.updateTree', 'plot', element('r'));
    panels.push('Kernel.other', 'plot', element('x'));
    expect(treeOf('kernel: plot')).toEqual(element('r'));
    expect(panels.calls.map(({ method }) => method)).toEqual(['Panels.list', 'Panels.initialize']);
    panels.push('Panels.changed', [panelRow('plot'), panelRow('map')]);
    expect(titles()).toEqual(['a', 'b', 'plot', 'map']);
  });

  it('are those of the active notebook, while the view is open', async () => {
    const [first, second] = [plot(), plot('k2')];
    kernel.active = first;
    remembered = 'kernel: plot';
    store = make();
    await open();
    first.push('Panels.updateTree', 'plot', element('r'));
    first.close();
    expect(store.opened.get('kernel: plot')?.controller.getStatus().connected).toBe(false);
    kernel.become(second);
    await settle();
    expect(second.calls.map(({ method }) => method)).toEqual(['Panels.list', 'Panels.initialize']);
    expect(treeOf('kernel: plot')).toBeNull();
    kernel.become(second);
    await settle();
    expect(second.calls.map(({ method }) => method).slice(2)).toEqual(['Panels.list']);
    store.close();
    expect(kernel.listeners).toBe(0);
  });

  it('are said to wait for a cell', async () => {
    const panels = new FakeKernelPanels('k1', [panelRow('plot')], true);
    kernel.active = panels;
    await open();
    expect(store.kernelNote).toBe('');
    vi.advanceTimersByTime(1000);
    expect(store.kernelNote).toContain('busy');
    panels.answer?.();
    await settle();
    expect(store.kernelNote).toBe('');
    expect(titles()).toEqual(['a', 'b', 'plot']);
  });

  it('are none where the kernel has an older version', async () => {
    const panels = plot();
    panels.call = () => Promise.reject(new Error('no method Panels.list'));
    kernel.active = panels;
    await open();
    expect([titles(), store.kernelNote]).toEqual([['a', 'b'], '']);
  });
});
