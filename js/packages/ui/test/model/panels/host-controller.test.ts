import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HostController } from '../../../src/model/panels/host-controller.ts';
import { FakeConnection } from '../../support/panel-connection.ts';
import { element, textNode } from '../../support/panel-trees.ts';

let connection: FakeConnection;
let host: HostController;
let frames: (() => void)[];
let logs: unknown[];

const frame = () => {
  for (const run of frames.splice(0)) run();
};
const settled = async () => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};
const MISFIT = [{ type: 'removeChild', parentId: 'r', nodeId: 'nobody' }];
const syncs = () => connection.methods().filter((method) => method === 'syncTree').length;

beforeEach(() => {
  vi.useFakeTimers();
  connection = new FakeConnection();
  frames = [];
  logs = [];
  host = new HostController(connection, {
    mode: 'kernel',
    schedule: (update) => frames.push(update),
    onLog: (...entry) => logs.push(entry),
  });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the life of a panel', () => {
  it('begins with the version, the props, the environment and the extensions', async () => {
    await host.initialize({ city: 'Bern' }, { colorScheme: 'dark' });
    expect(connection.last('initialize').args).toEqual([
      {
        protocolVersion: 3,
        props: { city: 'Bern' },
        env: { colorScheme: 'dark' },
        extensions: ['moveBefore'],
      },
    ]);
    expect(host.getStatus()).toMatchObject({
      mode: 'kernel',
      connected: true,
      isReady: true,
      lastError: null,
    });
  });

  it('says why it has not begun', async () => {
    connection.held.add('initialize');
    const started = host.initialize(null, { colorScheme: 'light' });
    connection.last('initialize').fail('another version');
    await started;
    expect(host.getStatus()).toMatchObject({ isReady: false, lastError: { message: 'another version' } });
  });

  it('restarts with the props and the environment of now', async () => {
    await host.initialize({ a: 1 }, { colorScheme: 'light' });
    await host.updateProps({ a: 2 });
    await host.setEnvironment({ reduceMotion: true });
    connection.plugin.reportError({ message: 'broken', stack: 'line 1' });
    expect(host.getStatus().lastError).toEqual({ message: 'broken', stack: 'line 1' });
    await host.restart();
    expect(connection.methods().slice(-2)).toEqual(['destroy', 'initialize']);
    expect(connection.last('initialize').args[0]).toMatchObject({
      props: { a: 2 },
      env: { colorScheme: 'light', reduceMotion: true },
    });
    expect(host.getStatus().lastError).toBeNull();
  });

  it('ends once, and listens no more', async () => {
    await host.destroy();
    await host.destroy();
    expect(connection.methods()).toEqual(['destroy']);
    expect(() => connection.plugin).toThrow('nobody serves');
  });

  it('says once that the connection is lost, and sends no events then', async () => {
    const errors: string[] = [];
    host.subscribeErrors(({ message }) => errors.push(message));
    connection.held.add('executeHandler');
    const pending = host.executeHandler('a:onClick', []);
    connection.close();
    connection.last('executeHandler').fail('closed');
    connection.close();
    expect(await pending).toBe(false);
    expect(await host.executeHandler('a:onClick', [])).toBe(false);
    expect(errors).toEqual(['The connection to the panel was lost.']);
    expect(host.getStatus()).toMatchObject({ connected: false, isReady: false, pendingEvents: 0 });
    expect(connection.calls).toHaveLength(1);
  });
});

describe('events', () => {
  it('are two arguments, and counted until they are answered', async () => {
    connection.held.add('executeHandler');
    const done = host.executeHandler('a:onChange', ['x']);
    expect(connection.last('executeHandler').args).toEqual(['a:onChange', ['x']]);
    expect(host.getStatus().pendingEvents).toBe(1);
    connection.last('executeHandler').answer();
    expect(await done).toBe(true);
    expect(host.getStatus().pendingEvents).toBe(0);
  });

  it('that fail while the plugin says why leave its words', async () => {
    connection.held.add('executeHandler');
    const [first, second] = [host.executeHandler('a:onClick', []), host.executeHandler('b:onClick', [])];
    connection.calls[0]?.fail('refused');
    await first;
    expect(host.getStatus().lastError?.message).toBe('refused');
    connection.plugin.reportError({ message: 'The plugin has ended: exit status 3' });
    connection.last('executeHandler').fail('the pipe was closed');
    expect(await second).toBe(false);
    expect(host.getStatus().lastError?.message).toBe('The plugin has ended: exit status 3');
  });

  it('are dropped while a plugin answers none', () => {
    connection.held.add('executeHandler');
    for (let count = 0; count < 100; count += 1) void host.executeHandler('a:onClick', []);
    expect(connection.calls).toHaveLength(64);
  });

  it('of an earlier start are not counted', async () => {
    connection.held.add('executeHandler');
    const done = host.executeHandler('a:onClick', []);
    await host.initialize(null, { colorScheme: 'light' });
    connection.last('executeHandler').answer();
    await done;
    expect(host.getStatus().pendingEvents).toBe(0);
  });
});

describe('the tree', () => {
  beforeEach(() => connection.plugin.updateTree(element('r', [textNode('t', '0')])));

  it('is said once a frame, however often it changes', () => {
    let changes = 0;
    host.subscribe(() => {
      changes += 1;
    });
    frame();
    for (let count = 1; count <= 10_000; count += 1) {
      connection.plugin.applyMutations([{ type: 'setText', nodeId: 't', text: `${count}` }]);
    }
    expect(frames).toHaveLength(1);
    frame();
    expect(changes).toBe(2);
    expect(host.getTree()).toEqual(element('r', [textNode('t', '10000')]));
  });

  it('that is replaced before anybody has looked is not read', () => {
    let reads = 0;
    const tree = {
      get id() {
        reads += 1;
        return 'r';
      },
    };
    for (let count = 0; count < 1000; count += 1) connection.plugin.updateTree(tree);
    connection.plugin.updateTree(null);
    expect(host.getTree()).toBeNull();
    expect(reads).toBe(0);
  });

  it('is asked for once after a batch that does not fit; what comes until then is dropped', () => {
    const before = host.getTree();
    connection.plugin.applyMutations(MISFIT);
    connection.plugin.applyMutations([{ type: 'setText', nodeId: 't', text: 'later' }]);
    connection.plugin.applyMutations(MISFIT);
    expect(syncs()).toBe(1);
    expect(host.getTree()).toBe(before);
    connection.plugin.updateTree(element('new'));
    connection.plugin.applyMutations([{ type: 'setProps', nodeId: 'new', props: { title: 'x' } }]);
    expect(host.getTree()).toEqual(element('new', [], { title: 'x' }));
  });

  it('can also come as a new root', () => {
    connection.plugin.applyMutations(MISFIT);
    connection.plugin.applyMutations([{ type: 'setRoot', node: element('new') }]);
    expect(host.getTree()).toEqual(element('new'));
  });

  it('is asked for again only after a pause', () => {
    for (let round = 0; round < 50; round += 1) {
      connection.plugin.applyMutations(MISFIT);
      connection.plugin.updateTree(element('r'));
    }
    connection.plugin.applyMutations(MISFIT);
    expect(syncs()).toBe(1);
    vi.advanceTimersByTime(1000);
    expect(syncs()).toBe(2);
    connection.plugin.updateTree(element('r'));
    vi.advanceTimersByTime(10_000);
    expect(syncs()).toBe(2);
  });

  it('that is not one is an error, and is not asked for again', () => {
    const before = host.getTree();
    connection.plugin.updateTree(element('r', [element('r')]));
    expect(host.getTree()).toBe(before);
    connection.plugin.applyMutations([{ type: 'setText', nodeId: 't', text: 'x' }]);
    vi.advanceTimersByTime(10_000);
    expect(host.getStatus().lastError?.message).toContain('twice');
    expect([syncs(), host.getTree()]).toEqual([0, before]);
  });
});

describe('what a plugin says', () => {
  it('is passed on', async () => {
    connection.plugin.log('warn', ['x', 1]);
    connection.plugin.log('shout', 'x');
    expect(logs).toEqual([
      ['warn', ['x', 1]],
      ['log', []],
    ]);
    await settled();
  });

  it.each([null, 3, { message: 7 }, {}])('of an error can be nonsense: %j', (error) => {
    connection.plugin.reportError(error);
    expect(host.getStatus().lastError).toEqual({
      message: 'The plugin failed without a message.',
      stack: '',
    });
  });

  it('of an error is cut', () => {
    connection.plugin.reportError({ message: 'x'.repeat(20_000) });
    expect(host.getStatus().lastError?.message).toHaveLength(10_000);
  });
});
