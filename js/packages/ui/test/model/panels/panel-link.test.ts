import { beforeEach, describe, expect, it } from 'vitest';
import type { PluginToHost } from '../../../src/model/panels/connection.ts';
import { KernelPanelLink, LinkedPanel, ServerPanels } from '../../../src/model/panels/panel-link.ts';
import { FakeRpc } from '../../support/fake-rpc.ts';
import { FakeKernelPanels } from '../../support/panel-links.ts';

let rpc: FakeRpc;
let link: ServerPanels;
let got: unknown[];
const host: PluginToHost = {
  updateTree: (tree) => got.push(['updateTree', tree]),
  applyMutations: (batch) => got.push(['applyMutations', batch]),
  log: (level, args) => got.push(['log', level, args]),
  reportError: (error) => got.push(['reportError', error]),
};

beforeEach(async () => {
  rpc = new FakeRpc();
  await rpc.become({ state: 'open', first: true });
  link = new ServerPanels(rpc);
  got = [];
});

describe('one of the panels of a server', () => {
  it('is called with its id', async () => {
    const panel = new LinkedPanel(link, 'weather');
    const done = panel.call('executeHandler', 'n:onClick', [1]);
    expect(rpc.last('Panels.executeHandler').args).toEqual(['weather', 'n:onClick', [1]]);
    await rpc.last('Panels.executeHandler').answer(null);
    expect(await done).toBeNull();
    const restarted = panel.restart();
    expect(rpc.last('Panels.restart').args).toEqual(['weather']);
    await rpc.last('Panels.restart').fail('busy', 'It is starting.');
    await expect(restarted).rejects.toThrow('It is starting.');
  });

  it('gets what is sent to it, and nothing else, until it is ended', async () => {
    const end = new LinkedPanel(link, 'weather').serve(host);
    await rpc.push('Panels.updateTree', 'weather', null);
    await rpc.push('Panels.updateTree', 'other', null);
    await rpc.push('Panels.applyMutations', 'weather', []);
    await rpc.push('Panels.log', 'weather', 'info', ['x']);
    await rpc.push('Panels.reportError', 'weather', { message: 'm' });
    await rpc.push('Panels.changed', 'weather');
    end();
    await rpc.push('Panels.updateTree', 'weather', null);
    expect(got).toEqual([
      ['updateTree', null],
      ['applyMutations', []],
      ['log', 'info', ['x']],
      ['reportError', { message: 'm' }],
    ]);
  });

  it('knows whether there is a connection, and is told when that changes', async () => {
    const panel = new LinkedPanel(link, 'weather');
    const news: string[] = [];
    panel.onClose(() => news.push('closed'));
    const end = panel.onOpen(() => news.push('open'));
    expect(panel.connected).toBe(true);
    await rpc.become({ state: 'waiting', code: 1006, reason: '', delayMs: 1 });
    expect(panel.connected).toBe(false);
    await rpc.become({ state: 'open', first: false });
    end();
    await rpc.become({ state: 'open', first: false });
    expect(news).toEqual(['closed', 'open']);
  });
});

it('what the page exposes are the five notifications', () => {
  const exposed = Object.getOwnPropertyNames(Object.getPrototypeOf(rpc.classes.get('Panels')));
  expect(exposed.sort()).toEqual([
    'applyMutations',
    'changed',
    'constructor',
    'log',
    'reportError',
    'updateTree',
  ]);
});

it('those of a kernel go over the kernel, which does not come back', async () => {
  const kernel = new FakeKernelPanels('k', []);
  const panel = new LinkedPanel(new KernelPanelLink(kernel), 'plot');
  panel.serve(host);
  let closed = 0;
  panel.onClose(() => {
    closed += 1;
  });
  panel.onOpen(() => got.push('open'));
  await panel.call('syncTree');
  kernel.push('Panels.updateTree', 'plot', null);
  kernel.push('Other.updateTree', 'plot', 'no');
  kernel.close();
  expect(kernel.calls).toEqual([{ method: 'Panels.syncTree', args: ['plot'] }]);
  expect(got).toEqual([['updateTree', null]]);
  expect([closed, panel.connected]).toEqual([1, false]);
});
