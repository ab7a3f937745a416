import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { AcApp } from '../../src/elements/app.ts';
import type { TabsStore } from '../../src/model/tabs.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { mount } from '../support/mounted.ts';
import { all, click, drawn, one, press } from '../support/page.ts';
import { type FakeConnection, FakeServer } from '../support/side-by-side.ts';

let server: FakeServer;
let first: FakeConnection;
let app: AcApp;
let tabs: TabsStore<FakeConnection>;

beforeEach(async () => {
  server = new FakeServer();
  ({ app } = await mount(new FakeRpc()));
  first = server.connect();
  app.session = first.session;
  await server.opened(first);
  tabs = server.tabs(first, app);
  app.tabs = tabs;
  await drawn();
});

afterEach(() => {
  tabs.dispose();
  document.body.replaceChildren();
});

const shownNames = () => all('conversation-tab').map((tab) => tab.querySelector('.name')?.textContent);
const selected = () => all('conversation-tab').map((tab) => tab.getAttribute('aria-selected'));

async function second(): Promise<FakeConnection> {
  await click(one('tab-new'));
  const connection = await server.opened();
  await drawn();
  return connection;
}

/** Two tabs, of which the second is shown. */
async function two(): Promise<FakeConnection> {
  tabs.open('');
  const connection = await server.opened();
  await drawn();
  return connection;
}

describe('the strip', () => {
  it('takes no room while there is one conversation', async () => {
    expect(all('conversation-tab')).toHaveLength(0);
    await two();
    expect(shownNames()).toEqual(['New conversation', 'New conversation']);
    await click(all('conversation-close')[0]);
    expect(all('conversation-tab')).toHaveLength(0);
  });

  it('shows a conversation by a press, and a new one beside it with the focus in the input', async () => {
    const other = await two();
    expect([selected(), app.session]).toEqual([['false', 'true'], other.session]);
    await click(all('conversation-tab')[0]);
    expect([selected(), app.session]).toEqual([['true', 'false'], first.session]);
    const third = await second();
    expect(app.session).toBe(third.session);
    expect(focused()).toBe(one('input'));
  });

  it('is worked with arrow keys, Home, End and Delete', async () => {
    await two();
    await second();
    all('conversation-tab')[2]?.focus();
    expect(all('conversation-tab').map((tab) => tab.tabIndex)).toEqual([-1, -1, 0]);
    await press('ArrowLeft');
    expect([selected()[1], focused()]).toEqual(['true', all('conversation-tab')[1]]);
    await press('Home');
    expect([selected()[0], focused()]).toEqual(['true', all('conversation-tab')[0]]);
    await press('Delete', { shiftKey: true });
    expect(all('conversation-tab')).toHaveLength(3);
    await press('Delete');
    expect(all('conversation-tab')).toHaveLength(2);
    expect([selected(), focused()]).toEqual([['true', 'false'], all('conversation-tab')[0]]);
    await press('Delete');
    expect(all('conversation-tab')).toHaveLength(0);
    expect(focused()).toBe(one('input'));
  });

  it('closes a tab by the middle button, and by no other', async () => {
    await two();
    const tab = all('conversation-tab')[1];
    tab?.dispatchEvent(new MouseEvent('auxclick', { button: 2, bubbles: true, cancelable: true }));
    await drawn();
    expect(all('conversation-tab')).toHaveLength(2);
    tab?.dispatchEvent(new MouseEvent('auxclick', { button: 1, bubbles: true, cancelable: true }));
    await drawn();
    expect([all('conversation-tab').length, app.session]).toEqual([0, first.session]);
  });

  it('says what goes on in each', async () => {
    await two();
    await first.rpc.emit('userMessage', { content: 'Why?', request_id: '1-a' });
    await drawn();
    expect(all('conversation-tab')[0]?.dataset.mark).toBe('running');
    expect(all('conversation-tab')[0]?.getAttribute('aria-label')).toBe('Why?: is answering');
    await first.rpc.emit('streamComplete', '1-a', { response: 'So.' });
    await drawn();
    expect(all('conversation-tab')[0]?.getAttribute('aria-label')).toBe('Why?: has a new answer');
    const status = all('conversation-tab')[0]?.closest('nav')?.parentNode?.querySelector('[role="status"]');
    expect(status?.textContent).toBe('An answer is complete in “Why?”.');
  });

  it('says why no other one can be opened', async () => {
    await two();
    while (tabs.tabs.length < 8) await second();
    const plus = one('tab-new');
    expect([plus.getAttribute('aria-disabled'), plus.title]).toEqual(['true', tabs.obstacle]);
    await click(plus);
    expect(all('conversation-tab')).toHaveLength(8);
  });
});

describe('New conversation', () => {
  const button = () => one('new-conversation');
  const ask = (connection: FakeConnection) =>
    connection.rpc.emit('userMessage', { content: 'Why?', request_id: '1-a' });

  it('says why it does nothing while nothing has been asked', async () => {
    expect([button().getAttribute('aria-disabled'), button().getAttribute('aria-label')]).toEqual([
      'true',
      'New conversation',
    ]);
    expect(button().title).toContain('Nothing has been asked');
    expect(button().getAttribute('aria-description')).toBe(button().title);
    await click(button());
    expect([first.rpc.count('LLMService.new_session'), tabs.tabs.length]).toEqual([0, 1]);
  });

  it('begins one in place of an answered one, and with Ctrl beside it', async () => {
    await ask(first);
    await first.rpc.emit('streamComplete', '1-a', { response: 'So.' });
    await drawn();
    expect(button().getAttribute('aria-disabled')).toBe('false');
    await click(button());
    expect([first.rpc.count('LLMService.new_session'), tabs.tabs.length]).toEqual([1, 1]);
    button().dispatchEvent(new MouseEvent('click', { ctrlKey: true, bubbles: true }));
    await drawn();
    expect(tabs.tabs).toHaveLength(2);
  });

  it('opens a tab while an answer is being made, which goes on', async () => {
    await ask(first);
    await drawn();
    expect(button().title).toContain('in a new tab');
    await click(button());
    await server.opened();
    await drawn();
    expect(tabs.tabs).toHaveLength(2);
    expect(first.rpc.count('LLMService.new_session')).toBe(0);
    expect(first.session.chat.stream).not.toBeNull();
    expect(focused()).toBe(one('input'));
  });

  it('says that it can not while the tabs are not loaded', async () => {
    tabs.dispose();
    app.tabs = null;
    first = server.connect();
    app.session = first.session;
    await server.opened(first);
    await ask(first);
    await drawn();
    await click(button());
    expect(first.session.toasts.toasts.map(({ message }) => message)).toEqual([
      'Another conversation can be opened when this answer is complete.',
    ]);
  });

  it('says that there is no connection', async () => {
    await first.rpc.become({ state: 'waiting', reason: 'Gone.', code: 1001 } as never);
    await drawn();
    expect(button().title).toBe('New conversation: there is no connection');
  });
});

describe('the list of earlier conversations', () => {
  const open = () => click(one('sessions').shadowRoot?.querySelector('button'));
  const row = (id: string) => all('session-row').find(({ dataset }) => dataset.session === id);

  it('opens one in a new tab', async () => {
    server.sessions.set('t', {});
    await open();
    await click(all('session-open')[1]);
    const other = await server.opened();
    expect([tabs.tabs.length, other.session.chat.sessionId]).toEqual([2, 't']);
    expect(all('session-row')).toHaveLength(0);
  });

  it('loads one in place of the present one, or shows its tab', async () => {
    server.sessions.set('t', {});
    first.rpc.ready.set('LLMService.load_session_into_context', () => ({ session_id: 't' }));
    tabs.open('t');
    await server.opened();
    tabs.activate(tabs.tabs[0] as never);
    await drawn();
    await open();
    await click(row('t'));
    expect([first.rpc.count('LLMService.load_session_into_context'), selected()]).toEqual([
      0,
      ['false', 'true'],
    ]);
  });

  it('opens one in a new tab while an answer is being made, and says so', async () => {
    server.sessions.set('t', {});
    await first.rpc.emit('userMessage', { content: 'Why?', request_id: '1-a' });
    await drawn();
    await open();
    expect(row('t')?.title).toContain('Opens in a new tab');
    expect(row('t')?.getAttribute('aria-disabled')).toBe('false');
    await click(row('t'));
    const other = await server.opened();
    expect([tabs.tabs.length, other.session.chat.sessionId]).toEqual([2, 't']);
  });

  it('says why the conversation of the running answer can not be deleted', async () => {
    await first.rpc.emit('userMessage', { content: 'Why?', request_id: '1-a' });
    await drawn();
    await open();
    const remove = all('session-delete')[0];
    expect([remove?.getAttribute('aria-disabled'), remove?.title]).toEqual([
      'true',
      'Delete: stop the answer in this conversation first',
    ]);
    await click(remove);
    expect(all('session-delete-confirm')).toHaveLength(0);
  });
});
