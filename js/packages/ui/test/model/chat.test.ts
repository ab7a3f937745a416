import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChatStore } from '../../src/model/chat.ts';
import type { AgentMode } from '../../src/model/question-arguments.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';
import { callRow, runRow } from '../support/runs.ts';

const CHAT = 'LLMService.chat_streaming';
const ATTACH = 'LLMService.attach_stream';
const CANCEL = 'LLMService.cancel_streaming';

let rpc: FakeRpc;
let chat: ChatStore;
const excludedUrls = vi.fn((): string[] | null => null);
const agentMode = vi.fn((): AgentMode => 'ask');
const ports = { beforeSend: vi.fn(), onTurnEnd: vi.fn(), resync: vi.fn(), onError: vi.fn() };

beforeEach(() => {
  vi.useFakeTimers();
  rpc = new FakeRpc();
  for (const port of Object.values(ports)) port.mockReset().mockResolvedValue(undefined);
  chat = new ChatStore(rpc, { ...ports, excludedUrls, agentMode });
});

afterEach(() => {
  chat.dispose();
  vi.useRealTimers();
});

/** Asks, and has the server accept. */
async function ask(question = 'Why?'): Promise<string> {
  void chat.send(question);
  await settle();
  await rpc.last(CHAT).answer({ status: 'started' });
  return String(rpc.last(CHAT).args[0]);
}

const contents = () => chat.messages.map(({ role, state, content }) => [role, state, content]);

describe('asking', () => {
  it('shows question and answer, and a stream to stop, before the server says anything', async () => {
    void chat.send('Why?');
    expect(contents()).toEqual([
      ['user', 'done', 'Why?'],
      ['assistant', 'streaming', ''],
    ]);
    expect(chat.stream?.phase).toBe('sending');
    await settle();
    expect(rpc.last(CHAT).args.slice(1)).toEqual(['Why?']);
  });

  it('names the pages that must not be sent', async () => {
    excludedUrls.mockReturnValueOnce(['http://a.b/']);
    await ask('Why http://a.b/?');
    expect(rpc.last(CHAT).args.slice(1)).toEqual(['Why http://a.b/?', null, null, ['http://a.b/']]);
  });

  it('waits until the ticks have arrived', async () => {
    let let_go: () => void = () => {};
    ports.beforeSend.mockReturnValue(
      new Promise<void>((resolve) => {
        let_go = resolve;
      }),
    );
    void chat.send('Why?');
    await settle();
    expect(rpc.count(CHAT)).toBe(0);
    let_go();
    await settle();
    expect(rpc.count(CHAT)).toBe(1);
  });

  it('grows by deltas and ends with what streamComplete says', async () => {
    const id = await ask();
    await rpc.emit('streamDelta', id, 0, 'Be');
    await rpc.emit('streamDelta', id, 2, 'cause');
    expect(contents()[1]).toEqual(['assistant', 'streaming', 'Because']);
    expect(chat.stream?.phase).toBe('answering');
    const token_usage = { prompt_tokens: 5, completion_tokens: 2, cost_usd: 0.5 };
    await rpc.emit('streamComplete', id, { response: 'Because.', token_usage, model: 'm' });
    expect(chat.messages[1]).toMatchObject({
      state: 'done',
      content: 'Because.',
      model: 'm',
      usage: { input: 5, output: 2, cost: 0.5 },
    });
    expect(chat.stream).toBeNull();
    expect(ports.onTurnEnd).toHaveBeenCalledOnce();
  });

  it('tells only those of more text who ask for it', async () => {
    const id = await ask();
    const [onChange, onGrown] = [vi.fn(), vi.fn()];
    chat.subscribe(onChange);
    chat.grown.subscribe(onGrown);
    await rpc.emit('streamReasoning', id, 0, 'Hm');
    await rpc.emit('streamDelta', id, 0, 'Be');
    expect([onChange.mock.calls.length, onGrown.mock.calls.length]).toEqual([2, 0]);
    await rpc.emit('streamDelta', id, 2, 'cause.');
    expect([onChange.mock.calls.length, onGrown.mock.calls.length]).toEqual([2, 1]);
    expect(chat.messages.at(-1)).toMatchObject({ content: 'Because.', reasoning: 'Hm' });
    await rpc.emit('streamComplete', id, { response: 'Because.' });
    expect(onChange).toHaveBeenCalledTimes(3);
  });

  it('takes whole texts too, from a server without deltas', async () => {
    const id = await ask();
    await rpc.emit('streamChunk', id, 'Be');
    await rpc.emit('streamChunk', id, 'Because');
    expect(contents()[1]).toEqual(['assistant', 'streaming', 'Because']);
  });

  it('ignores pieces and ends of streams that it does not know', async () => {
    await ask();
    await rpc.emit('streamDelta', 'other', 0, 'x');
    await rpc.emit('streamComplete', 'other', { response: 'x' });
    expect(contents()[1]).toEqual(['assistant', 'streaming', '']);
    expect(chat.stream).not.toBeNull();
  });

  it('shows a refusal in the conversation', async () => {
    void chat.send('Why?');
    await settle();
    await rpc.last(CHAT).answer({ error: 'A stream is already running.' });
    expect(chat.messages[1]).toMatchObject({
      state: 'error',
      failure: { message: 'A stream is already running.' },
    });
    expect(chat.stream).toBeNull();
  });

  it('shows an error of the call, and one of the provider with its wait', async () => {
    void chat.send('Why?');
    await settle();
    await rpc.last(CHAT).fail('not_ready', 'Not yet.');
    expect(chat.messages[1]).toMatchObject({
      state: 'error',
      failure: { type: 'not_ready', message: 'Not yet.' },
    });
    const id = await ask();
    const error_info = { error_type: 'provider_rate_limit', retry_after: 20 };
    await rpc.emit('streamComplete', id, { response: '', error: 'Slow down.', error_info });
    expect(chat.messages[3]?.failure).toEqual({
      type: 'provider_rate_limit',
      message: 'Slow down.',
      retryAfter: 20,
    });
  });

  it('says that the prompt is being read, how far, and that a turn waits', async () => {
    const id = await ask();
    await rpc.emit('compactionEvent', id, { stage: 'waiting', message: 'The index is built first.' });
    expect(chat.stream).toMatchObject({ phase: 'waiting', note: 'The index is built first.' });
    // As the server tells it: in words for all, and in parts for those who count down.
    await rpc.emit('compactionEvent', id, { stage: 'waiting', message: 'Busy. Trying again in 2 s …' });
    await rpc.emit('streamRetry', id, { attempt: 2, attempts: 4, wait_s: 2, reason: 'Busy.' });
    expect(chat.stream?.pause).toMatchObject({ reason: 'Busy.', attempt: 2, attempts: 4 });
    await rpc.emit('compactionEvent', id, { stage: 'reading', message: 'Reading', percent: 40 });
    expect(chat.stream).toMatchObject({ phase: 'reading', percent: 40 });
  });
});

describe('stopping', () => {
  it('says so at once and marks the answer when the server has stopped', async () => {
    const id = await ask();
    void chat.stop();
    expect(chat.stream?.phase).toBe('stopping');
    expect(rpc.last(CANCEL).args).toEqual([id]);
    await rpc.emit('streamComplete', id, { response: 'Be', cancelled: true });
    expect(contents()[1]).toEqual(['assistant', 'cancelled', 'Be']);
  });

  it('stays visible while the last words come in', async () => {
    const id = await ask();
    void chat.stop();
    await rpc.emit('streamDelta', id, 0, 'Be');
    expect(chat.stream?.phase).toBe('stopping');
  });

  it('asks for the state when the server knows of no such stream, or stays silent', async () => {
    await ask();
    void chat.stop();
    await rpc.last(CANCEL).answer({ error: 'No such stream.' });
    expect(ports.resync).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(5000);
    expect(ports.resync).toHaveBeenCalledTimes(2);
  });
});

describe('a gap in the deltas', () => {
  it('is filled by attach_stream, with what came in meanwhile', async () => {
    const id = await ask();
    await rpc.emit('streamDelta', id, 0, 'one ');
    await rpc.emit('streamDelta', id, 8, 'three ');
    expect(rpc.last(ATTACH).args).toEqual([id]);
    await rpc.emit('streamDelta', id, 14, 'four');
    expect(rpc.count(ATTACH)).toBe(1);
    await rpc.last(ATTACH).answer({ request_id: id, text: 'one two three ', length: 14, done: false });
    expect(contents()[1]).toEqual(['assistant', 'streaming', 'one two three four']);
  });

  it('does not bring back a stream that has ended meanwhile', async () => {
    const id = await ask();
    await rpc.emit('streamDelta', id, 3, 'x');
    await rpc.emit('streamComplete', id, { response: 'whole' });
    await rpc.last(ATTACH).answer({ request_id: id, text: 'who', length: 3, done: true });
    expect(contents()[1]).toEqual(['assistant', 'done', 'whole']);
  });
});

describe('other pages', () => {
  it("show another page's question at once and follow its answer", async () => {
    await rpc.emit('userMessage', { content: 'Theirs', request_id: '1-a' });
    expect(contents()).toEqual([
      ['user', 'done', 'Theirs'],
      ['assistant', 'streaming', ''],
    ]);
    await rpc.last(ATTACH).answer({ request_id: '1-a', text: 'An', length: 2, done: false });
    await rpc.emit('streamDelta', '1-a', 2, 'swer');
    expect(contents()[1]).toEqual(['assistant', 'streaming', 'Answer']);
  });

  it('take over the session at the end, without drawing known messages anew', async () => {
    const id = await ask();
    await rpc.emit('streamComplete', id, { response: 'Because.' });
    const before = chat.messages;
    const messages = [
      { role: 'user', content: 'Why?', request_id: id, state: 'done' },
      { role: 'assistant', content: 'Because.', request_id: id, state: 'done' },
      { role: 'user', content: 'More', request_id: '2-b', state: 'done' },
    ];
    await rpc.emit('sessionChanged', { session_id: 's', messages });
    expect(chat.messages).toHaveLength(3);
    expect(chat.messages[0]).toBe(before[0]);
    expect(chat.messages[1]).toBe(before[1]);
  });

  it('keep the running turn when a session is told without it', async () => {
    const id = await ask();
    await rpc.emit('streamDelta', id, 0, 'Be');
    await rpc.emit('sessionChanged', { session_id: '', messages: [] });
    expect(contents()).toEqual([
      ['user', 'done', 'Why?'],
      ['assistant', 'streaming', 'Be'],
    ]);
    expect(chat.stream?.requestId).toBe(id);
  });

  it('leave the running turn behind with its session', async () => {
    await rpc.emit('sessionChanged', { session_id: 'old', messages: [] });
    await ask();
    await rpc.emit('sessionChanged', { session_id: 'new', messages: [] });
    expect(chat.messages).toEqual([]);
    expect(chat.stream).toBeNull();
  });

  it('hear their own question only once', async () => {
    const id = await ask();
    await rpc.emit('userMessage', { content: 'Why?', request_id: id });
    expect(chat.messages).toHaveLength(2);
  });
});

describe('after a reload or a reconnect', () => {
  const user = { role: 'user', content: 'Why?', request_id: '1-a', state: 'done' };

  it('finds the conversation and the running stream', async () => {
    const active_streams = [{ request_id: '1-a', agent_id: null, accumulated_content: 'Be', length: 2 }];
    chat.restore({ session_id: 's', messages: [user], active_streams });
    expect(contents()).toEqual([
      ['user', 'done', 'Why?'],
      ['assistant', 'streaming', 'Be'],
    ]);
    await rpc.last(ATTACH).answer({ request_id: '1-a', text: 'Beca', length: 4, done: false });
    await rpc.emit('streamDelta', '1-a', 4, 'use');
    expect(contents()[1]).toEqual(['assistant', 'streaming', 'Because']);
  });

  it('asks again when the stream had just ended', async () => {
    chat.restore({ messages: [user], active_streams: [{ request_id: '1-a', accumulated_content: '' }] });
    await rpc.last(ATTACH).answer({ error: 'unknown' });
    expect(ports.resync).toHaveBeenCalledOnce();
  });

  it('asks again when the server has forgotten the stream, and only then', async () => {
    const running = { messages: [user], active_streams: [{ request_id: '1-a', accumulated_content: '' }] };
    chat.restore(running);
    await rpc.last(ATTACH).fail('not_found');
    expect(ports.resync).toHaveBeenCalledOnce();
    chat.restore(running);
    await rpc.last(ATTACH).fail('timeout');
    expect(ports.resync).toHaveBeenCalledOnce();
    expect(ports.onError).toHaveBeenCalledOnce();
  });

  it('hands back a question that the connection lost', async () => {
    void chat.send('Lost?');
    await settle();
    await rpc.last(CHAT).fail('closed');
    expect(chat.messages[1]?.state).toBe('streaming');
    expect(chat.restore({ messages: [] })).toBe('Lost?');
    expect(chat.messages).toEqual([]);
  });

  it('does not hand back one that had arrived', async () => {
    void chat.send('There?');
    await settle();
    const id = rpc.last(CHAT).args[0];
    await rpc.last(CHAT).fail('closed');
    const messages = [{ role: 'user', content: 'There?', request_id: id, state: 'done' }];
    expect(chat.restore({ messages })).toBe('');
  });

  it('shows how old answers ended', () => {
    const messages = [
      user,
      { role: 'assistant', content: 'x', request_id: '1-a', state: 'cancelled' },
      {
        role: 'assistant',
        content: '',
        request_id: '2-b',
        state: 'error',
        error: { type: 'timeout', message: 'Late.' },
      },
      { role: 'nonsense', content: 'y' },
    ];
    chat.restore({ messages });
    expect(chat.messages.map(({ role, state }) => [role, state])).toEqual([
      ['user', 'done'],
      ['assistant', 'cancelled'],
      ['assistant', 'error'],
      ['system', 'done'],
    ]);
    expect(chat.messages[2]?.failure?.message).toBe('Late.');
  });
});

it('starts a new conversation and takes the state over', async () => {
  void chat.startNew();
  await rpc.last('LLMService.new_session').answer({ session_id: 'n' });
  expect(ports.resync).toHaveBeenCalledOnce();
});

it('says why there is no new conversation, and fetches the one that goes on', async () => {
  void chat.startNew();
  await rpc.last('LLMService.new_session').answer({ error: 'A stream is running.' });
  expect(ports.onError).toHaveBeenCalledWith('A stream is running.');
  expect(ports.resync).toHaveBeenCalledOnce();
});

it('sends a question that follows at once to the new conversation', async () => {
  chat.show({ session_id: 'old', messages: [] });
  ports.resync.mockReturnValue(new Promise<void>(() => {}));
  void chat.startNew();
  const sending = chat.send('Why?');
  await settle();
  expect(rpc.count(CHAT)).toBe(0);
  await rpc.last('LLMService.new_session').answer({ session_id: 'new' });
  chat.show({ session_id: 'new', messages: [] });
  expect(contents()[0]).toEqual(['user', 'done', 'Why?']);
  await rpc.last(CHAT).answer({ status: 'started' });
  await sending;
  expect(chat.stream?.phase).toBe('waiting');
});

describe('edit blocks', () => {
  const row = { index: 0, file_path: 'a.py', kind: 'edit', complete: false, span: [0, 4] };
  const paths = () => chat.messages.at(-1)?.edits.list.map(({ path }) => path);

  it('belong to the answer that comes in, and to no other', async () => {
    const id = await ask();
    await rpc.emit('editBlocks', 'another', [row]);
    expect(paths()).toEqual([]);
    await rpc.emit('editBlocks', id, [row]);
    expect(paths()).toEqual(['a.py']);
  });

  it('are what the end of the answer says, and what is decided after it', async () => {
    const id = await ask();
    await rpc.emit('editBlocks', id, [row]);
    const result = { ...row, complete: true, status: 'pending' };
    await rpc.emit('streamComplete', id, { response: 'text', edit_blocks: [], edit_results: [result] });
    const status = () => chat.messages.at(-1)?.edits.list[0]?.outcome?.status;
    expect(status()).toBe('pending');
    await rpc.emit('editsChanged', id, { edit_results: [{ ...result, status: 'applied' }] });
    expect(status()).toBe('applied');
  });

  it('are told of with the question that was asked here', async () => {
    const id = await ask();
    await rpc.emit('streamComplete', id, {});
    expect(ports.onTurnEnd).toHaveBeenLastCalledWith(id, {}, true);
    await rpc.emit('streamComplete', 'another', {});
    expect(ports.onTurnEnd).toHaveBeenLastCalledWith('another', {}, false);
  });
});

describe('a run of the agent', () => {
  const runOf = (id: string) =>
    chat.messages.find(({ role, requestId }) => role === 'assistant' && requestId === id)?.run;

  it('is asked for with the question, behind all that an older server knows', async () => {
    agentMode.mockReturnValueOnce('plan');
    excludedUrls.mockReturnValueOnce(['https://a.example']);
    void chat.send('Plan it.');
    await settle();
    const further = [null, null, ['https://a.example'], null, false, null, 'plan'];
    expect(rpc.last(CHAT).args.slice(2)).toEqual(further);
  });

  it('grows with its news, and is kept at the end', async () => {
    const id = await ask();
    const run = runRow({ request_id: id, state: 'running' });
    await rpc.emit('toolUpdated', { request_id: id, run, call: callRow({ status: 'running' }) });
    await rpc.emit('toolUpdated', { request_id: id, run, call: callRow() });
    expect(runOf(id)).toMatchObject({ state: 'running', calls: [{ call_id: 'c1', status: 'done' }] });
    await rpc.emit('streamComplete', id, { response: 'So.' });
    expect(runOf(id)).toMatchObject({ state: 'running' });
    await rpc.emit('toolUpdated', { request_id: id, run: runRow({ request_id: id }) });
    expect(runOf(id)).toMatchObject({ state: 'done', calls: [{ call_id: 'c1' }] });
  });

  it('changes no other answer', async () => {
    chat.show({ session_id: 's', messages: [{ role: 'assistant', state: 'done', content: 'So.' }] });
    await rpc.emit('toolUpdated', { run: runRow(), call: callRow() });
    expect(runOf('')).toBe(null);
  });

  it('is the one of the result, where that has it', async () => {
    const id = await ask();
    await rpc.emit('streamComplete', id, { response: 'So.', run: runRow({ state: 'limit' }) });
    expect(runOf(id)).toMatchObject({ state: 'limit' });
  });

  it('comes with the history, and changes there', () => {
    const answer = (run: object) => ({
      role: 'assistant',
      request_id: 'r',
      state: 'done',
      content: 'So.',
      run,
    });
    chat.show({ session_id: 's', messages: [answer(runRow({ can_undo: true }))] });
    expect(runOf('r')).toMatchObject({ can_undo: true });
    const [before] = chat.messages;
    chat.show({ session_id: 's', messages: [answer(runRow({ can_undo: true }))] });
    expect(chat.messages[0]).toBe(before);
    chat.show({ session_id: 's', messages: [answer(runRow())] });
    expect(runOf('r')).toMatchObject({ can_undo: false });
  });

  it('is told with the text so far, after a reload', async () => {
    chat.restore({ session_id: 's', messages: [], active_streams: [{ request_id: 'r' }] });
    await rpc.last(ATTACH).answer({ text: '', done: false, run: runRow({ state: 'running' }) });
    expect(runOf('r')).toMatchObject({ state: 'running' });
  });
});
