import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AgentStore } from '../../../src/model/agent/agent-store.ts';
import { ChatStore } from '../../../src/model/chat.ts';
import { ToastStore } from '../../../src/model/toasts.ts';
import { FakeRpc, settle } from '../../support/fake-rpc.ts';
import { callRow, questionRow, runRow } from '../../support/runs.ts';

const CHAT = 'LLMService.chat_streaming';
const ANSWER = 'LLMService.answer_tool';
const PENDING = 'LLMService.list_pending_tools';
const UNDO = 'LLMService.undo_run';
const CONTENT = 'Settings.get_config_content';
const ONCE = { isAllowed: true, scope: 'once', text: '' } as const;

let rpc: FakeRpc;
let chat: ChatStore;
let toasts: ToastStore;
let agent: AgentStore;

beforeEach(async () => {
  rpc = new FakeRpc();
  toasts = new ToastStore();
  chat = new ChatStore(rpc, {
    beforeSend: async () => {},
    excludedUrls: () => null,
    agentMode: () => agent.mode,
    onTurnEnd: () => {},
    resync: async () => {},
    onError: () => {},
  });
  agent = new AgentStore({ rpc, chat, toasts, ports: { storage: null } });
  rpc.ready.set(PENDING, () => []);
  rpc.ready.set(CONTENT, () => '{"agent": {"max_steps": 25, "max_minutes": 15}}');
  await rpc.become({ state: 'open', first: true });
  chat.show({ session_id: 's', messages: [] });
});

afterEach(() => {
  agent.dispose();
  chat.dispose();
  toasts.dispose();
});

const messages = () => toasts.toasts.map(({ kind, message }) => [kind, message]);

describe('the mode', () => {
  it('goes with the question, and belongs to the conversation', async () => {
    chat.show({ session_id: 'one', messages: [] });
    agent.choose('sandbox');
    void chat.send('Fix it.');
    await settle();
    expect(rpc.last(CHAT).args.slice(1)).toEqual(['Fix it.', null, null, null, null, false, null, 'sandbox']);
    chat.show({ session_id: 'other', messages: [] });
    expect(agent.mode).toBe('ask');
    void chat.send('Why?');
    await settle();
    expect(rpc.last(CHAT).args.slice(1)).toEqual(['Why?']);
  });

  it('goes with a conversation that has no id yet', async () => {
    chat.show({ session_id: 'one', messages: [] });
    void chat.startNew();
    agent.choose('agent');
    await rpc.last('LLMService.new_session').answer({ session_id: 'two' });
    expect(agent.mode).toBe('agent');
    chat.show({ session_id: 'one', messages: [] });
    expect(agent.mode).toBe('ask');
    chat.show({ session_id: 'two', messages: [] });
    expect(agent.mode).toBe('agent');
  });

  it('is to ask where the server has no agent, and says why', () => {
    agent.choose('agent');
    rpc.lacking.add(ANSWER);
    expect(agent.mode).toBe('ask');
    expect(agent.obstacle).toContain('no agent');
  });

  it('is to ask after the server has refused, until the next connection', async () => {
    agent.choose('agent');
    void chat.send('Fix it.');
    await settle();
    await rpc.last(CHAT).fail('access_denied', 'Runs need execute access.');
    expect([agent.mode, agent.obstacle]).toEqual(['ask', 'Runs need execute access.']);
    await rpc.become({ state: 'open', first: false });
    expect([agent.mode, agent.obstacle]).toEqual(['agent', '']);
  });

  it('stays when a plain question is refused', async () => {
    void chat.send('Why?');
    await settle();
    await rpc.last(CHAT).fail('access_denied', 'Ask for access.');
    expect(agent.obstacle).toBe('');
  });

  it('knows the limits of the settings, also when they change', async () => {
    expect(agent.limits).toMatchObject({ steps: 25, seconds: 900 });
    rpc.ready.set(CONTENT, () => '{"agent": {"max_steps": 5}}');
    await rpc.emit('settingsChanged', {});
    expect(agent.limits).toMatchObject({ steps: 5 });
    rpc.ready.set(CONTENT, () => '{ damaged');
    await rpc.emit('settingsChanged', {});
    expect(agent.limits.steps).toBe(0);
  });
});

describe('a decision', () => {
  it('is sent once, with its scope', async () => {
    const decided = agent.decide('r', 'c', { isAllowed: true, scope: 'prefix', text: '' });
    void agent.decide('r', 'c', ONCE);
    expect(rpc.last(ANSWER).args).toEqual(['r', 'c', 'allow', 'prefix', '']);
    expect(rpc.count(ANSWER)).toBe(1);
    await rpc.last(ANSWER).answer({ status: 'ok' });
    await decided;
    expect(agent.isDecided('r', 'c')).toBe(true);
    expect(agent.isDecided('r', 'd')).toBe(false);
  });

  it('can be made again when it has not arrived', async () => {
    void agent.decide('r', 'c', { isAllowed: false, scope: 'once', text: 'Not now.' });
    await rpc.last(ANSWER).fail('internal', 'It failed.');
    expect(rpc.last(ANSWER).args).toEqual(['r', 'c', 'refuse', 'once', 'Not now.']);
    expect(messages()).toEqual([['error', 'It failed.']]);
    expect(agent.isDecided('r', 'c')).toBe(false);
  });
});

describe('waiting calls after a reload', () => {
  const waiting = { request_id: 'r', call_id: 'c1', question: questionRow() };

  beforeEach(async () => {
    rpc.ready.set(PENDING, () => [waiting]);
    rpc.ready.set('LLMService.attach_stream', () => ({ text: '', done: false }));
    chat.restore({ session_id: 's', messages: [], active_streams: [{ request_id: 'r' }] });
    await settle();
  });

  it('are found, with their questions', () => {
    const [call] = agent.pendingOf('r', []);
    expect(call).toMatchObject({ id: 'c1', status: 'waiting', question: { text: 'pytest -q tests' } });
    expect(agent.pendingOf('other', [])).toEqual([]);
  });

  it('give way to their cards', () => {
    const [call] = agent.pendingOf('r', []);
    expect(agent.pendingOf('r', call ? [call] : [])).toEqual([]);
  });

  it('go when they are decided, here or elsewhere', async () => {
    await rpc.emit('toolUpdated', { request_id: 'r', run: runRow(), call: callRow({ status: 'running' }) });
    expect(agent.pendingOf('r', [])).toEqual([]);
  });

  it('are not asked for at the beginning of a question of this page', async () => {
    chat.show({ session_id: 's', messages: [] });
    const before = rpc.count(PENDING);
    void chat.send('Why?');
    await settle();
    expect(rpc.count(PENDING)).toBe(before);
  });
});

describe('undo', () => {
  it('says what was restored, what was left alone, and why', async () => {
    const undone = agent.undo('turn-1', 2);
    void agent.undo('turn-1', 1);
    expect(agent.undoing).toBe('turn-1');
    expect(rpc.count(UNDO)).toBe(1);
    expect(rpc.last(UNDO).args).toEqual(['turn-1', 2]);
    const kept = [{ path: 'b.py', reason: 'You have changed it since.' }];
    await rpc
      .last(UNDO)
      .answer({ status: 'undone', files_restored: ['a.py'], files_kept: kept, run: runRow() });
    await undone;
    expect(agent.undoneOf('turn-1')).toEqual({ restored: ['a.py'], kept, step: 2 });
    expect(messages()).toEqual([['warning', '1 file restored; 1 file left alone.']]);
    expect(agent.undoing).toBe('');
  });

  it('says why it failed', async () => {
    void agent.undo('turn-1', 1);
    await rpc.last(UNDO).fail('not_found', 'No such run.');
    expect(messages()).toEqual([['error', 'No such run.']]);
    expect([agent.undoing, agent.undoneOf('turn-1')]).toEqual(['', null]);
  });
});
