import type { InlineContext } from '@jupyterlab/completer';
import { beforeEach, expect, it, vi } from 'vitest';
import { type InlinePlace, type InlinePorts, InlineProvider } from '../src/inline-provider.ts';
import { fakeCell } from './support/notebook.ts';

let now: number;
let answers: { place: InlinePlace; signal: AbortSignal; answer(text: string): void; fail(): void }[];
let waits: { signal: AbortSignal; end(): void }[];
const state = vi.fn(async () => ({ enabled: true, delay_ms: 300 }));

const ports: InlinePorts = {
  state,
  complete: (_folder, place, signal) =>
    new Promise((resolve, reject) => {
      answers.push({ place, signal, answer: resolve, fail: () => reject(new Error('refused')) });
    }),
  localPath: (path) => (path.startsWith('other:') ? null : path),
  now: () => now,
  wait: (_ms, signal) =>
    new Promise((resolve, reject) => {
      waits.push({ signal, end: resolve });
      signal.addEventListener('abort', () => reject(signal.reason));
    }),
};

let provider: InlineProvider;

function notebook(active: number, ...sources: string[]): InlineContext {
  const cells = sources.map((source, index) => fakeCell(source, { id: `c${index}` }));
  const content = { activeCell: cells[active], widgets: cells };
  return { widget: { context: { path: 'w/a.ipynb' }, content } } as unknown as InlineContext;
}

const file = (path = 'w/a.py'): InlineContext => ({ widget: { context: { path } } });
const settle = () => new Promise((resolve) => setTimeout(resolve));
const request = (text: string, offset = text.length) => ({ text, offset, mimeType: 'text/x-ipython' });

/** Types a text, and has it completed. */
async function suggest(text: string, completion: string, context = file()) {
  const items = provider.fetch(request(text), context);
  await settle();
  waits.at(-1)?.end();
  await settle();
  answers.at(-1)?.answer(completion);
  return (await items).items;
}

beforeEach(() => {
  now = 1000;
  answers = [];
  waits = [];
  state.mockClear();
  provider = new InlineProvider(ports);
});

it('asks after the delay, and suggests what comes', async () => {
  const items = provider.fetch(request('x = ; y', 4), file());
  await settle();
  expect(answers).toEqual([]);
  waits[0]?.end();
  await settle();
  expect(answers[0]?.place).toEqual({
    path: 'w/a.py',
    prefix: 'x = ',
    suffix: '; y',
    language: 'python',
    before: [],
    after: [],
  });
  answers[0]?.answer('sum(a)');
  expect(await items).toEqual({ items: [{ insertText: 'sum(a)' }] });
});

it('gives the cells around it', async () => {
  await suggest('b', ' = 2', notebook(1, 'a = 1', 'b', 'c = 3'));
  expect(answers[0]?.place.before).toEqual([{ id: 'c0', text: 'a = 1' }]);
  expect(answers[0]?.place.after).toEqual([{ id: 'c2', text: 'c = 3' }]);
});

it('leaves out cells of another type', async () => {
  const cells = ['code', 'markdown', 'code'].map((type, index) => fakeCell(type, { id: `c${index}`, type }));
  const content = { activeCell: cells[2], widgets: cells };
  await suggest('x', 'y', {
    widget: { context: { path: 'a.ipynb' }, content },
  } as unknown as InlineContext);
  expect(answers[0]?.place.before).toEqual([{ id: 'c0', text: 'code' }]);
});

it('asks nobody while one types along', async () => {
  await suggest('x = ', 'sum(a)');
  expect(await provider.fetch(request('x = su'), file())).toEqual({ items: [{ insertText: 'm(a)' }] });
  expect(await provider.fetch(request('x = sum(a'), file())).toEqual({ items: [{ insertText: ')' }] });
  expect(await provider.fetch(request('x = sum(a)'), file())).toEqual({ items: [] });
  expect(answers).toHaveLength(1);
});

it.each([
  ['something else is typed', 'x = so', file()],
  ['more is typed', 'x = sum(a)+', file()],
  ['another file is edited', 'x = su', file('w/b.py')],
  ['another cell is edited', 'x = su', notebook(0, 'x = su')],
])('asks again when %s', async (_, text, context) => {
  await suggest('x = ', 'sum(a)');
  expect(await suggest(text, '!', context)).toEqual([{ insertText: '!' }]);
  expect(answers).toHaveLength(2);
});

it('ends what is superseded, before and after it was sent', async () => {
  const first = provider.fetch(request('a'), file());
  await settle();
  const second = provider.fetch(request('ab'), file());
  expect(await first).toEqual({ items: [] });
  await settle();
  waits.at(-1)?.end();
  await settle();
  expect(answers.map(({ place }) => place.prefix)).toEqual(['ab']);
  const third = provider.fetch(request('abc'), file());
  expect(answers[0]?.signal.aborted).toBe(true);
  answers[0]?.answer('late');
  expect(await second).toEqual({ items: [] });
  await settle();
  waits.at(-1)?.end();
  await settle();
  answers[1]?.answer('d');
  expect(await third).toEqual({ items: [{ insertText: 'd' }] });
});

it('sends nothing while it is off, and asks now and then whether it still is', async () => {
  state.mockResolvedValue({ enabled: false, delay_ms: 0 });
  expect(await provider.fetch(request('a'), file())).toEqual({ items: [] });
  expect(await provider.fetch(request('ab'), file())).toEqual({ items: [] });
  expect([state.mock.calls.length, waits.length]).toEqual([1, 0]);
  state.mockResolvedValue({ enabled: true, delay_ms: 0 });
  now += 60_000;
  expect(await suggest('abc', 'd')).toEqual([{ insertText: 'd' }]);
  expect(state).toHaveBeenCalledTimes(2);
});

it('waits at each key for the answer to the same question whether it is on', async () => {
  let tell: (found: { enabled: boolean; delay_ms: number }) => void = () => {};
  state.mockImplementationOnce(
    () =>
      new Promise((resolve) => {
        tell = resolve;
      }),
  );
  const first = provider.fetch(request('a'), file());
  const second = provider.fetch(request('ab'), file());
  tell({ enabled: true, delay_ms: 0 });
  expect(await first).toEqual({ items: [] });
  await settle();
  waits.at(-1)?.end();
  await settle();
  answers.at(-1)?.answer('c');
  expect(await second).toEqual({ items: [{ insertText: 'c' }] });
  expect(state).toHaveBeenCalledTimes(1);
});

it('keeps quiet about refusals, blank texts and other drives', async () => {
  const items = provider.fetch(request('a'), file());
  await settle();
  waits[0]?.end();
  await settle();
  answers[0]?.fail();
  expect(await items).toEqual({ items: [] });
  expect(await provider.fetch(request('  \n'), file())).toEqual({ items: [] });
  expect(await provider.fetch(request('a'), file('other:a.py'))).toEqual({ items: [] });
  expect(await provider.fetch(request('a'), { widget: {} })).toEqual({ items: [] });
  expect(answers).toHaveLength(1);
});

it('sends what is near only', async () => {
  const text = `${'a'.repeat(50_000)}|${'b'.repeat(50_000)}`;
  const items = provider.fetch(request(text, 50_000), file());
  await settle();
  waits[0]?.end();
  await settle();
  expect(answers[0]?.place.prefix).toHaveLength(16_000);
  expect(answers[0]?.place.suffix).toHaveLength(4000);
  answers[0]?.answer('');
  expect(await items).toEqual({ items: [] });
});
