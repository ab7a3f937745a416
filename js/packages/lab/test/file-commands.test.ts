import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { IDefaultFileBrowser } from '@jupyterlab/filebrowser';
import { beforeEach, expect, it, vi } from 'vitest';
import { addFileCommands, FILE_COMMANDS, type FileActions } from '../src/file-commands.ts';
import { FakeCommands } from './support/commands.ts';

let commands: FakeCommands;
let selected: { path: string; type: string }[];
let current: { context?: { path: string } } | null;
const report = vi.fn();
const actions = {
  areTicked: vi.fn((_paths: readonly string[]): boolean | null => null),
  tick: vi.fn(async () => ''),
  ask: vi.fn(async () => ''),
  showChanges: vi.fn(async () => ''),
} satisfies FileActions;

function add(browser: IDefaultFileBrowser | null): void {
  commands = new FakeCommands();
  const shell = {
    get currentWidget() {
      return current;
    },
  };
  const contents = { localPath: (path: string) => path.replace(/^RTC:/, '') };
  const app = { commands: commands.real, shell, serviceManager: { contents } };
  addFileCommands(app as unknown as JupyterFrontEnd, browser, actions, report);
}

beforeEach(() => {
  vi.clearAllMocks();
  [selected, current] = [[], null];
  add({ selectedItems: () => selected } as unknown as IDefaultFileBrowser);
});

const isShown = (name: keyof typeof FILE_COMMANDS) => commands.get(FILE_COMMANDS[name]).isVisible?.() ?? true;
const run = (name: keyof typeof FILE_COMMANDS) => commands.get(FILE_COMMANDS[name]).execute();

it('ticks and unticks what is selected, in the repository around it', () => {
  selected = [
    { path: 'RTC:work/a.py', type: 'file' },
    { path: 'work/src', type: 'directory' },
  ];
  expect([isShown('tick'), isShown('untick'), isShown('changes')]).toEqual([true, false, false]);
  run('tick');
  expect(actions.tick).toHaveBeenCalledWith('work', ['work/a.py', 'work/src'], true);
  actions.areTicked.mockReturnValue(true);
  expect([isShown('tick'), isShown('untick')]).toEqual([false, true]);
  run('untick');
  expect(actions.tick).toHaveBeenLastCalledWith('work', ['work/a.py', 'work/src'], false);
});

it('takes a folder for the place of its repository', () => {
  selected = [{ path: 'work', type: 'directory' }];
  run('ask');
  expect(actions.ask).toHaveBeenCalledWith('work', ['work']);
  expect(commands.text(FILE_COMMANDS.ask, 'label')).toBe('Ask About These Files');
});

it('shows the changes of the selected or the active file', () => {
  selected = [{ path: 'work/a.py', type: 'file' }];
  expect(commands.text(FILE_COMMANDS.ask, 'label')).toBe('Ask About This File');
  expect(isShown('changes')).toBe(true);
  run('changes');
  expect(actions.showChanges).toHaveBeenCalledWith('work/a.py');
  expect(commands.get(FILE_COMMANDS.activeChanges).isEnabled?.()).toBe(false);
  current = { context: { path: 'RTC:b.ipynb' } };
  expect(commands.get(FILE_COMMANDS.activeChanges).isEnabled?.()).toBe(true);
  run('activeChanges');
  expect(actions.showChanges).toHaveBeenLastCalledWith('b.ipynb');
});

it('says what was left out, and what has failed', async () => {
  selected = [{ path: 'work/a.py', type: 'file' }];
  actions.tick.mockResolvedValueOnce('1 file not ticked.');
  run('tick');
  actions.ask.mockRejectedValueOnce(new Error('Not of this repository.'));
  run('ask');
  await vi.waitFor(() =>
    expect(report.mock.calls).toEqual([['1 file not ticked.'], ['Not of this repository.']]),
  );
});

it('offers nothing without a file browser', () => {
  add(null);
  expect(isShown('tick')).toBe(false);
  expect(commands.get(FILE_COMMANDS.ask).isEnabled?.()).toBe(false);
});
