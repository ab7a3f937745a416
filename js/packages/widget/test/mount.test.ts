import type { Panel, PanelOptions } from '@jupyter-ac/ui';
import { afterEach, beforeEach, expect, it, type Mock, vi } from 'vitest';
import { type Hello, KernelComm } from '../src/kernel-comm.ts';
import { type HasRelayStats, type MountOptions, mount } from '../src/mount.ts';
import type { Transport } from '../src/transport.ts';
import { FakeModel, FakeRelay } from './fake-kernel.ts';

const hello: Hello = { directory: '/w/sub', root: '/w', nonce: 'n', hash: '' };
const page = { baseUrl: 'http://h/', wsUrl: 'ws://h/', token: '', appendToken: false };

let model: FakeModel;
let node: HTMLElement & HasRelayStats;
let panel: { [Name in keyof Panel]: ReturnType<typeof vi.fn> };
let options: PanelOptions;
let switchTransport: Mock<(transport: Transport) => void>;
let restart: Mock<() => void>;

function show(transport: Transport): () => void {
  const module = {
    mountPanel: (_node: HTMLElement, given: PanelOptions) => {
      options = given;
      return panel as unknown as Panel;
    },
  } as MountOptions['module'];
  return mount({ module, node, hello, kernel: new KernelComm(model), transport, switchTransport, restart });
}

beforeEach(() => {
  vi.useFakeTimers();
  model = new FakeModel();
  node = document.createElement('div');
  panel = {
    retarget: vi.fn(),
    ask: vi.fn(),
    locate: vi.fn(),
    addContext: vi.fn(),
    select: vi.fn(),
    attach: vi.fn(),
    host: vi.fn(),
    note: vi.fn(),
    focus: vi.fn(),
    showPlugin: vi.fn(),
    dispose: vi.fn(),
  };
  switchTransport = vi.fn();
  restart = vi.fn();
});
afterEach(() => void vi.useRealTimers());

it('stands at the server, with the folder and the nonce that the kernel gave', () => {
  show({ kind: 'server', page });
  expect(options).toMatchObject({
    transport: 'server',
    target: { kind: 'jupyter', repo: '/w/sub', nonce: 'n' },
  });
  expect(options.transportNote).toBeUndefined();
  options.onState?.({ selected_files: [], busy: false, status: 'ready' });
  expect(model.sent).toEqual([{ type: 'state', selected_files: [], busy: false, status: 'ready' }]);
});

it.each<Transport>([
  { kind: 'server', page },
  { kind: 'relay', reason: '' },
])('has the viewer from the kernel where it is wanted from there, transport %o', async (transport) => {
  const unmount = show(transport);
  const source = options.chunkSource?.('viewer');
  expect(model.sent.at(-1)).toEqual({ type: 'viewer' });
  model.say({ type: 'viewer', source: 'export {}' });
  expect(await source).toBe('export {}');
  const late = options.chunkSource?.('viewer');
  unmount();
  await expect(late).rejects.toThrow('closed');
});

it.each<Transport>([
  { kind: 'server', page },
  { kind: 'relay', reason: '' },
])('goes to another repository together with the kernel, transport %o', async (transport) => {
  show(transport);
  const opened = options.openRepository?.('/w/other');
  expect(model.sent.at(-1)).toEqual({ type: 'open', folder: '/w/other' });
  expect(restart).not.toHaveBeenCalled();
  model.say({ type: 'open', folder: '/w/other' });
  await opened;
  expect(restart).toHaveBeenCalledOnce();
  const refused = options.openRepository?.('/elsewhere');
  model.say({ type: 'error', message: 'There is none.' });
  await expect(refused).rejects.toThrow('There is none.');
  expect(restart).toHaveBeenCalledOnce();
});

it('has the kernel name its folder and make a repository of it where there is no server', async () => {
  show({ kind: 'relay', reason: '' });
  const around = options.findNearbyRepositories?.();
  model.say({ type: 'surroundings', folder: '/w/sub' });
  expect(await around).toMatchObject({ folder: '/w/sub' });
  const made = options.initRepository?.('/w/sub');
  expect(model.sent.at(-1)).toEqual({ type: 'repository', confirm: '/w/sub' });
  model.say({ type: 'repository', name: 'sub' });
  await made;
});

it('stands at the kernel and says why', () => {
  show({ kind: 'relay', reason: 'Because.' });
  expect(options).toMatchObject({
    transport: 'relay',
    transportNote: 'Because.',
    target: { kind: 'relay', key: '/w/sub' },
  });
  options.openSocket?.('relay:');
  vi.advanceTimersByTime(0);
  expect(model.sent).toEqual([
    { type: 'relay.open', link: expect.any(String), client: options.target.client },
  ]);
  expect(node.acRelay?.()).toMatchObject({ received: 0, resendRequests: 0 });
});

it('says that a cell is running, and takes it back', async () => {
  show({ kind: 'relay', reason: 'Because.' });
  const relay = new FakeRelay(model);
  options.openSocket?.('relay:');
  vi.advanceTimersByTime(2000);
  expect(panel.note).toHaveBeenLastCalledWith('A cell is running; the panel opens when it ends.');
  options.onState?.({ selected_files: [], busy: false, status: 'ready' });
  vi.advanceTimersByTime(2000);
  expect(panel.note).toHaveBeenLastCalledWith(expect.stringMatching(/^A cell is running; Stop/));
  relay.listen();
  await Promise.resolve();
  expect(panel.note).toHaveBeenLastCalledWith('Because.');
});

it.each([
  ['idle', 7000],
  ['', 32_000],
])('doubts a silent kernel of which the front end says "%s" after %i ms', (status, wait) => {
  model.widget_manager = { kernel: { status } };
  show({ kind: 'relay', reason: 'Because.' });
  options.openSocket?.('relay:');
  vi.advanceTimersByTime(wait / 2);
  expect(panel.note).toHaveBeenLastCalledWith(expect.stringMatching(/^A cell is running/));
  vi.advanceTimersByTime(wait / 2);
  expect(panel.note).toHaveBeenLastCalledWith(expect.stringContaining('%ac'));
});

it.each(['dead', 'restarting', 'autorestarting'])(
  'never takes a kernel that is %s for a busy one',
  (status) => {
    model.widget_manager = { kernel: { status } };
    show({ kind: 'relay', reason: 'Because.' });
    options.openSocket?.('relay:');
    vi.advanceTimersByTime(2000);
    expect(panel.note.mock.calls).toEqual([[expect.stringContaining('%ac')]]);
  },
);

it('trusts a kernel that is busy', () => {
  model.widget_manager = { kernel: { status: 'busy' } };
  show({ kind: 'relay', reason: 'Because.' });
  options.openSocket?.('relay:');
  vi.advanceTimersByTime(3_600_000);
  expect(panel.note).toHaveBeenLastCalledWith(expect.stringMatching(/^A cell is running/));
});

it("asks the kernel's questions in the panel, and answers with the text or the reason", async () => {
  panel.ask.mockResolvedValueOnce('42').mockRejectedValueOnce(new Error('The panel is busy.'));
  show({ kind: 'relay', reason: '' });
  model.say({ type: 'ask', id: 'one', question: 'Why?' });
  await vi.waitFor(() => expect(model.sent).toHaveLength(2), 30_000);
  model.say({ type: 'ask', id: 'two', question: 'How?' });
  await vi.waitFor(() => expect(model.sent).toHaveLength(4), 30_000);
  expect(panel.ask.mock.calls.map(([question]) => question)).toEqual(['Why?', 'How?']);
  expect(model.sent).toEqual([
    { type: 'ask.taken', id: 'one' },
    { type: 'answer', id: 'one', text: '42' },
    { type: 'ask.taken', id: 'two' },
    { type: 'answer', id: 'two', error: 'The panel is busy.' },
  ]);
});

it('tells the kernel now and then that it is still at it', async () => {
  panel.ask.mockReturnValue(new Promise(() => {}));
  const unmount = show({ kind: 'relay', reason: '' });
  model.say({ type: 'ask', id: 'slow', question: 'Why?' });
  await vi.waitFor(() => expect(model.sent).toHaveLength(1), 30_000);
  vi.advanceTimersByTime(11_000);
  expect(model.sent.slice(1)).toEqual([
    { type: 'ask.alive', id: 'slow' },
    { type: 'ask.alive', id: 'slow' },
  ]);
  unmount();
  vi.advanceTimersByTime(11_000);
  expect(model.sent).toHaveLength(3);
});

it('stops the answer that nobody waits for any more', async () => {
  panel.ask.mockReturnValue(new Promise(() => {}));
  show({ kind: 'relay', reason: '' });
  model.say({ type: 'ask', id: 'unwanted', question: 'Why?' });
  await vi.waitFor(() => expect(panel.ask).toHaveBeenCalledOnce(), 30_000);
  const stop = panel.ask.mock.calls[0]?.[1] as AbortSignal;
  model.say({ type: 'ask.cancel', id: 'another' });
  expect(stop.aborted).toBe(false);
  model.say({ type: 'ask.cancel', id: 'unwanted' });
  expect(stop.aborted).toBe(true);
  model.say({ type: 'ask', id: 'early', question: 'Why?' });
  model.say({ type: 'ask.cancel', id: 'early' });
  await vi.advanceTimersByTimeAsync(10);
  expect(panel.ask).toHaveBeenCalledOnce();
});

it('ticks what the kernel wants ticked', () => {
  show({ kind: 'relay', reason: '' });
  model.say({ type: 'select', files: ['a.py', 'b.py'] });
  model.say({ type: 'select', files: [1] });
  expect(panel.select.mock.calls).toEqual([[['a.py', 'b.py']]]);
});

it('attaches what the kernel attaches in one view, and before a question that follows', async () => {
  let isAttached: () => void = () => {};
  panel.attach.mockReturnValueOnce(new Promise<void>((resolve) => (isAttached = resolve)));
  panel.ask.mockResolvedValue('42');
  show({ kind: 'relay', reason: '' });
  show({ kind: 'relay', reason: '' });
  const item = { kind: 'variable', name: 'df', text: 'df: int' };
  model.say({ type: 'attach', id: 'value', item });
  model.say({ type: 'ask', id: 'after', question: 'Why?' });
  await vi.waitFor(() => expect(model.sent).toEqual([{ type: 'ask.taken', id: 'after' }]), 30_000);
  expect(panel.attach.mock.calls).toEqual([[item]]);
  expect(panel.ask).not.toHaveBeenCalled();
  isAttached();
  await vi.waitFor(() => expect(panel.ask).toHaveBeenCalledOnce(), 30_000);
});

it('tells the kernel why a value is not attached, and goes on', async () => {
  panel.attach.mockRejectedValueOnce(new Error('At most 20 things.')).mockResolvedValueOnce(undefined);
  show({ kind: 'relay', reason: '' });
  model.say({ type: 'attach', id: 'refused', item: {} });
  model.say({ type: 'attach', id: 'taken', item: {} });
  await vi.waitFor(() => expect(panel.attach).toHaveBeenCalledTimes(2), 30_000);
  expect(model.sent).toEqual([{ type: 'error', message: 'At most 20 things.' }]);
});

it('asks a question in one of several views only', async () => {
  panel.ask.mockResolvedValue('once');
  show({ kind: 'relay', reason: '' });
  show({ kind: 'relay', reason: '' });
  model.say({ type: 'ask', id: 'shared', question: 'Why?' });
  await vi.waitFor(() => expect(model.sent).toHaveLength(2), 30_000);
  await Promise.resolve();
  expect(panel.ask).toHaveBeenCalledOnce();
});

it('leaves nothing behind', () => {
  const unmount = show({ kind: 'relay', reason: '' });
  options.openSocket?.('relay:').close();
  const before = model.count;
  unmount();
  expect(panel.dispose).toHaveBeenCalledOnce();
  expect(model.count).toBeLessThan(before);
  expect(vi.getTimerCount()).toBe(0);
});
