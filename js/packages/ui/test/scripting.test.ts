import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Session } from '../src/model/session.ts';
import { askInSession, attachInSession, selectInSession } from '../src/scripting.ts';
import { FakeRpc, settle } from './support/fake-rpc.ts';
import { folderPorts } from './support/folder.ts';
import { rawRows } from './support/raw-rows.ts';

const CHAT = 'LLMService.chat_streaming';
const STATE = { messages: [], session_id: 's', init_complete: true, active_streams: [] };

let rpc: FakeRpc;
let session: Session;
let closing: AbortController;

function ask(question = 'Why?'): Promise<string> {
  const answer = askInSession(session, question, closing.signal);
  answer.catch(() => {});
  return answer;
}

async function open(state: object = {}): Promise<void> {
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, ...state }));
  await rpc.become({ state: 'open', first: true });
  await settle();
}

beforeEach(() => {
  rpc = new FakeRpc();
  rpc.ready.set('Repo.get_tree_rows', () => rawRows([]));
  rpc.ready.set('LLMService.get_context_breakdown', () => ({}));
  rpc.ready.set(CHAT, () => ({ status: 'started' }));
  session = new Session(rpc, {
    version: '0.1.0',
    storage: null,
    draftKey: () => 'd',
    diagnose: async () => '',
    ...folderPorts(),
  });
  closing = new AbortController();
});

afterEach(() => {
  vi.restoreAllMocks();
  session.dispose();
});

describe('a question by program', () => {
  it('waits for the start, is seen in the conversation, and gets the whole answer', async () => {
    const answer = ask();
    await settle();
    expect(rpc.count(CHAT)).toBe(0);
    await open();
    const id = rpc.last(CHAT).args[0];
    expect(session.chat.messages.map(({ content }) => content)).toEqual(['Why?', '']);
    await rpc.emit('streamDelta', id, 0, 'Bec');
    await rpc.emit('streamComplete', id, { response: 'Because.' });
    expect(await answer).toBe('Because.');
  });

  it.each([
    [{ error: 'No key is set.' }, 'No key is set.'],
    [{ response: 'Half', cancelled: true }, 'The answer was stopped.'],
  ])('rejects when the turn ends with %j', async (result, sentence) => {
    await open();
    const answer = ask();
    await settle();
    await rpc.emit('streamComplete', rpc.last(CHAT).args[0], result);
    await expect(answer).rejects.toThrow(sentence);
  });

  it('rejects with what the server says against it', async () => {
    rpc.ready.set(CHAT, () => ({ error: 'Too long.' }));
    await open();
    await expect(ask()).rejects.toThrow('Too long.');
  });

  it('does not push itself before another question', async () => {
    await open();
    void ask('One?');
    await settle();
    await expect(ask('Two?')).rejects.toThrow('another question');
    expect(rpc.count(CHAT)).toBe(1);
  });

  it('says why the panel is offline', async () => {
    await open();
    await rpc.become({ state: 'waiting', code: 1001, reason: 'The server is shutting down.', delayMs: 1 });
    await expect(ask()).rejects.toThrow('The server is shutting down.');
  });

  it('survives a reconnect in the middle of its answer', async () => {
    await open();
    const answer = ask();
    await settle();
    const id = String(rpc.last(CHAT).args[0]);
    await rpc.become({ state: 'waiting', code: 1006, reason: '', delayMs: 1 });
    rpc.ready.set('LLMService.attach_stream', () => ({ text: 'Be', length: 2 }));
    await open({
      messages: [{ role: 'user', content: 'Why?', request_id: id, state: 'done' }],
      active_streams: [{ request_id: id, accumulated_content: 'Be' }],
    });
    await rpc.emit('streamComplete', id, { response: 'Because.' });
    expect(await answer).toBe('Because.');
  });

  it('rejects when the question never arrived', async () => {
    await open();
    const answer = ask();
    await settle();
    await rpc.become({ state: 'waiting', code: 1006, reason: '', delayMs: 1 });
    await open();
    await expect(answer).rejects.toThrow('ask again');
  });

  it('rejects when the panel is closed, before or during the answer', async () => {
    const early = ask();
    closing.abort();
    await expect(early).rejects.toThrow('closed');
    await expect(ask()).rejects.toThrow('closed');
  });

  it('stops the answer when nobody wants it any more', async () => {
    await open();
    rpc.ready.set('LLMService.cancel_streaming', () => ({ status: 'cancelling' }));
    const unwanted = new AbortController();
    const answer = askInSession(session, 'Why?', closing.signal, unwanted.signal);
    await settle();
    unwanted.abort();
    await settle();
    const id = rpc.last(CHAT).args[0];
    expect(rpc.last('LLMService.cancel_streaming').args).toEqual([id]);
    await rpc.emit('streamComplete', id, { response: 'Bec', cancelled: true });
    await expect(answer).rejects.toThrow('stopped');
  });

  it('does not wait for ever for a server that never gets ready', async () => {
    const timeout = new AbortController();
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeout.signal);
    const answer = ask();
    timeout.abort();
    await expect(answer).rejects.toThrow('still starting');
  });

  it('is not empty', async () => {
    await open();
    await expect(ask('  ')).rejects.toThrow('empty');
    expect(rpc.count(CHAT)).toBe(0);
  });
});

it('ticks files by program, once it is known what is ticked', async () => {
  rpc.ready.set('LLMService.set_selected_files', (paths) => paths);
  void selectInSession(session, ['b.py'], closing.signal);
  expect(session.selection.paths).toEqual([]);
  await open({ selected_files: ['a.py'] });
  expect(rpc.last('LLMService.set_selected_files').args).toEqual([['b.py']]);
  expect(session.selection.paths).toEqual(['b.py']);
});

describe('a value that a program attaches', () => {
  const ADD = 'LLMService.add_context';
  const item = { kind: 'variable', name: 'df', text: 'df: int' } as const;

  it('waits for the start and goes to the conversation', async () => {
    rpc.ready.set(ADD, () => ({ id: 'x' }));
    const attached = attachInSession(session, item, closing.signal);
    await settle();
    expect(rpc.count(ADD)).toBe(0);
    await open();
    await attached;
    expect(rpc.last(ADD).args).toEqual([item]);
  });

  it('rejects with what the server says against it', async () => {
    rpc.ready.set(ADD, () => ({ error: 'Too many.' }));
    await open();
    await expect(attachInSession(session, item, closing.signal)).rejects.toThrow('Too many.');
  });
});
