import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, drawn, one, press } from '../support/page.ts';

const PLAY = 'LLMService.play_example';
const QUESTIONS = [
  { id: 'first', label: 'Ask', question: 'What does `a.py` do?', files: ['src/a.py'] },
  { id: 'second', label: 'Change it', question: 'Let it say so.', files: ['src/a.py', 'c.md'] },
];
const DEMO = { name: 'openai/demo', demo: true, available: true, message: '' };

let rpc: FakeRpc;
let session: Session;

const offer = (changed: string[] = []) =>
  rpc.ready.set('LLMService.get_example', () => ({ offered: true, questions: QUESTIONS, changed }));
const words = (name: string) => one(name).textContent?.replaceAll(/\s+/g, ' ').trim() ?? '';
const plays = () => rpc.calls.filter(({ method }) => method === PLAY).map(({ args }) => args[1]);

async function show(state: object = {}): Promise<void> {
  ({ session } = await mount(rpc));
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, model: DEMO, ...state }));
  await connect(rpc);
}

async function play(index: number): Promise<string> {
  await click(all('example-play')[index]);
  await rpc.last(PLAY).answer({ status: 'started' });
  await drawn();
  return String(rpc.last(PLAY).args[0]);
}

async function finish(id: string): Promise<void> {
  await rpc.emit('streamComplete', id, { response: 'So.', model: 'recorded answer' });
  await drawn();
}

beforeEach(() => {
  rpc = new FakeRpc();
  offer();
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
  vi.restoreAllMocks();
});

it('offers the questions where the server has some', async () => {
  await show();
  expect(all('example-play').map(({ dataset }) => dataset.question)).toEqual(['first', 'second']);
  expect(words('example')).toContain('answers were written by us, not by a model');
  expect(all('example-ask')).toEqual([]);
  expect(all('example-reset')).toEqual([]);
});

it('shows nothing in other repositories, and asks no server that lacks it', async () => {
  rpc.ready.set('LLMService.get_example', () => ({ offered: false, questions: [], changed: [] }));
  await show();
  expect(all('example')).toEqual([]);
  session.dispose();
  document.body.replaceChildren();
  rpc = new FakeRpc();
  rpc.lacking.add('LLMService.get_example');
  await show();
  expect(rpc.calls.some(({ method }) => method === 'LLMService.get_example')).toBe(false);
});

it('plays an answer, which is labelled from its first moment', async () => {
  await show();
  const id = await play(0);
  expect(words('recorded')).toBe('Recorded answer');
  expect(words('model')).toBe('recorded answer');
  expect(all('demo-badge')).toEqual([]);
  expect(all('example')).toEqual([]);
  expect(focused()).toBe(one('input'));
  await finish(id);
  expect(words('recorded')).toBe('Recorded answer');
  expect(words('model')).toBe('openai/demo');
  expect(all('message').at(-1)?.textContent).toContain('nothing was sent, nothing was paid');
  expect(all('example-play').map(({ dataset }) => dataset.question)).toEqual(['second']);
  await finish(await play(0));
  expect(words('example')).toContain('These were all three');
  expect(plays()).toEqual(['first', 'second']);
});

it('labels an answer that plays on another page, also after a reload', async () => {
  await show();
  await rpc.emit('userMessage', { content: 'Let it say so.', request_id: 'r', recorded: true });
  await drawn();
  expect(words('recorded')).toBe('Recorded answer');
  session.dispose();
  document.body.replaceChildren();
  rpc = new FakeRpc();
  offer();
  const running = { request_id: 'r', accumulated_content: 'Th', recorded: true };
  const messages = [{ role: 'user', content: 'Let it say so.', request_id: 'r' }];
  await show({ messages, active_streams: [running] });
  expect(words('recorded')).toBe('Recorded answer');
});

it('gives way to answers of a model', async () => {
  const messages = [
    { role: 'user', content: 'Why?', request_id: 'r' },
    { role: 'assistant', content: 'So.', request_id: 'r', model: 'openai/gpt-a', state: 'done' },
  ];
  await show({ messages });
  expect(all('example')).toEqual([]);
  expect(all('recorded')).toEqual([]);
});

it('puts a question to the real model by one click', async () => {
  await show({ model: STATE.model });
  expect(all('example-ask')).toHaveLength(2);
  await click(all('example-ask')[1]);
  expect(rpc.last('LLMService.chat_streaming').args.slice(1, 2)).toEqual(['Let it say so.']);
  expect(rpc.last('LLMService.set_selected_files').args).toEqual([['src/a.py', 'c.md']]);
  expect(plays()).toEqual([]);
});

it('resets the files after a yes, which names them', async () => {
  offer(['src/a.py', 'c.md']);
  await show();
  await click(one('example-reset'));
  expect(words('example')).toContain(
    'Write src/a.py, c.md as at the start? Other changes to these files are lost.',
  );
  expect(focused()).toBe(one('example-keep'));
  await press('Escape');
  expect(all('example-confirm')).toEqual([]);
  await click(one('example-reset'));
  offer();
  await click(one('example-confirm'));
  await rpc.last('LLMService.reset_example').answer({ status: 'ok', files: ['src/a.py', 'c.md'] });
  await drawn();
  expect(words('toast')).toContain('2 files of the example are as they were at the start.');
  expect(all('example-reset')).toEqual([]);
});

it('is removed after a yes; a refusal is said', async () => {
  await show();
  await click(one('example-remove'));
  await click(one('example-confirm'));
  await rpc.last('LLMService.remove_example').answer({ error: 'The settings are locked.' });
  await drawn();
  expect(words('toast')).toContain('The settings are locked.');
  await click(one('example-remove'));
  rpc.ready.set('LLMService.get_example', () => ({ offered: false, questions: [], changed: [] }));
  await click(one('example-confirm'));
  await rpc.last('LLMService.remove_example').answer({ status: 'ok', sessions: 1, kept: 0 });
  await drawn();
  expect(all('example')).toEqual([]);
  expect(all('toast').at(-1)?.textContent).toContain('example.offered in app.json brings it back');
});

it('looks again when the settings or files have changed', async () => {
  await show();
  rpc.ready.set('LLMService.get_example', () => ({ offered: false, questions: [], changed: [] }));
  await rpc.emit('filesModified', ['data/readings.csv']);
  await drawn();
  expect(all('example')).toEqual([]);
});
