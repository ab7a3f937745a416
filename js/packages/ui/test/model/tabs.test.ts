import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_TABS, type TabsStore } from '../../src/model/tabs.ts';
import { settle } from '../support/fake-rpc.ts';
import { type FakeConnection, FakeServer, OPEN } from '../support/side-by-side.ts';

const QUESTION = { role: 'user', content: 'Why?\nBecause.', request_id: '1-a' };
const RUNNING = { active_streams: [{ request_id: '1-a', accumulated_content: '', length: 0 }] };
let server: FakeServer;
let first: FakeConnection;
let tabs: TabsStore<FakeConnection>;

beforeEach(async () => {
  server = new FakeServer();
  first = await server.opened(server.connect());
  tabs = server.tabs(first);
});

const names = () => tabs.tabs.map(({ name }) => name);
const marks = () => tabs.tabs.map(({ mark }) => mark);
const toasts = ({ session }: FakeConnection) => session.toasts.toasts.map(({ message }) => message);
const stored = () => JSON.parse(server.storage.get('d:tabs') ?? 'null');

/** Fetches the state anew; what else a sync fetches isn't answered here. */
async function synced({ session }: FakeConnection): Promise<void> {
  void session.sync();
  await settle();
}

/** A second tab, whose conversation is shown. */
async function second(id = ''): Promise<FakeConnection> {
  tabs.open(id);
  return await server.opened();
}

describe('a new conversation beside the first', () => {
  it('has a connection of its own, on which it is opened before anything else', async () => {
    const other = await second();
    expect(server.shown).toBe(other);
    expect(tabs.active.connection).toBe(other);
    const called = other.rpc.calls.map(({ method, args }) => [method, ...args]);
    // First that from which it is opened: it begins with its ticks.
    expect(called.slice(0, 3)).toEqual([[OPEN, 's'], [OPEN, ''], ['LLMService.get_current_state']]);
    expect(other.session.chat.sessionId).toBe('new-1');
    expect(first.session.chat.sessionId).toBe('s');
    expect(first.rpc.count(OPEN)).toBe(0);
  });

  it('is opened again by its own id on each later connection', async () => {
    const other = await second();
    await other.rpc.become({ state: 'waiting', reason: 'gone', code: 1006 } as never);
    await other.rpc.become({ state: 'open', first: false });
    expect(other.rpc.last(OPEN).args).toEqual(['new-1']);
  });

  it('is not confused with another one when it can not be opened again', async () => {
    const other = await second();
    server.sessions.delete('new-1');
    await other.rpc.become({ state: 'open', first: false });
    expect([other.session.status, other.session.problem]).toEqual([
      'error',
      "There is no session 'new-1' in your history here.",
    ]);
  });

  it('sends no question before it is open', async () => {
    const other = await second();
    other.rpc.ready.delete(OPEN);
    await other.rpc.become({ state: 'open', first: false });
    void other.session.chat.send('Why?');
    await settle();
    expect(other.rpc.count('LLMService.chat_streaming')).toBe(0);
    await other.rpc.last(OPEN).answer({ session_id: 'new-1' });
    expect(other.rpc.count('LLMService.chat_streaming')).toBe(1);
  });
});

describe('a conversation of the history', () => {
  it('is opened by its id, once', async () => {
    server.sessions.set('t', { messages: [QUESTION] });
    const other = await second('t');
    expect(other.rpc.calls.filter(({ method }) => method === OPEN).map(({ args }) => args)).toEqual([['t']]);
    expect(other.session.chat.messages).toHaveLength(1);
    tabs.activate(tabs.tabs[0] as never);
    tabs.open('t');
    expect([tabs.tabs.length, server.shown]).toEqual([2, other]);
    tabs.open('s');
    expect([tabs.tabs.length, server.shown]).toEqual([2, first]);
  });

  it('that is not there is said where it was asked for, and its tab is closed', async () => {
    const other = await second('gone');
    expect([tabs.tabs.length, other.isConnected, server.shown]).toEqual([1, false, first]);
    expect(toasts(first)).toEqual(["There is no session 'gone' in your history here."]);
  });

  it('gets the text back that was typed in its tab before that was closed', async () => {
    server.sessions.set('t', {});
    const other = await second('t');
    other.session.draft.set('Half a question');
    tabs.close(tabs.active);
    expect([...server.storage.keys()].filter((key) => key.startsWith('d#'))).toEqual([]);
    const again = await second('t');
    expect(again.session.draft.text).toBe('Half a question');
  });
});

describe('a tab', () => {
  it('is named after the first question, or as the user has named the conversation', async () => {
    server.sessions.set('s', { messages: [QUESTION] });
    await synced(first);
    expect(names()).toEqual(['Why?']);
    await second();
    expect(names()).toEqual(['Why?', 'New conversation']);
    first.session.history.sessions = [{ id: 's', title: 'The cause', preview: 'Why?' } as never];
    await first.session.history.refresh();
    expect(names()[0]).toBe('About s');
  });

  it('says that an answer is being made, and that one came while another tab was shown', async () => {
    const other = await second();
    server.sessions.set('s', { messages: [QUESTION], ...RUNNING });
    await synced(first);
    expect(marks()).toEqual(['running', '']);
    await first.rpc.emit('streamComplete', '1-a', { response: 'So.' });
    expect([marks(), tabs.news]).toEqual([['unread', ''], 'An answer is complete in “Why?”.']);
    tabs.activate(tabs.tabs[0] as never);
    expect([marks(), tabs.news]).toEqual([['', ''], '']);
    await other.rpc.emit('userMessage', { content: 'Here?', request_id: '2-b' });
    expect(marks()).toEqual(['', 'running']);
    tabs.activate(tabs.tabs[1] as never);
    await other.rpc.emit('streamComplete', '2-b', { response: 'Yes.' });
    expect(marks()).toEqual(['', '']);
    await first.rpc.emit('userMessage', { content: 'And now?', request_id: '3-a' });
    await first.rpc.emit('streamComplete', '3-a', { response: '', error: 'Too slow.' });
    expect([marks(), tabs.news]).toEqual([['unread', ''], 'An answer has failed in “Why?”.']);
  });

  it('says that the agent asks something, until it is answered', async () => {
    await second();
    server.sessions.set('s', { messages: [QUESTION], ...RUNNING });
    await synced(first);
    const told = (status: string) => ({
      request_id: '1-a',
      run: { run_id: 'r', request_id: '1-a', state: 'running' },
      call: { call_id: 'c', status, tool: 'run_command' },
    });
    await first.rpc.emit('toolUpdated', told('waiting'));
    expect([marks(), tabs.news]).toEqual([['asking', ''], 'The agent asks something in “Why?”.']);
    await first.rpc.emit('toolUpdated', told('running'));
    expect(marks()).toEqual(['running', '']);
  });
});

describe('closing a tab', () => {
  it('shows its neighbour, ends the connection, and stops no answer', async () => {
    const other = await second();
    await other.rpc.emit('userMessage', { content: 'Here?', request_id: '2-b' });
    tabs.close(tabs.active);
    expect([server.shown, other.isConnected]).toEqual([first, false]);
    expect(other.rpc.count('LLMService.cancel_streaming')).toBe(0);
    expect(toasts(first)).toEqual(['The answer goes on; the conversation is in the list of earlier ones.']);
    tabs.close(tabs.active);
    expect([tabs.tabs.length, first.isConnected]).toEqual([1, true]);
  });

  it('of the conversation that all panels show leaves the others', async () => {
    const other = await second();
    tabs.close(tabs.tabs[0] as never);
    expect([server.shown, first.isConnected, tabs.tabs.length]).toEqual([other, false, 1]);
    expect(stored().tabs).toEqual([{ id: tabs.active.id, session: 'new-1' }]);
  });
});

describe('after a reload', () => {
  async function reload(): Promise<void> {
    tabs.dispose();
    server.connections.length = 0;
    first = server.connect();
    tabs = server.tabs(first);
    await server.opened(first);
    for (const connection of server.connections.slice(1)) await server.opened(connection);
  }

  it('the tabs and the shown one are there again', async () => {
    await second();
    await second();
    tabs.activate(tabs.tabs[1] as never);
    expect(stored().tabs.map(({ session }: { session: string }) => session)).toEqual(['', 'new-1', 'new-2']);
    await reload();
    const shown = server.connections.map(({ session }) => session.chat.sessionId);
    expect(shown).toEqual(['s', 'new-1', 'new-2']);
    expect(server.shown).toBe(server.connections[1]);
    expect(names()).toEqual(['About s', 'About new-1', 'About new-2']);
  });

  it('a closed first tab stays closed', async () => {
    await second();
    tabs.close(tabs.tabs[0] as never);
    await reload();
    expect([tabs.tabs.length, first.isConnected]).toEqual([1, false]);
    expect(tabs.active.connection.session.chat.sessionId).toBe('new-1');
  });

  it('a conversation that was deleted meanwhile is said, and its tab closed', async () => {
    await second();
    server.sessions.delete('new-1');
    await reload();
    expect([tabs.tabs.length, server.shown]).toEqual([1, first]);
    expect(toasts(first)).toEqual(['A conversation that was open in a tab is no longer in the history.']);
    expect(server.storage.has('d:tabs')).toBe(false);
  });

  it.each(['{', '[]', '{"tabs":7}', '{"tabs":[{"id":"x"},7,null]}'])('nothing comes of %s', async (kept) => {
    server.storage.set('d:tabs', kept);
    await reload();
    expect([tabs.tabs.length, server.shown]).toEqual([1, first]);
  });
});

describe('the limits', () => {
  it('are said', async () => {
    for (let count = 1; count < MAX_TABS; count += 1) await second();
    expect(tabs.obstacle).toContain('close one of them first');
    tabs.open('');
    expect(tabs.tabs).toHaveLength(MAX_TABS);
    expect(toasts(tabs.active.connection)).toEqual([tabs.obstacle]);
  });

  it('do not depend on the tab that is still connecting, and are heard of when all connections are lost', async () => {
    let heard = 0;
    tabs.open('');
    tabs.subscribe(() => {
      heard += 1;
    });
    expect(tabs.obstacle).toBe('');
    await first.rpc.become({ state: 'waiting', reason: 'Gone.', code: 1001 } as never);
    expect([tabs.obstacle, heard > 0]).toEqual([
      'This server shows one conversation only, or there is no connection.',
      true,
    ]);
  });

  it('include servers that have only one conversation', async () => {
    first.rpc.lacking.add(OPEN);
    tabs.open('');
    expect([tabs.tabs.length, toasts(first)]).toEqual([1, [tabs.obstacle]]);
  });
});
