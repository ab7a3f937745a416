import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { IDefaultFileBrowser } from '@jupyterlab/filebrowser';
import type { IStatusBar } from '@jupyterlab/statusbar';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { InputFocus } from '../src/input-focus.ts';
import { FOLLOW, LabPanel } from '../src/lab-panel.ts';
import { LabSettings, type SettingValues } from '../src/lab-settings.ts';
import { Notification } from './support/apputils.ts';
import { FakeCommands } from './support/commands.ts';
import type { Widget } from './support/lumino.ts';
import { FakeSignal } from './support/notebook.ts';
import { CONVERSATION, panelReport } from './support/report.ts';

const DIFF = { path: 'src/a.py', line: 0, col: 0, isDiff: true };
let given: Partial<SettingValues>;
let current: { context: { path: string } } | null;
let panel: LabPanel;
let commands: FakeCommands;
let settings: LabSettings;
const changed = new FakeSignal();
const currentChanged = new FakeSignal();
const set = vi.fn(async (name: string, value: unknown) => {
  given = { ...given, [name]: value };
  changed.emit();
});
const add = vi.fn((_widget: Widget, _area: string) => {});
const activateById = vi.fn();
const execute = vi.fn(async () => ({ id: 'opened' }));

async function make(canHaveTabs = true): Promise<void> {
  settings = new LabSettings();
  const raw = {
    get composite() {
      return given;
    },
    changed,
    set,
  };
  await settings.load({ load: async () => raw });
  commands = new FakeCommands();
  const shell = {
    ...{ add, activateById, currentChanged, widgets: () => (current ? [current] : []) },
    get currentWidget() {
      return current;
    },
  };
  const contents = { localPath: (path: string) => path, driveName: () => '' };
  const app = {
    commands: Object.assign(commands, { execute }),
    shell,
    serviceManager: { contents },
    restored: Promise.resolve(),
  };
  const browser = {
    model: { path: '', restored: Promise.resolve(), pathChanged: new FakeSignal() },
    selectedItems: () => [],
  };
  panel = new LabPanel(app as unknown as JupyterFrontEnd, {
    settings,
    browser: browser as unknown as IDefaultFileBrowser,
    canHaveTabs,
    root: '/srv',
  });
}

async function change(values: Partial<SettingValues>): Promise<void> {
  given = { ...given, ...values };
  changed.emit();
  await vi.advanceTimersByTimeAsync(0);
}

async function goTo(path: string): Promise<void> {
  current = { context: { path } };
  currentChanged.emit();
  await vi.advanceTimersByTimeAsync(2000);
}

beforeEach(async () => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  [given, current] = [{}, null];
  await make();
});

afterEach(() => {
  panel.side.dispose();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('is in the side bar of the settings, and moves when they change', async () => {
  given = { side: 'left' };
  panel.place(null);
  expect(add).toHaveBeenLastCalledWith(panel.side, 'left', { rank: 600 });
  await change({ side: 'right' });
  expect(add).toHaveBeenLastCalledWith(panel.side, 'right', { rank: 600 });
  await change({ statusBar: false });
  expect(add).toHaveBeenCalledTimes(2);
});

it('follows the active document, as long as it is to', async () => {
  panel.side.hide();
  await goTo('a/n.ipynb');
  expect(panel.side.folder).toBe('a');
  await change({ followDocument: false });
  await goTo('b/n.ipynb');
  expect(panel.side.folder).toBe('a');
  await change({ followDocument: true });
  await vi.advanceTimersByTimeAsync(2000);
  expect(panel.side.folder).toBe('b');
});

it('shows some repository first, even where it is not to follow', async () => {
  panel.side.hide();
  await change({ followDocument: false });
  await goTo('a/n.ipynb');
  expect(panel.side.folder).toBe('a');
});

it('has a command that switches following on and off', async () => {
  panel.addCommands({ listen() {}, toggle() {} } as unknown as InputFocus, vi.fn());
  const follow = commands.get(FOLLOW);
  expect([follow.isToggled?.(), follow.isEnabled?.()]).toEqual([true, true]);
  follow.execute();
  expect(set).toHaveBeenCalledWith('followDocument', false);
  expect(follow.isToggled?.()).toBe(false);
});

it('shows an item of the status bar while the settings say so', async () => {
  const dispose = vi.fn();
  const registerStatusItem = vi.fn((_id: string, _options: { item: Widget }) => ({ dispose }));
  panel.addStatus({ registerStatusItem } as unknown as IStatusBar);
  await vi.waitFor(() => expect(registerStatusItem).toHaveBeenCalledOnce());
  panel.host.report(panelReport());
  expect(registerStatusItem.mock.lastCall?.[1].item.node.textContent).toContain('gpt-a');
  await change({ statusBar: false });
  expect(dispose).toHaveBeenCalledOnce();
  await change({ statusBar: true });
  await vi.waitFor(() => expect(registerStatusItem).toHaveBeenCalledTimes(2));
});

it('opens differences in a tab, and files where the settings say', async () => {
  const open = vi.spyOn(panel.tabs, 'open').mockResolvedValue(panel.side);
  panel.side.hide();
  panel.host.report(panelReport());
  // It is not known yet which repository the panel shows.
  expect(panel.host.openLocation(DIFF)).toBe(false);
  vi.spyOn(panel.side, 'repo', 'get').mockReturnValue('weather');
  expect(panel.host.openLocation(DIFF)).toBe(true);
  expect(open).toHaveBeenCalledWith(
    expect.objectContaining({
      repo: 'weather',
      path: 'src/a.py',
      kind: 'diff',
      file: '/srv/weather/src/a.py',
    }),
  );
  expect(panel.host.openLocation({ path: 'src/a.py', line: 3, col: 0 })).toBe(false);
  expect(panel.host.openLocation({ path: '', line: 0, col: 0, mapFor: '1-a' })).toBe(false);
  await change({ fileLinks: 'viewer' });
  expect(panel.host.openLocation({ path: 'src/a.py', line: 3, col: 0 })).toBe(true);
  await change({ viewer: 'panel' });
  expect(panel.host.openLocation(DIFF)).toBe(false);
});

it('opens nothing in tabs where the application has none', async () => {
  await make(false);
  vi.spyOn(panel.side, 'repo', 'get').mockReturnValue('weather');
  expect(panel.host.openLocation(DIFF)).toBe(false);
});

it('shows the conversation that a notification is about, or says that it is elsewhere', async () => {
  const showConversation = vi.fn();
  vi.spyOn(panel.side, 'hosted', 'get').mockReturnValue({ showConversation } as never);
  vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  const waiting = [{ conversation: CONVERSATION, text: 'pytest' }];
  panel.host.report(panelReport({ waiting }));
  const options = Notification.emit.mock.lastCall?.[2] as { actions: { callback(): void }[] };
  options.actions[0]?.callback();
  await vi.waitFor(() => expect(showConversation).toHaveBeenCalledExactlyOnceWith(CONVERSATION));
  expect(Notification.warning).not.toHaveBeenCalled();
  showConversation.mockImplementation(() => {
    throw new Error('It is in another repository.');
  });
  options.actions[0]?.callback();
  await vi.waitFor(() => expect(Notification.warning).toHaveBeenCalledOnce());
  expect(Notification.warning.mock.lastCall?.[0]).toBe('It is in another repository.');
});
