import { type ApprovedCell, KernelError, type VariableDescription } from '@jupyter-ac/page';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type KernelConnection, type KernelMessage, LabCellRunner } from '../src/lab-cell-runner.ts';

type Reply = { content: { status: string; ename?: string } };

class FakeFuture {
  onIOPub: (message: KernelMessage) => void = () => {};
  isDisposed = false;
  resolve: (reply: Reply) => void = () => {};
  reject: (error: Error) => void = () => {};
  readonly done = new Promise<Reply>((resolve, reject) => {
    this.resolve = resolve;
    this.reject = reject;
  });

  dispose(): void {
    this.isDisposed = true;
  }
  put(msg_type: string, content: Record<string, unknown>): void {
    this.onIOPub({ header: { msg_type }, content });
  }
}

class FakeKernel implements KernelConnection {
  status = 'idle';
  interrupts = 0;
  readonly futures: FakeFuture[] = [];
  readonly requests: object[] = [];
  readonly #slots = new Set<() => void>();
  readonly statusChanged = {
    connect: (slot: () => void) => void this.#slots.add(slot),
    disconnect: (slot: () => void) => void this.#slots.delete(slot),
  };

  constructor(readonly id: string) {}

  get listeners(): number {
    return this.#slots.size;
  }
  become(status: string): void {
    this.status = status;
    for (const slot of this.#slots) slot();
  }
  requestExecute(content: object): FakeFuture {
    this.requests.push(content);
    const future = new FakeFuture();
    this.futures.push(future);
    return future;
  }
  async interrupt(): Promise<void> {
    this.interrupts += 1;
  }
  /** The request that the runner has sent. */
  async future(): Promise<FakeFuture> {
    await vi.waitUntil(() => this.futures.length > 0);
    return this.futures[0] as FakeFuture;
  }
}

const kernel = () => new FakeKernel('k1');

function runnerOf(...kernels: (FakeKernel | null)[]): LabCellRunner {
  const panels = kernels.map((each, index) => ({
    context: { path: `RTC:work/n${index}.ipynb` },
    sessionContext: { session: { kernel: each } },
  }));
  return new LabCellRunner(
    (visit) => {
      visit({ context: { path: 'work/none.ipynb' }, sessionContext: { session: null } });
      for (const panel of panels) visit(panel);
    },
    async ({ id }) => ({ of: id }),
    ACTIVE,
  );
}

const ACTIVE = {
  listVariables: async () => ({ variables: [], left_out: 0 }),
  describeVariable: async (name: string) => {
    if (name !== 'n') throw new KernelError(`There is no variable ${name}.`, 'not_found');
    return { name } as VariableDescription;
  },
  lastError: async () => null,
};

describe('the kernel of the active notebook', () => {
  it('says what it has, and why it says nothing', async () => {
    const runner = runnerOf();
    const LIST = { variables: [], left_out: 0 };
    expect(await runner.kernelValue('list_variables', '')).toEqual({ value: LIST, error: null });
    expect(await runner.kernelValue('describe_variable', 'n')).toEqual({ value: { name: 'n' }, error: null });
    expect(await runner.kernelValue('get_last_error', '')).toEqual({ value: null, error: null });
    const gone = { type: 'not_found', message: 'There is no variable m.' };
    expect(await runner.kernelValue('describe_variable', 'm')).toEqual({ value: null, error: gone });
    const { error } = await runner.kernelValue('complete', '');
    expect(error?.type).toBe('failed');
  });
});

describe('the kernel of a notebook', () => {
  it.each([
    ['n1.ipynb', 'k1'],
    ['work/n1.ipynb', 'k1'],
    ['1.ipynb', ''],
    ['none.ipynb', ''],
    ['n2.ipynb', ''],
    ['', ''],
  ])('is found by the end of its path: %j', async (path, id) => {
    const runner = runnerOf(new FakeKernel('k0'), kernel(), null);
    expect(await runner.kernelOf(path)).toBe(id);
    expect(await runner.variablesOf(path)).toEqual(id ? { of: id } : null);
  });

  it('is the only one if no notebook is named', async () => {
    expect(await runnerOf(kernel(), null).kernelOf('')).toBe('k1');
  });
});

/** Of the codes below, by another program. */
const HASHES: Readonly<Record<string, string>> = {
  '1': '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b',
  'x = "é"': 'e6b76dba311142fa377a67ebdc6cfdd464df38e89d1ab60d52d718265fa8064b',
};

function cell(code: string, more: Partial<ApprovedCell> = {}): ApprovedCell {
  return { run_id: 'r1', kernel_id: 'k1', code, sha256: HASHES[code] ?? '', time_limit_s: 60, ...more };
}

/** A turn of the event loop that no fake timer holds back. */
async function turn(): Promise<void> {
  await crypto.subtle.digest('SHA-256', new Uint8Array());
}

describe('a cell', () => {
  it('is sent exactly to the kernel of its notebook, and its outputs come back', async () => {
    const [other, mine] = [new FakeKernel('k0'), kernel()];
    const running = runnerOf(other, null, mine).run(cell('x = "é"'));
    const future = await mine.future();
    expect(mine.requests).toEqual([
      { code: 'x = "é"', allow_stdin: false, store_history: true, stop_on_error: true },
    ]);
    future.put('status', { execution_state: 'busy' });
    future.put('stream', { name: 'stdout', text: 'hello' });
    future.put('display_data', { data: { 'text/plain': '1' }, transient: { display_id: 'd' } });
    future.resolve({ content: { status: 'ok' } });
    expect(await running).toEqual({
      status: 'ok',
      outputs: [
        { output_type: 'stream', name: 'stdout', text: 'hello' },
        { output_type: 'display_data', data: { 'text/plain': '1' } },
      ],
    });
    expect(future.isDisposed).toBe(true);
    expect(other.requests).toEqual([]);
  });

  it('of a kernel that is not open here is not run', async () => {
    const other = new FakeKernel('k0');
    expect(await runnerOf(other).run(cell('1'))).toEqual({ status: 'not_here', outputs: [] });
    expect(other.requests).toEqual([]);
  });

  it('that is not the approved one is not run', async () => {
    const mine = kernel();
    await expect(runnerOf(mine).run(cell('1', { code: '2' }))).rejects.toThrow('not the code');
    expect(mine.requests).toEqual([]);
  });

  it.each([
    [{ status: 'error', ename: 'ValueError' }, 'error'],
    [{ status: 'error', ename: 'KeyboardInterrupt' }, 'interrupted'],
    [{ status: 'aborted' }, 'interrupted'],
  ])('that ends with %j is %s', async (content, status) => {
    const mine = kernel();
    const running = runnerOf(mine).run(cell('1'));
    (await mine.future()).resolve({ content });
    expect(await running).toHaveProperty('status', status);
  });

  it('fails when the kernel has ended', async () => {
    const mine = kernel();
    const running = runnerOf(mine).run(cell('1'));
    (await mine.future()).reject(new Error('Canceled future for execute_request message'));
    await expect(running).rejects.toThrow('Canceled');
  });

  it('has bounded outputs', async () => {
    const mine = kernel();
    const running = runnerOf(mine).run(cell('1'));
    const future = await mine.future();
    const text = 'x'.repeat(3 * 1024 * 1024);
    for (let count = 0; count < 5; count += 1) future.put('stream', { name: 'stdout', text });
    future.put('error', { ename: 'E', evalue: '', traceback: [] });
    future.resolve({ content: { status: 'error' } });
    const { outputs } = await running;
    expect(outputs.map((output) => (output as { output_type: string }).output_type)).toEqual([
      'stream',
      'stream',
      'error',
    ]);
  });
});

describe('time', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  const begun = async (mine: FakeKernel) => {
    while (mine.futures.length === 0) await turn();
    return mine.futures[0] as FakeFuture;
  };

  it('is limited by an interrupt', async () => {
    const mine = kernel();
    const running = runnerOf(mine).run(cell('1', { time_limit_s: 3 }));
    const future = await begun(mine);
    vi.advanceTimersByTime(2999);
    expect(mine.interrupts).toBe(0);
    vi.advanceTimersByTime(1);
    expect(mine.interrupts).toBe(1);
    future.resolve({ content: { status: 'error', ename: 'KeyboardInterrupt' } });
    expect(await running).toHaveProperty('status', 'timed_out');
  });

  it('is given to a kernel that does not stop, but not for ever', async () => {
    const mine = kernel();
    const running = runnerOf(mine).run(cell('1', { time_limit_s: 3 }));
    await begun(mine);
    vi.advanceTimersByTime(3000);
    vi.advanceTimersByTime(10_000);
    await expect(running).rejects.toThrow('did not stop');
  });

  it('ends early on request, for this cell only', async () => {
    const mine = kernel();
    const runner = runnerOf(mine);
    const running = runner.run(cell('1'));
    const future = await begun(mine);
    await runner.interrupt('another');
    expect(mine.interrupts).toBe(0);
    await runner.interrupt('r1');
    expect(mine.interrupts).toBe(1);
    future.resolve({ content: { status: 'error', ename: 'KeyboardInterrupt' } });
    expect(await running).toHaveProperty('status', 'interrupted');
    await runner.interrupt('r1');
    expect(mine.interrupts).toBe(1);
  });

  it('is spent waiting for a busy kernel, which is not interrupted', async () => {
    const mine = kernel();
    mine.status = 'busy';
    const running = runnerOf(mine).run(cell('1', { time_limit_s: 3 }));
    while (mine.listeners === 0) await turn();
    mine.become('busy');
    vi.advanceTimersByTime(3000);
    expect(await running).toEqual({ status: 'busy', outputs: [] });
    expect([mine.interrupts, mine.requests.length, mine.listeners]).toEqual([0, 0, 0]);
  });

  it('is not spent on a cell that is interrupted while it waits for a busy kernel', async () => {
    const mine = kernel();
    mine.status = 'busy';
    const runner = runnerOf(mine);
    const running = runner.run(cell('1'));
    while (mine.listeners === 0) await turn();
    await runner.interrupt('r1');
    mine.become('idle');
    expect(await running).toEqual({ status: 'interrupted', outputs: [] });
    expect([mine.interrupts, mine.requests.length, mine.listeners]).toEqual([0, 0, 0]);
  });

  it('is not spent on a cell that is interrupted before it is sent', async () => {
    const mine = kernel();
    const runner = runnerOf(mine);
    const running = runner.run(cell('1'));
    await runner.interrupt('r1');
    expect(await running).toEqual({ status: 'interrupted', outputs: [] });
    expect([mine.interrupts, mine.requests.length]).toEqual([0, 0]);
  });

  it('begins when the kernel is idle', async () => {
    const mine = kernel();
    mine.status = 'busy';
    const running = runnerOf(mine).run(cell('1', { time_limit_s: 3 }));
    while (mine.listeners === 0) await turn();
    vi.advanceTimersByTime(2000);
    mine.become('idle');
    const future = await begun(mine);
    vi.advanceTimersByTime(2000);
    expect(mine.interrupts).toBe(0);
    future.resolve({ content: { status: 'ok' } });
    expect(await running).toHaveProperty('status', 'ok');
  });
});
