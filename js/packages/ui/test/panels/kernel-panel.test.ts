import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeModel, FakeRelay } from '../../../widget/test/fake-kernel.ts';
import { register } from '../../src/panels/index.ts';
import { BUSY_NOTE, GONE_NOTE, NO_ANSWER_NOTE, showKernelPanel } from '../../src/panels/kernel-panel.ts';
import type { AcPluginPanel } from '../../src/panels/panel.ts';

register();

const TREE = {
  id: 'node-1',
  type: 'button',
  props: { _onClickHandlerId: 'node-1:onClick' },
  children: [{ id: 'text-2', type: '#text', props: {}, children: [], text: '0 clicks' }],
};

let model: FakeModel;
let relay: FakeRelay;
let notes: string[];
let panels: AcPluginPanel[];
let mayBeGone = false;
let isLost = false;
let checks: (() => void)[];
let end: () => void;

/** Says something as the plugin does. */
function say(frame: object): void {
  relay.end.push(JSON.stringify({ jsonrpc: '2.0', ...frame }));
  relay.poll();
}

function calls(): { id: number; method: string; params: unknown[] }[] {
  relay.listen();
  return relay.got.map((frame) => JSON.parse(frame));
}

/** Opens the connection, and shows the first tree. */
async function opened(): Promise<AcPluginPanel> {
  await vi.waitFor(() => expect(calls().map(({ method }) => method)).toEqual(['initialize']));
  say({ method: 'updateTree', params: [TREE] });
  say({ id: calls()[0]?.id, result: null });
  await vi.waitFor(() => expect(panels.length).toBe(1));
  const panel = panels[0] as AcPluginPanel;
  document.body.append(panel);
  await panel.updateComplete;
  return panel;
}

beforeEach(() => {
  model = new FakeModel();
  relay = new FakeRelay(model);
  [notes, panels, checks] = [[], [], []];
  [mayBeGone, isLost] = [false, false];
  end = showKernelPanel({
    port: {
      send: (message) => {
        if (isLost) throw new Error('no kernel');
        model.send(message);
      },
      listen: (listener) => {
        const receive = (content: unknown) => listener(content as Record<string, unknown>);
        model.on('msg:custom', receive);
        return () => model.off('msg:custom', receive);
      },
    },
    client: 'page',
    title: 'Counter',
    mayBeGone: () => mayBeGone,
    onCommEvent: (check) => {
      checks.push(check);
      return () => checks.splice(0);
    },
    onNote: (sentence) => notes.push(sentence),
    onShown: (panel) => panels.push(panel as AcPluginPanel),
  });
});
afterEach(() => {
  end();
  vi.useRealTimers();
  document.body.replaceChildren();
});

it('shows the panel when its first tree is there, and sends its events', async () => {
  const panel = await opened();
  expect(calls()[0]?.params[0]).toMatchObject({ protocolVersion: 3, env: { active: true } });
  expect(calls()[0]?.params[0]).not.toHaveProperty('props');
  const button = panel.renderRoot.querySelector<HTMLElement>('[data-ac=panel-tree] button');
  expect(button?.textContent).toBe('0 clicks');
  expect(panel.renderRoot.querySelector('[role=region]')?.getAttribute('aria-label')).toBe('Counter');
  button?.click();
  await vi.waitFor(() => expect(calls().map(({ method }) => method)).toContain('executeHandler'));
  expect(calls().at(-1)?.params).toEqual(['node-1:onClick', []]);
  expect(notes.at(-1)).toBe('');
});

it('says that the kernel is busy as long as that is so', async () => {
  const panel = await opened();
  model.say({ type: 'busy', busy: true });
  await panel.updateComplete;
  const note = () => panel.renderRoot.querySelector('[data-ac=panel-busy]')?.textContent;
  expect(note()).toContain('The kernel is busy');
  expect(panel.renderRoot.querySelector('button')?.textContent).toBe('0 clicks');
  model.say({ type: 'busy', busy: false });
  await panel.updateComplete;
  expect(note()).toBeUndefined();
});

it('says before there is a panel what it waits for', async () => {
  await vi.waitFor(() => expect(notes.at(-1)).toBe(BUSY_NOTE), 4000);
  mayBeGone = true;
  await vi.waitFor(() => expect(notes.at(-1)).toBe(NO_ANSWER_NOTE), 4000);
  mayBeGone = false;
  await opened();
  expect(notes.at(-1)).toBe('');
});

it('says in the panel that the kernel was restarted, and keeps what it shows', async () => {
  const panel = await opened();
  isLost = true;
  for (const check of checks) check();
  await vi.waitFor(() => {
    expect(panel.renderRoot.querySelector('[data-ac=panel-error]')?.textContent).toContain(GONE_NOTE);
  });
  expect(panel.renderRoot.querySelector('[data-ac=panel-tree] button')?.textContent).toBe('0 clicks');
  expect(panel.renderRoot.querySelector('[data-ac=panel-restart]')).toBeNull();
});

it('says without a panel that the kernel is gone', async () => {
  isLost = true;
  for (const check of checks) check();
  await vi.waitFor(() => expect(notes.at(-1)).toBe(GONE_NOTE));
});

it('shows the log of the plugin when it has one', async () => {
  const panel = await opened();
  const pane = () => panel.renderRoot.querySelector('[style*="max-height"]:not(.tree)');
  expect(pane()).toBeNull();
  say({ method: 'log', params: ['warn', ['boiling', 3]] });
  await vi.waitFor(() => expect(pane()).not.toBeNull());
  expect(panel.log?.lines.at(-1)?.text).toBe('boiling 3');
});

it('leaves nothing behind', async () => {
  await opened();
  const before = model.count;
  end();
  await vi.waitFor(() => expect(model.count).toBe(0));
  expect(before).toBeGreaterThan(0);
  expect(document.body.childElementCount).toBe(0);
  relay.listen();
  expect(relay.heard.at(-1)?.type).toBe('relay.close');
});
