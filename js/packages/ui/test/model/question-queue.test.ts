import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Session } from '../../src/model/session.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';
import { folderPorts } from '../support/folder.ts';
import { rawRows } from '../support/raw-rows.ts';

const CHAT = 'LLMService.chat_streaming';
const BRANCH = 'LLMService.branch_session';
const STATE = {
  messages: [],
  selected_files: [],
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

const toasts = () => session.toasts.toasts.map(({ message }) => message);
const asked = () => rpc.calls.filter(({ method }) => method === CHAT).map(({ args }) => args[1]);
const input = () => [session.draft.text, session.draft.queued];
const id = () => String(rpc.last(CHAT).args[0]);

/** Asks, and lets a second question wait. */
async function askTwice(): Promise<void> {
  session.draft.set('One');
  void session.ask();
  await settle();
  await rpc.last(CHAT).answer({ status: 'started' });
  session.draft.set('Two');
  await session.ask();
}

/** News of a run of the answer that is being made. */
const runNews = () =>
  rpc.emit('toolUpdated', {
    request_id: id(),
    run: { run_id: 'r', request_id: id(), mode: 'agent', state: 'running', calls: [], steps: [] },
  });

beforeEach(async () => {
  vi.useFakeTimers();
  rpc = new FakeRpc();
  rpc.ready.set('LLMService.get_current_state', () => STATE);
  rpc.ready.set('Repo.get_tree_rows', () => rawRows([]));
  rpc.ready.set('LLMService.get_context_breakdown', () => ({}));
  session = new Session(rpc, {
    version: '0.1.0',
    storage: null,
    draftKey: () => 'd',
    diagnose: async () => '',
    ...folderPorts(),
  });
  await rpc.become({ state: 'open', first: true });
});

afterEach(() => {
  session.dispose();
  vi.useRealTimers();
});

describe('a question that is asked while an answer comes in', () => {
  it('is told to a running agent', async () => {
    session.draft.set('One');
    void session.ask();
    await settle();
    await rpc.last(CHAT).answer({ status: 'started' });
    runNews();
    session.draft.set('Mind the gap');
    void session.ask();
    await settle();
    expect(rpc.last('LLMService.add_to_run').args).toEqual([id(), 'Mind the gap']);
    await rpc.last('LLMService.add_to_run').answer({ status: 'ok' });
    await settle();
    expect(input()).toEqual(['', '']);
    expect(toasts().at(-1)).toContain('next step');
  });

  it('comes back into the input of the page that wrote it when the run ends before its next step', async () => {
    session.draft.set('One');
    void session.ask();
    await settle();
    await rpc.last(CHAT).answer({ status: 'started' });
    runNews();
    for (const said of ['Mind the gap', 'And the train']) {
      session.draft.set(said);
      void session.ask();
      await settle();
      await rpc.last('LLMService.add_to_run').answer({ status: 'ok' });
      await settle();
    }
    session.draft.set('Then');
    const undelivered = ['Mind the gap', 'Of another page', 'And the train'];
    await rpc.emit('streamComplete', id(), { response: 'So.', undelivered });
    expect(input()).toEqual(['Mind the gap\n\nAnd the train\n\nThen', '']);
    expect(toasts().at(-1)).toContain('before the agent was told');
    await rpc.emit('streamComplete', 'later', { response: 'So.', undelivered });
    expect(session.draft.text).toBe('Mind the gap\n\nAnd the train\n\nThen');
  });

  it('waits where the agent has just ended', async () => {
    session.draft.set('One');
    void session.ask();
    await settle();
    await rpc.last(CHAT).answer({ status: 'started' });
    runNews();
    session.draft.set('Two');
    void session.ask();
    await settle();
    await rpc.last('LLMService.add_to_run').fail('not_found', 'gone');
    await settle();
    expect(input()).toEqual(['', 'Two']);
  });

  it('is sent when the answer is complete', async () => {
    await askTwice();
    expect(input()).toEqual(['', 'Two']);
    session.draft.set('Three');
    await rpc.emit('streamComplete', id(), { response: 'So.' });
    expect(asked()).toEqual(['One', 'Two']);
    expect(input()).toEqual(['Three', '']);
    expect(session.chat.stream?.requestId).toBe(id());
  });

  it.each([{ response: 'S', cancelled: true }, { error: 'Broken.' }])(
    'comes back before what is typed since when the answer ends so: %j',
    async (end) => {
      await askTwice();
      session.draft.set('Three');
      await rpc.emit('streamComplete', id(), end);
      expect(asked()).toEqual(['One']);
      expect(input()).toEqual(['Two\n\nThree', '']);
    },
  );

  it('is sent when it was asked after Stop, as soon as the answer has stopped', async () => {
    session.draft.set('One');
    void session.ask();
    await settle();
    await rpc.last(CHAT).answer({ status: 'started' });
    const first = id();
    void session.chat.stop();
    session.draft.set('Two');
    await session.ask();
    expect([asked(), input()]).toEqual([['One'], ['', 'Two']]);
    await rpc.emit('streamComplete', first, { response: 'S', cancelled: true });
    expect(asked()).toEqual(['One', 'Two']);
  });

  it('comes back when the server refuses the one before it', async () => {
    session.draft.set('One');
    void session.ask();
    await settle();
    session.draft.set('Two');
    await session.ask();
    await rpc.last(CHAT).answer({ error: 'No.' });
    expect(input()).toEqual(['Two', '']);
  });

  it('is the only one that waits', async () => {
    await askTwice();
    session.draft.set('Three');
    await session.ask();
    expect(input()).toEqual(['Three', 'Two']);
    expect(toasts()).toEqual(['One question waits already; this one stays in the input.']);
  });

  it('can be taken back', async () => {
    await askTwice();
    session.questions.unqueue();
    expect(input()).toEqual(['Two', '']);
    await rpc.emit('streamComplete', id(), { response: 'So.' });
    expect(asked()).toEqual(['One']);
  });

  it('is sent after a lost connection when the answer was completed meanwhile', async () => {
    await askTwice();
    const first = id();
    rpc.ready.set('LLMService.get_current_state', () => ({
      ...STATE,
      messages: [
        { role: 'user', content: 'One', request_id: first, state: 'done' },
        { role: 'assistant', content: 'So.', request_id: first, state: 'done' },
      ],
    }));
    await rpc.become({ state: 'waiting', code: 1006, reason: 'Lost.', delayMs: 1000 });
    expect(input()).toEqual(['', 'Two']);
    await rpc.become({ state: 'open', first: false });
    expect(asked()).toEqual(['One', 'Two']);
  });

  it('goes on waiting when the answer still comes in after a lost connection', async () => {
    await askTwice();
    const first = id();
    rpc.ready.set('LLMService.get_current_state', () => ({
      ...STATE,
      messages: [{ role: 'user', content: 'One', request_id: first, state: 'done' }],
      active_streams: [{ request_id: first, accumulated_content: 'S' }],
    }));
    await rpc.become({ state: 'waiting', code: 1006, reason: 'Lost.', delayMs: 1000 });
    await rpc.become({ state: 'open', first: false });
    expect(input()).toEqual(['', 'Two']);
    await rpc.emit('streamComplete', first, { response: 'So.' });
    expect(asked()).toEqual(['One', 'Two']);
  });

  it('takes its images along', async () => {
    rpc.ready.set('LLMService.put_image', (uri) => ({ id: `id of ${uri}` }));
    session.draft.set('One');
    void session.ask();
    await settle();
    await rpc.last(CHAT).answer({ status: 'started' });
    session.draft.set('Two');
    session.attachments.restore(['data:1']);
    await session.ask();
    expect(session.attachments.images).toEqual([]);
    await rpc.emit('streamComplete', id(), { response: 'So.' });
    expect(rpc.last(CHAT).args.at(-1)).toEqual(['id of data:1']);
  });

  it('is left behind in the draft of a conversation that is left', async () => {
    await askTwice();
    await rpc.emit('sessionChanged', { session_id: 't', messages: [] });
    expect(input()).toEqual(['', '']);
    expect(asked()).toEqual(['One']);
  });
});

describe('an earlier question', () => {
  const messages = [
    { role: 'user', content: 'One', request_id: '1-a', state: 'done' },
    { role: 'assistant', content: 'So.', request_id: '1-a', state: 'done' },
    { role: 'user', content: 'Two', request_id: '2-a', state: 'done' },
    { role: 'assistant', content: 'So.', request_id: '2-a', state: 'done' },
  ];

  async function branch(): Promise<void> {
    await rpc.emit('sessionChanged', { session_id: 's', messages });
    session.draft.set('Half');
    const question = session.chat.messages[2];
    if (question) void session.questions.branch(question);
    await settle();
  }

  it('is in the input of a conversation of its own, which has what was before it', async () => {
    await branch();
    expect(rpc.last(BRANCH).args).toEqual(['2-a']);
    const next = { ...STATE, session_id: 't', messages: messages.slice(0, 2) };
    rpc.ready.set('LLMService.get_current_state', () => next);
    await rpc.last(BRANCH).answer({ ...next, question: 'Two, whole', images: [] });
    await settle();
    expect(session.chat.messages.map(({ content }) => content)).toEqual(['One', 'So.']);
    expect(session.draft.text).toBe('Two, whole');
    await rpc.emit('sessionChanged', { session_id: 's', messages });
    expect(session.draft.text).toBe('Half');
  });

  it('stays where it is when the server refuses, who says why', async () => {
    await branch();
    await rpc.last(BRANCH).answer({ error: 'An answer is still being made.' });
    expect(toasts()).toEqual(['An answer is still being made.']);
    expect(session.draft.text).toBe('Half');
  });

  it('is not offered by a server that is too old', () => {
    expect(session.questions.canBranch).toBe(true);
    rpc.lacking.add(BRANCH);
    expect(session.questions.canBranch).toBe(false);
  });
});
