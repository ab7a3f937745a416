import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AcApp } from '../../src/elements/app.ts';
import { openLocation } from '../../src/elements/location-links.ts';
import { hostPanel } from '../../src/host/hosted-panel.ts';
import type { ConversationRef, EndedActivity, HostedPanel, PanelReport } from '../../src/host/ports.ts';
import type { FileLocation } from '../../src/model/file-location.ts';
import { LayoutStore } from '../../src/model/layout.ts';
import { Session } from '../../src/model/session.ts';
import type { TabsStore } from '../../src/model/tabs.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { folderPorts } from '../support/folder.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { drawn } from '../support/page.ts';
import { callRow, questionRow, runRow } from '../support/runs.ts';
import { type FakeConnection, FakeServer } from '../support/side-by-side.ts';

const LOCATION: FileLocation = { path: 'src/a.py', line: 0, col: 0 };
let app: AcApp;
let rpc: FakeRpc;
let session: Session;
let hosted: HostedPanel;
const report = vi.fn((_report: PanelReport) => {});
const ended = vi.fn((_activity: EndedActivity) => {});
const openOutside = vi.fn((_location: FileLocation) => false);

const last = (): PanelReport => report.mock.lastCall?.[0] as PanelReport;
/** Until what has happened is reported. */
const reported = drawn;

beforeEach(async () => {
  vi.clearAllMocks();
  rpc = new FakeRpc();
  ({ app, session } = await mount(rpc));
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, repo_root: '/srv/weather' }));
  rpc.ready.set('LLMService.get_context_breakdown', () => ({
    ...{ total_tokens: 1234, max_input_tokens: 128_000, breakdown: {} },
    session_totals: { total: 9000, cost_usd: 0.25, priced_request_count: 2 },
  }));
  document.body.insertAdjacentHTML(
    'beforeend',
    '<script id="jupyter-config-data" type="application/json">{"serverRoot": "/srv"}</script>',
  );
  hosted = hostPanel(app, { report, ended, openLocation: openOutside }, queueMicrotask);
});

afterEach(() => {
  hosted.dispose();
  app.session.dispose();
  document.body.replaceChildren();
});

describe('the report of a panel', () => {
  it('says what is sent, by which model, and what the conversation has cost', async () => {
    await connect(rpc);
    await reported();
    expect(last()).toMatchObject({
      ...{ status: 'ready', repository: 'weather', root: '/srv/weather', model: 'openai/gpt-a' },
      ...{ tokens: 1234, maxTokens: 128_000, cost: 0.25, activities: [], waiting: [], isUnsaved: false },
    });
    expect(last().obstacles).toMatchObject({
      new: '',
      commit: '',
      search: '',
      stop: 'No answer is being written.',
    });
    const count = report.mock.calls.length;
    session.toasts.show('info', 'Nothing of that is reported.');
    await reported();
    expect(report).toHaveBeenCalledTimes(count);
  });

  it('leaves out what the server doesn’t offer', async () => {
    rpc.lacking.add('Planner.list_plans').add('LLMService.commit_files');
    await connect(rpc);
    await reported();
    expect(Object.keys(last().obstacles)).not.toEqual(expect.arrayContaining(['plans', 'commit']));
    await expect(hosted.perform('plans')).rejects.toThrow('update and restart');
  });

  it('names an answer while it is written, and how it has ended', async () => {
    await connect(rpc);
    void session.chat.send('Why is it so?\nSay it at length.');
    await reported();
    const id = session.chat.asked;
    const conversation = { id: 's', name: '', root: '/srv/weather' };
    const activity = { conversation, kind: 'answer', id, title: 'Why is it so?' };
    expect(last().activities).toEqual([activity]);
    expect(last().obstacles).toMatchObject({
      stop: '',
      commit: 'Wait for the end of the answer, or stop it.',
    });
    await rpc.emit('streamComplete', id, { response: 'So.' });
    await reported();
    expect(last().activities).toEqual([]);
    expect(ended.mock.calls).toEqual([[{ ...activity, outcome: 'done', reason: '' }]]);
  });

  it('tells a failed answer from a stopped one', async () => {
    await connect(rpc);
    for (const result of [
      { response: '', error: 'Too slow.' },
      { cancelled: true, response: '' },
    ]) {
      void session.chat.send('Why?');
      await reported();
      await rpc.emit('streamComplete', session.chat.asked, result);
      await reported();
    }
    expect(ended.mock.calls.map(([{ outcome, reason }]) => [outcome, reason])).toEqual([
      ['failed', 'Too slow.'],
      ['stopped', ''],
    ]);
  });

  it('names the call that waits for the user, and takes a run for the answer that it began as', async () => {
    await connect(rpc);
    const { registerAgent } = await app.loadAgent();
    registerAgent();
    void session.chat.send('Test it');
    await reported();
    const id = session.chat.asked;
    const call = callRow({ status: 'waiting', question: questionRow() });
    const run = runRow({ request_id: id, state: 'running', calls: [call] });
    await rpc.emit('toolUpdated', { request_id: id, call, run });
    await reported();
    expect(ended).not.toHaveBeenCalled();
    expect(last().waiting.map(({ text }) => text)).toEqual(['pytest -q tests']);
    expect(last().activities).toMatchObject([{ kind: 'run', id }]);
  });

  it('says that a form would be lost, and follows another session', async () => {
    await connect(rpc);
    session.commit.edit('Name the wind');
    await reported();
    expect(last().isUnsaved).toBe(true);
    session.dispose();
    const other = new Session(rpc, {
      ...{ version: '0.1.0', storage: null, draftKey: () => 'd', diagnose: async () => '' },
      ...folderPorts(),
    });
    app.session = other;
    await reported();
    expect(last().isUnsaved).toBe(false);
  });

  it('ends when it is disposed', async () => {
    hosted.dispose();
    report.mockClear();
    await connect(rpc);
    await reported();
    expect(report).not.toHaveBeenCalled();
    openLocation(app, LOCATION);
    expect(openOutside).not.toHaveBeenCalled();
  });
});

describe('a command of the application', () => {
  it('is performed as soon as the panel can be used', async () => {
    const done = hosted.perform('commit');
    await connect(rpc);
    await done;
    expect(session.commit.isOpen).toBe(true);
  });

  it('shows a section, the settings or the search', async () => {
    await connect(rpc);
    await hosted.perform('settings');
    await drawn();
    expect(app.overlays.open.tab).toBe('form');
    await hosted.perform('keys');
    expect(app.overlays.open.tab).toBe('keys');
    const layout = new LayoutStore(null);
    app.layout = layout;
    await hosted.perform('context');
    expect(layout.shown).toBe('context');
  });

  it('is refused with what stands in its way', async () => {
    await connect(rpc);
    await expect(hosted.perform('stop')).rejects.toThrow('No answer is being written.');
  });

  it('is refused with the reason why there is no connection', async () => {
    const done = hosted.perform('new');
    void rpc.become({ state: 'refused', code: 4403, reason: 'Not allowed here.' });
    await expect(done).rejects.toThrow('Not allowed here.');
  });
});

describe('files of the server', () => {
  it('are ticked and unticked by their paths there, folders with all their files', async () => {
    const done = hosted.tick(['weather/c.md', 'weather/src'], true);
    await connect(rpc);
    expect(await done).toBe('');
    expect(session.selection.paths).toEqual(['src/a.py', 'c.md']);
    expect(hosted.isTicked(['weather/src'])).toBe(true);
    expect(await hosted.tick(['weather/src'], false)).toBe('');
    expect(session.selection.paths).toEqual(['c.md']);
    expect(hosted.isTicked(['weather/src', 'weather/c.md'])).toBe(false);
    expect(await hosted.tick(['elsewhere.txt'], true)).toContain('not among the files');
    expect(hosted.isTicked(['elsewhere.txt'])).toBeNull();
  });

  it('are named in an empty input, and only there', async () => {
    await connect(rpc);
    await hosted.mention(['weather/c.md']);
    expect(session.draft.text).toBe('c.md: ');
    session.draft.set('What is');
    await hosted.mention(['weather/src/a.py']);
    expect(session.draft.text).toBe('What is');
    await expect(hosted.mention(['elsewhere.txt'])).rejects.toThrow('not among the files');
  });

  it('open outside of the panel where the application wants that', async () => {
    await connect(rpc);
    openOutside.mockReturnValueOnce(true);
    await hosted.showChanges('weather/c.md');
    await drawn();
    expect(openOutside).toHaveBeenCalledWith({ path: 'c.md', line: 0, col: 0, isDiff: true });
    expect(app.overlays.open.location).toBeNull();
    openLocation(app, LOCATION);
    await drawn();
    expect(app.overlays.open.location).toEqual(LOCATION);
  });
});

describe('conversations side by side', () => {
  let server: FakeServer;
  let first: FakeConnection;
  let tabs: TabsStore<FakeConnection>;

  beforeEach(async () => {
    server = new FakeServer();
    first = server.connect();
    app.session = first.session;
    await server.opened(first);
    tabs = server.tabs(first, app);
    app.tabs = tabs;
    await reported();
  });

  afterEach(() => tabs.dispose());

  /** A question in the first conversation, and then another tab is shown. */
  async function asked(): Promise<string> {
    void first.session.chat.send('Why?');
    tabs.open('');
    await server.opened();
    await reported();
    return first.session.chat.asked;
  }

  it('are reported together, by the names of their tabs', async () => {
    const id = await asked();
    const conversation = { id: 's', name: 'Why?', root: '/weather' };
    expect(last().activities).toEqual([{ conversation, kind: 'answer', id, title: 'Why?' }]);
    expect(ended).not.toHaveBeenCalled();
    await first.rpc.emit('streamComplete', id, { response: '', error: 'Too slow.' });
    await reported();
    expect(last().activities).toEqual([]);
    expect(ended.mock.calls).toMatchObject([[{ conversation, outcome: 'failed', reason: 'Too slow.' }]]);
  });

  it('tell of a call that waits in a conversation that is not shown', async () => {
    const id = await asked();
    const call = callRow({ status: 'waiting', question: questionRow() });
    const run = runRow({ request_id: id, state: 'running', calls: [call] });
    const { AgentStore } = await import('../../src/model/agent/agent-store.ts');
    first.session.openAgent((session) => new AgentStore(session));
    await first.rpc.emit('toolUpdated', { request_id: id, call, run });
    await reported();
    expect(last().waiting).toEqual([
      { conversation: { id: 's', name: 'Why?', root: '/weather' }, text: 'pytest -q tests' },
    ]);
  });

  it('have no end when their tab is closed, and are shown in a tab again', async () => {
    await asked();
    const conversation = last().activities[0]?.conversation as ConversationRef;
    tabs.close(tabs.tabs[0] as never);
    await reported();
    expect([last().activities, ended.mock.calls]).toEqual([[], []]);
    hosted.showConversation(conversation);
    await server.opened();
    expect(app.session.chat.sessionId).toBe('s');
    const [other] = tabs.tabs;
    hosted.showConversation({
      id: other?.connection.session.chat.sessionId ?? '',
      name: '',
      root: '/weather',
    });
    expect([app.session, tabs.tabs.length]).toEqual([other?.connection.session, 2]);
  });

  it('are not looked for in another repository', async () => {
    const elsewhere = { id: 'x', name: 'The cause', root: '/srv/elsewhere' };
    expect(() => hosted.showConversation(elsewhere)).toThrow('open a file of /srv/elsewhere');
    expect(tabs.tabs).toHaveLength(1);
  });
});
