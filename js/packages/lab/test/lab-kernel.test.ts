import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LabKernel } from '../src/lab-kernel.ts';
import { type Script, ScriptedKernel, ScriptedSession, ScriptedShell } from './support/scripted-kernel.ts';

const HELLO = { directory: '/work', nonce: null, versions: { jupyter_ac: '0.1.0' } };
const LIST = { variables: [], left_out: 0 };
const SCRIPT: Script = { hello: () => HELLO, list_variables: () => LIST, get_history: () => [] };
const BUSY = { type: 'busy', message: 'The kernel is busy; it answers when its cell has ended.' };

function labWith(kernel: ScriptedKernel | null): { lab: LabKernel; shell: ScriptedShell } {
  const shell = new ScriptedShell();
  const lab = new LabKernel(shell.app);
  if (kernel) shell.activate(new ScriptedSession(kernel));
  return { lab, shell };
}

/** Settles a promise while time passes. */
async function late<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  await vi.advanceTimersByTimeAsync(2000);
  return promise;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the state', () => {
  it('is none without a notebook, and with a dead kernel', async () => {
    const { lab, shell } = labWith(null);
    expect(await lab.state()).toMatchObject({ state: 'none', path: '' });
    shell.activate(new ScriptedSession(null));
    expect(await lab.state()).toMatchObject({ state: 'none', path: 'a.ipynb' });
    const dead = new ScriptedKernel(SCRIPT);
    dead.status = 'dead';
    shell.activate(new ScriptedSession(dead));
    const { state, text } = await lab.state();
    expect([state, text]).toEqual(['none', expect.stringContaining('Open a notebook')]);
    await expect(lab.listVariables()).rejects.toMatchObject({ type: 'none' });
  });

  it('says for other languages what works', async () => {
    const kernel = new ScriptedKernel(null, 'R');
    const { state, text } = await labWith(kernel).lab.state();
    expect(state).toBe('other-language');
    expect(text).toBe('In a kernel of R files, cells and outputs work; variables need a Python kernel.');
    expect(kernel.comms).toEqual([]);
  });

  it('is ready when the kernel answers, and one comm serves all calls', async () => {
    const kernel = new ScriptedKernel(SCRIPT);
    const { lab } = labWith(kernel);
    expect(await lab.state()).toEqual({ state: 'ready', text: '', path: 'a.ipynb' });
    expect(await lab.hello()).toEqual(HELLO);
    expect(await lab.listVariables()).toEqual(LIST);
    expect(kernel.opened).toBe(1);
  });

  it('is not-loaded when the kernel closes the comm, which is asked again only after a cell', async () => {
    const kernel = new ScriptedKernel(null);
    const { lab } = labWith(kernel);
    const { state, text } = await lab.state();
    expect([state, text]).toEqual(['not-loaded', expect.stringContaining('load it')]);
    await expect(lab.listVariables()).rejects.toMatchObject({ type: 'not-loaded' });
    expect(kernel.opened).toBe(1);
    kernel.begin();
    kernel.script = SCRIPT;
    kernel.end();
    expect((await lab.state()).state).toBe('ready');
    expect(kernel.opened).toBe(2);
  });

  it('is busy while the kernel does not answer, and ready afterwards without another comm', async () => {
    const kernel = new ScriptedKernel(SCRIPT);
    const { lab } = labWith(kernel);
    kernel.begin();
    expect(await late(lab.state())).toMatchObject({ state: 'busy', text: BUSY.message });
    expect(await late(lab.state())).toMatchObject({ state: 'busy' });
    expect(kernel.comm.sent).toHaveLength(1);
    kernel.end();
    expect((await lab.state()).state).toBe('ready');
    expect(kernel.opened).toBe(1);
  });

  it('is busy when not even the kernel’s information comes', async () => {
    const kernel = new ScriptedKernel(SCRIPT);
    kernel.info = new Promise(() => {});
    expect(await late(labWith(kernel).lab.state())).toMatchObject({ state: 'busy' });
  });

  it('is told as changed with the document, the kernel and a restart', async () => {
    const kernel = new ScriptedKernel(SCRIPT);
    const { lab, shell } = labWith(null);
    const listener = vi.fn();
    const end = lab.onChange(listener);
    const session = new ScriptedSession(kernel);
    shell.activate(session);
    await lab.state();
    session.kernelChanged.emit();
    kernel.restart();
    expect(listener).toHaveBeenCalledTimes(3);
    end();
    shell.activate(null);
    expect(listener).toHaveBeenCalledTimes(3);
  });
});

describe('the session', () => {
  it('is that of the last notebook while another document is in front, until it is closed', async () => {
    const { lab, shell } = labWith(null);
    const session = new ScriptedSession(new ScriptedKernel(SCRIPT));
    shell.activate(session);
    await lab.state();
    shell.activate(null);
    expect((await lab.state()).state).toBe('ready');
    session.isDisposed = true;
    expect((await lab.state()).state).toBe('none');
  });

  it('changes with the active notebook, and each kernel has a comm of its own', async () => {
    const [first, second] = [new ScriptedKernel(SCRIPT), new ScriptedKernel(null)];
    const { lab, shell } = labWith(first);
    expect((await lab.state()).state).toBe('ready');
    shell.activate(new ScriptedSession(second, 'b.ipynb'));
    expect(await lab.state()).toMatchObject({ state: 'not-loaded', path: 'b.ipynb' });
  });

  it('uses the comms of the notebook for a console of the same kernel', async () => {
    const [notebook, console] = [new ScriptedKernel(SCRIPT), new ScriptedKernel(SCRIPT)];
    console.handleComms = false;
    const { lab, shell } = labWith(console);
    expect(await lab.state()).toMatchObject({
      state: 'none',
      text: 'The kernel was started by another document; go there to use its variables.',
    });
    shell.sessions = [new ScriptedSession(null), new ScriptedSession(notebook)];
    expect(await lab.listVariables()).toEqual(LIST);
    expect([notebook.opened, console.opened]).toEqual([1, 0]);
  });
});

describe('calls', () => {
  it('pass their arguments on, and reject with the kernel’s error', async () => {
    const describe_variable = vi.fn(() => {
      throw { code: -32000, message: 'There is no variable', data: { type: 'not_found' } };
    });
    const get_history = vi.fn(() => []);
    const kernel = new ScriptedKernel({
      ...SCRIPT,
      describe_variable,
      get_history,
      get_last_error: () => null,
    });
    const { lab } = labWith(kernel);
    await expect(lab.describeVariable('x', true)).rejects.toMatchObject({
      type: 'not_found',
      message: 'There is no variable',
    });
    expect(describe_variable).toHaveBeenCalledWith('x', true);
    expect(await lab.history(5)).toEqual([]);
    expect(get_history).toHaveBeenCalledWith(5);
    expect(await lab.lastError()).toBeNull();
  });

  it('count the cursor in characters for the kernel, in halves for the page', async () => {
    const complete = vi.fn(() => ({ matches: ['abc'], cursor_start: 2, cursor_end: 4 }));
    const { lab } = labWith(new ScriptedKernel({ ...SCRIPT, complete }));
    expect(await lab.complete('😀;ab', 5)).toEqual({ matches: ['abc'], start: 3, end: 5 });
    expect(complete).toHaveBeenCalledWith('😀;ab', 4);
  });

  it('are given up after 2 s, and not sent any more while many wait', async () => {
    const kernel = new ScriptedKernel(SCRIPT);
    const { lab } = labWith(kernel);
    await lab.state();
    kernel.begin();
    for (let count = 0; count < 12; count += 1) {
      await expect(late(lab.listVariables())).rejects.toMatchObject(BUSY);
    }
    expect(kernel.comm.sent).toHaveLength(1 + 8);
    kernel.end();
    expect(await lab.listVariables()).toEqual(LIST);
  });

  it('end when the kernel closes the comm, and open another', async () => {
    const kernel = new ScriptedKernel(SCRIPT);
    const { lab } = labWith(kernel);
    await lab.state();
    kernel.begin();
    const call = lab.listVariables();
    const rejection = expect(call).rejects.toMatchObject({ type: 'closed' });
    await vi.advanceTimersByTimeAsync(1);
    kernel.comm.closeByKernel();
    await rejection;
    kernel.end();
    expect(await lab.listVariables()).toEqual(LIST);
    expect(kernel.opened).toBe(2);
  });

  it('end with a restart, after which the kernel is asked anew', async () => {
    const kernel = new ScriptedKernel(SCRIPT);
    const { lab } = labWith(kernel);
    await lab.state();
    kernel.begin();
    const rejection = expect(lab.listVariables()).rejects.toThrow('restarted');
    await vi.advanceTimersByTimeAsync(1);
    kernel.script = null;
    kernel.restart();
    await rejection;
    expect((await lab.state()).state).toBe('not-loaded');
  });

  it('wait for the subshell, but not for ever', async () => {
    const kernel = new ScriptedKernel(SCRIPT);
    let start = (): void => {};
    kernel.subshell = new Promise((resolve) => {
      start = resolve;
    });
    const { lab } = labWith(kernel);
    const call = lab.listVariables();
    await vi.advanceTimersByTimeAsync(500);
    expect(kernel.opened).toBe(0);
    start();
    expect(await call).toEqual(LIST);
    const other = new ScriptedKernel(SCRIPT);
    other.subshell = new Promise(() => {});
    expect(await late(labWith(other).lab.listVariables())).toEqual(LIST);
  });

  it('ignore messages that are no answers', async () => {
    const kernel = new ScriptedKernel(SCRIPT);
    const { lab } = labWith(kernel);
    await lab.state();
    for (const frame of ['{', '[]', '{"id":"x"}', '{"id":99,"result":1}']) kernel.comm.receive(frame);
    kernel.comm.onMsg({ content: { data: null } });
    expect(await lab.listVariables()).toEqual(LIST);
  });
});

describe('loading the extension', () => {
  it('runs the magic outside of the history, and connects again', async () => {
    const kernel = new ScriptedKernel(null);
    const { lab } = labWith(kernel);
    await lab.state();
    kernel.script = SCRIPT;
    await lab.loadExtension();
    expect(kernel.executed).toEqual([
      { code: '%load_ext jupyter_ac', store_history: false, allow_stdin: false },
    ]);
    expect((await lab.state()).state).toBe('ready');
  });

  it('says why it failed', async () => {
    const kernel = new ScriptedKernel(null);
    kernel.reply = { status: 'error', evalue: "No module named 'jupyter_ac'" };
    await expect(labWith(kernel).lab.loadExtension()).rejects.toThrow("No module named 'jupyter_ac'");
  });

  it('does not wait for a cell', async () => {
    const kernel = new ScriptedKernel(null);
    kernel.begin();
    const call = labWith(kernel).lab.loadExtension();
    const rejection = expect(call).rejects.toMatchObject(BUSY);
    await vi.advanceTimersByTimeAsync(10_000);
    await rejection;
  });

  it('is not offered to kernels of other languages', async () => {
    const kernel = new ScriptedKernel(null, 'julia');
    await expect(labWith(kernel).lab.loadExtension()).rejects.toMatchObject({ type: 'other-language' });
    expect(kernel.executed).toEqual([]);
  });
});

describe('the panels', () => {
  const ROWS = [{ id: 'counter' }];
  const PANELS: Script = { ...SCRIPT, 'Panels.list': () => ROWS };

  it('are called and heard over the same comm, by one object for one kernel', async () => {
    const kernel = new ScriptedKernel(PANELS);
    const { lab } = labWith(kernel);
    const panels = await lab.panels();
    expect(await panels.call('Panels.list')).toEqual(ROWS);
    expect(await lab.panels()).toBe(panels);
    expect([kernel.opened, panels.isOpen]).toEqual([1, true]);
    const heard = vi.fn();
    const stop = panels.onMessage(heard);
    kernel.comm.receive('{"jsonrpc": "2.0", "method": "Panels.updateTree", "params": ["counter", null]}');
    kernel.comm.receive('{"jsonrpc": "2.0", "method": "Panels.changed"}');
    stop();
    kernel.comm.receive('{"jsonrpc": "2.0", "method": "Panels.updateTree", "params": ["counter", null]}');
    expect(heard.mock.calls).toEqual([
      ['Panels.updateTree', ['counter', null]],
      ['Panels.changed', []],
    ]);
  });

  it('are answered after the running cell, however long it takes, in their order', async () => {
    const ran: unknown[] = [];
    const kernel = new ScriptedKernel({ ...PANELS, 'Panels.executeHandler': (...args) => ran.push(args) });
    const panels = await labWith(kernel).lab.panels();
    kernel.begin();
    const clicks = [1, 2, 3].map((n) =>
      panels.call('Panels.executeHandler', 'counter', `node-${n}:onClick`, []),
    );
    await vi.advanceTimersByTimeAsync(60_000);
    expect(ran).toEqual([]);
    kernel.end();
    expect(await Promise.all(clicks)).toEqual([1, 2, 3]);
    expect(ran.map((args) => (args as unknown[])[1])).toEqual([1, 2, 3].map((n) => `node-${n}:onClick`));
  });

  it('leave the calls of the kernel their room', async () => {
    const kernel = new ScriptedKernel(PANELS);
    const { lab } = labWith(kernel);
    const panels = await lab.panels();
    kernel.begin();
    const calls = Array.from({ length: 512 }, () => panels.call('Panels.list'));
    await expect(panels.call('Panels.list')).rejects.toMatchObject(BUSY);
    const variables = lab.listVariables();
    await vi.advanceTimersByTimeAsync(0);
    kernel.end();
    expect(await variables).toEqual(LIST);
    expect(await Promise.all(calls)).toEqual(calls.map(() => ROWS));
  });

  it('are those of another kernel after a restart; calls and listeners are told', async () => {
    const kernel = new ScriptedKernel(PANELS);
    const { lab } = labWith(kernel);
    const before = await lab.panels();
    const closed = vi.fn();
    before.onClose(closed);
    kernel.begin();
    const call = before.call('Panels.list');
    call.catch(() => {});
    await vi.advanceTimersByTimeAsync(0);
    kernel.restart();
    const reason = { type: 'closed', message: expect.stringContaining('restarted') };
    await expect(call).rejects.toMatchObject(reason);
    expect(closed.mock.calls).toEqual([[expect.objectContaining(reason)]]);
    expect(before.isOpen).toBe(false);
    const after = await lab.panels();
    expect(after.id).not.toBe(before.id);
    expect(await after.call('Panels.list')).toEqual(ROWS);
  });
});
