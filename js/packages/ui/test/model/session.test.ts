import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Session } from '../../src/model/session.ts';
import { modelsOf } from '../../src/model/settings-parts.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';
import { AROUND, folderPorts } from '../support/folder.ts';
import { rawRows } from '../support/raw-rows.ts';

const ROWS = 'Repo.get_tree_rows';
const STATE = {
  messages: [],
  selected_files: ['a.py'],
  session_id: 's',
  repo_name: 'weather',
  init_complete: true,
  protocol: 1,
  version: '0.1.0',
  model: { name: 'openai/gpt-5', demo: false, available: true, message: '' },
  active_streams: [],
};

let rpc: FakeRpc;
let session: Session;
let stored: Map<string, string>;
const diagnose = vi.fn();
const initRepository = vi.fn();

function newSession(): Session {
  return new Session(rpc, {
    version: '0.1.0',
    storage: {
      getItem: (key) => stored.get(key) ?? null,
      setItem: (key, value) => void stored.set(key, value),
      removeItem: (key) => void stored.delete(key),
    },
    draftKey: () => 'draft',
    diagnose,
    ...folderPorts(),
    initRepository,
  });
}

async function open(first = true): Promise<void> {
  await rpc.become({ state: 'open', first });
}

const toasts = () => session.toasts.toasts.map(({ message }) => message);

beforeEach(() => {
  vi.useFakeTimers();
  stored = new Map();
  rpc = new FakeRpc();
  rpc.ready.set('LLMService.get_current_state', () => STATE);
  rpc.ready.set(ROWS, () => rawRows([]));
  rpc.ready.set('LLMService.get_context_breakdown', () => ({}));
  diagnose.mockReset().mockResolvedValue('The server is away.');
  initRepository.mockReset().mockResolvedValue(undefined);
  session = newSession();
});

afterEach(() => {
  session.dispose();
  vi.useRealTimers();
});

describe('the status', () => {
  it('is starting, then ready', async () => {
    expect(session.status).toBe('starting');
    await open();
    expect(session.status).toBe('ready');
    expect(session.repoName).toBe('weather');
    expect(session.selection.paths).toEqual(['a.py']);
    expect(session.files.branch).toBe('main');
  });

  it('is starting until the server has ended its start, and tells how far that is', async () => {
    rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, init_complete: false }));
    await open();
    await rpc.emit('startupProgress', 'session_restore', 'Reading the history', 30);
    expect(session.status).toBe('starting');
    expect(session.progress).toEqual({ message: 'Reading the history', percent: 30 });
    await rpc.emit('startupProgress', 'ready', '', 100);
    expect(session.status).toBe('ready');
  });

  it('is streaming while an answer comes in', async () => {
    await open();
    void session.chat.send('Why?');
    expect(session.status).toBe('streaming');
  });

  it('is offline after a loss, through all attempts, and says why', async () => {
    await open();
    await rpc.become({ state: 'waiting', code: 1006, reason: 'Lost.', delayMs: 1000 });
    expect(session.status).toBe('offline');
    expect(session.problem).toBe('The server is away.');
    await rpc.become({ state: 'connecting' });
    expect(session.status).toBe('offline');
  });

  it('is offline when the server has never been reached', async () => {
    await rpc.become({ state: 'waiting', code: 1006, reason: 'Lost.', delayMs: 1000 });
    expect(session.status).toBe('offline');
  });

  it('is error when the server refuses, with its sentence', async () => {
    await rpc.become({ state: 'refused', code: 4409, reason: 'Not the same files.' });
    expect(session.status).toBe('error');
    expect(session.problem).toBe('Not the same files.');
    expect(session.lacksRepository).toBe(false);
  });

  it('is error when the state cannot be had', async () => {
    rpc.ready.delete('LLMService.get_current_state');
    await open();
    await rpc.last('LLMService.get_current_state').fail('internal', 'Broken.');
    expect(session.status).toBe('error');
    expect(session.problem).toBe('Broken.');
  });
});

describe('a reconnect', () => {
  it('asks for everything again and says so once', async () => {
    await open();
    await rpc.become({ state: 'waiting', code: 1006, reason: 'Lost.', delayMs: 1000 });
    await open(false);
    expect(rpc.count('LLMService.get_current_state')).toBe(2);
    expect(toasts()).toEqual(['Reconnected']);
    expect(session.problem).toBe('');
  });

  it('keeps a question that was asked while the state was on its way', async () => {
    await open();
    rpc.ready.delete('LLMService.get_current_state');
    await open(false);
    session.draft.set('Why?');
    void session.ask();
    await settle();
    await rpc.last('LLMService.get_current_state').answer(STATE);
    expect(session.chat.messages.map(({ content }) => content)).toEqual(['Why?', '']);
    const id = rpc.last('LLMService.chat_streaming').args[0];
    rpc.ready.set('LLMService.get_current_state', () => ({
      ...STATE,
      messages: [{ role: 'user', content: 'Why?', request_id: id, state: 'done' }],
      active_streams: [{ request_id: id, accumulated_content: '' }],
    }));
    await rpc.last('LLMService.chat_streaming').answer({ status: 'started' });
    expect(session.status).toBe('streaming');
    expect(toasts()).not.toContain('Your question did not arrive; it is back in the input.');
    await rpc.emit('streamComplete', id, { response: 'Because.' });
    expect(session.chat.messages.map(({ content }) => content)).toEqual(['Why?', 'Because.']);
  });

  it('sends a question that was asked while a new conversation is being taken over', async () => {
    await open();
    rpc.ready.delete('LLMService.get_current_state');
    void session.chat.startNew();
    await rpc.last('LLMService.new_session').answer({ session_id: 'new' });
    await rpc.emit('sessionChanged', { session_id: 'new', messages: [] });
    session.draft.set('Why?');
    void session.ask();
    await settle();
    await rpc.last('LLMService.get_current_state').answer({ ...STATE, session_id: 'new' });
    await rpc.last('LLMService.chat_streaming').answer({ status: 'started' });
    expect(session.chat.messages.map(({ content }) => content)).toEqual(['Why?', '']);
  });

  it('puts the draft away with the conversation that is left, and keeps what is typed since', async () => {
    const messages = [{ role: 'user', content: 'One', request_id: '1-a', state: 'done' }];
    rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, messages }));
    await open();
    session.draft.set('Old draft');
    void session.chat.startNew();
    expect([session.draft.text, session.chat.messages]).toEqual(['', []]);
    session.draft.set('Typed since');
    rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, session_id: 'new' }));
    await rpc.last('LLMService.new_session').answer({ session_id: 'new' });
    expect(session.draft.text).toBe('Typed since');
    await rpc.emit('sessionChanged', { session_id: 's', messages });
    expect(session.draft.text).toBe('Old draft');
    await rpc.emit('sessionChanged', { session_id: 'new', messages: [] });
    expect(session.draft.text).toBe('Typed since');
  });

  it('does not bring back the conversation that was left while its state was on its way', async () => {
    const messages = [{ role: 'user', content: 'One', request_id: '1-a', state: 'done' }];
    rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, messages }));
    await open();
    rpc.ready.delete('LLMService.get_current_state');
    void session.sync();
    const late = rpc.last('LLMService.get_current_state');
    void session.chat.startNew();
    session.draft.set('Typed since');
    await late.answer({ ...STATE, messages });
    expect([session.chat.messages, session.draft.text]).toEqual([[], 'Typed since']);
    await rpc.last('LLMService.new_session').answer({ session_id: 'new' });
    await rpc.last('LLMService.get_current_state').answer({ ...STATE, session_id: 'new' });
    expect([session.chat.sessionId, session.draft.text]).toEqual(['new', 'Typed since']);
  });

  it('gives a lost question back to the input', async () => {
    await open();
    session.draft.set('Lost?');
    void session.ask();
    await settle();
    await rpc.last('LLMService.chat_streaming').fail('closed');
    await open(false);
    expect(session.draft.text).toBe('Lost?');
    expect(toasts()).toContain('Your question did not arrive; it is back in the input.');
  });

  it('puts a lost question before what has been typed meanwhile', async () => {
    await open();
    session.draft.set('Lost?');
    void session.ask();
    await settle();
    session.draft.set('Next');
    await rpc.last('LLMService.chat_streaming').fail('closed');
    await open(false);
    expect(session.draft.text).toBe('Lost?\n\nNext');
  });
});

describe('the draft', () => {
  it('survives a reload and goes when it is sent', async () => {
    await open();
    session.draft.set('Half a question');
    session.dispose();
    session = newSession();
    await open();
    expect(session.draft.text).toBe('Half a question');
    void session.ask();
    expect(session.draft.text).toBe('');
    expect(stored.size).toBe(0);
  });

  it.each(['', '   \n'])('is not sent when it is %j', async (text) => {
    await open();
    session.draft.set(text);
    await session.ask();
    expect(rpc.count('LLMService.chat_streaming')).toBe(0);
  });

  it('waits while an answer comes in', async () => {
    await open();
    session.draft.set('One');
    void session.ask();
    await settle();
    session.draft.set('Two');
    await session.ask();
    expect([session.draft.text, session.draft.queued]).toEqual(['', 'Two']);
    expect(rpc.count('LLMService.chat_streaming')).toBe(1);
  });
});

describe('versions', () => {
  it.each([
    [{ version: '0.1.0', protocol: 1 }, false],
    [{ version: '0.2.0', protocol: 1 }, true],
    [{ version: '0.1.0', protocol: 2 }, true],
  ])('%j: a sentence when the two ends differ', async (versions, isSaid) => {
    rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, ...versions }));
    await open();
    expect(session.versionNote !== '').toBe(isSaid);
  });
});

describe('a folder without a repository', () => {
  it('can be given one, and the connection is tried again', async () => {
    await rpc.become({ state: 'refused', code: 4404, reason: 'There is no repository.' });
    expect(session.lacksRepository).toBe(true);
    session.noRepository.ask(true);
    await session.noRepository.init();
    expect(initRepository.mock.calls).toEqual([[AROUND.folder]]);
    expect(rpc.retries).toBe(1);
  });

  it('says why that failed', async () => {
    initRepository.mockRejectedValue(new Error('Not writable.'));
    await rpc.become({ state: 'refused', code: 4404, reason: 'There is no repository.' });
    session.noRepository.ask(true);
    await session.noRepository.init();
    expect(toasts()).toEqual(['Not writable.']);
    expect(rpc.retries).toBe(0);
  });
});

it('asks after a reconnection for what has changed in the files since', async () => {
  await open();
  rpc.ready.delete(ROWS);
  await rpc.emit('filesModified', ['a.py']);
  const lost = rpc.last(ROWS);
  await rpc.become({ state: 'waiting', code: 1006, reason: 'Lost.', delayMs: 1000 });
  await lost.fail('closed');
  await rpc.become({ state: 'open', first: false });
  expect(rpc.last(ROWS).args).toEqual(['e-1', 0, '']);
  await rpc.last(ROWS).answer(rawRows(['b.py'], {}, { since: 'e-1', version: 'e-2' }));
  expect([session.files.rows.length, session.files.error]).toEqual([1, '']);
});

it('reads the files again after a turn that changed some', async () => {
  await open();
  const before = rpc.count(ROWS);
  await rpc.emit('streamComplete', 'x', { files_modified: ['a.py'] });
  expect(rpc.count(ROWS)).toBe(before + 1);
});

it.each([
  [['a.py'], 1],
  [['src'], 1],
  [['b.py', 'sr', 'src/deep/other.py'], 0],
  [[], 1],
] as const)('counts the context again when %j have changed that may be ticked', async (paths, times) => {
  rpc.ready.set('LLMService.get_current_state', () => ({
    ...STATE,
    selected_files: ['a.py', 'src/deep/c.py'],
  }));
  await open();
  const before = rpc.count('LLMService.get_context_breakdown');
  await rpc.emit('filesModified', paths);
  expect(rpc.count('LLMService.get_context_breakdown') - before).toBe(times);
});

describe('changed settings', () => {
  it('are taken over, and said where they were not made', async () => {
    await open();
    const before = rpc.count('LLMService.get_current_state');
    await rpc.emit('settingsChanged', { model: 'x', source: 'llm.json', message: '`x` answers now.' });
    expect(rpc.count('LLMService.get_current_state')).toBe(before + 1);
    expect(toasts()).toEqual(['`x` answers now.']);
  });

  it('reach the list of models that was read before, and no other', async () => {
    await open();
    await rpc.emit('settingsChanged', {});
    expect(rpc.count('Settings.list_models')).toBe(0);
    void modelsOf(session.settings).refresh();
    await rpc.last('Settings.list_models').answer({ models: [] });
    await rpc.emit('settingsChanged', {});
    expect(rpc.count('Settings.list_models')).toBe(2);
  });
});

it.each(['streamComplete', 'sessionChanged'] as const)('asks what was spent on %s', async (event) => {
  await open();
  const before = rpc.count('LLMService.get_spend');
  await rpc.emit(event, event === 'streamComplete' ? 'x' : {}, {});
  expect(rpc.count('LLMService.get_spend')).toBe(before + 1);
});

it('looks again when somebody comes back, but not at once', async () => {
  await open();
  const state = () => rpc.count('LLMService.get_current_state');
  expect(state()).toBe(1);
  void session.syncIfStale();
  await settle();
  expect(state()).toBe(1);
  vi.advanceTimersByTime(5000);
  void session.syncIfStale();
  await settle();
  expect(state()).toBe(2);
  vi.advanceTimersByTime(5000);
  await rpc.become({ state: 'waiting', code: 1006, reason: '', attempt: 1 } as never);
  void session.syncIfStale();
  await settle();
  expect(state()).toBe(2);
});

it('asks an older server for nothing that it lacks', async () => {
  for (const method of ['get_spend', 'get_snippets', 'get_history_status', 'get_history_trust'])
    rpc.lacking.add(`LLMService.${method}`);
  await open();
  expect(rpc.calls.filter(({ method }) => /spend|snippets|history_|Settings/.test(method))).toEqual([]);
});

it('hears nothing more after disposal', async () => {
  session.dispose();
  await open();
  expect(rpc.calls).toHaveLength(0);
});
