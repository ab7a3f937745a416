import type { ActiveNotebook, SelectedText } from '@jupyter-ac/page';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  ASK_SELECTION,
  addContextCommands,
  addSelectionCommand,
  CONTEXT_COMMANDS,
  ContextMenuTarget,
  OTHER_NOTEBOOK,
} from '../src/context-commands.ts';
import { LabActiveNotebook } from '../src/lab-active-notebook.ts';
import { FakeNotebook, FakeTracker, fakeCell } from './support/notebook.ts';

interface Command {
  isEnabled(): boolean;
  execute(): void;
}

let file: FakeNotebook;
let other: FakeNotebook;
let tracker: FakeTracker;
let commands: Map<string, Command>;
const add = vi.fn(async (_path: string, _mention: string) => {});
const report = vi.fn();

const run = (kind: keyof typeof CONTEXT_COMMANDS) => commands.get(CONTEXT_COMMANDS[kind].id)?.execute();

function gesture(type: string, element: Element): void {
  element.dispatchEvent(new Event(type, { bubbles: true }));
}

beforeEach(() => {
  vi.clearAllMocks();
  commands = new Map();
  file = new FakeNotebook([fakeCell('a'), fakeCell('b'), fakeCell('c')]);
  other = new FakeNotebook([fakeCell('d')]);
  tracker = new FakeTracker([file, other]);
  document.body.append(file.node, other.node);
  const app = {
    commands: { addCommand: (id: string, command: Command) => commands.set(id, command) },
    serviceManager: { contents: { localPath: (path: string) => path } },
  } as unknown as JupyterFrontEnd;
  const notebook: ActiveNotebook = new LabActiveNotebook(app, tracker.real);
  const menu = new ContextMenuTarget(document);
  addContextCommands(app, { notebook, tracker: tracker.real, menu }, add, report);
});

afterEach(() => document.body.replaceChildren());

it('adds the active cell, its output or the last error, while a notebook is open', () => {
  tracker.activate(1);
  for (const kind of ['cell', 'output', 'error'] as const) run(kind);
  expect(add.mock.calls).toEqual([
    ['repo/a.ipynb', '@cell:2'],
    ['repo/a.ipynb', '@output:2'],
    ['repo/a.ipynb', '@error'],
  ]);
  expect(commands.get('jupyter-ac:add-cell')?.isEnabled()).toBe(true);
  tracker.currentWidget = null;
  expect(commands.get('jupyter-ac:add-cell')?.isEnabled()).toBe(false);
});

it('acts on the cell whose context menu is used, which is active then', () => {
  const menu = document.createElement('div');
  menu.className = 'lm-Menu';
  document.body.append(menu);
  const [, , third] = file.cells;
  gesture('contextmenu', third?.node as Element);
  gesture('pointerdown', menu);
  run('cell');
  expect(add).toHaveBeenCalledWith('repo/a.ipynb', '@cell:3');
  expect(file.content.activeCellIndex).toBe(2);
  run('error');
  expect(add).toHaveBeenLastCalledWith('repo/a.ipynb', '@error:3');
  file.content.activeCellIndex = 0;
  gesture('keydown', document.body);
  run('error');
  expect(add).toHaveBeenLastCalledWith('repo/a.ipynb', '@error');
  run('cell');
  expect(add).toHaveBeenLastCalledWith('repo/a.ipynb', '@cell:1');
});

it('says that another notebook is active, and what the panel says', async () => {
  gesture('contextmenu', other.cells[0]?.node as Element);
  run('cell');
  await Promise.resolve();
  expect(add).not.toHaveBeenCalled();
  gesture('pointerdown', document.body);
  add.mockRejectedValueOnce(new Error('No panel.'));
  run('error');
  await vi.waitFor(() => expect(report.mock.calls).toEqual([[OTHER_NOTEBOOK], ['No panel.']]));
});

it('adds the selected text, while there is some', async () => {
  const selection = vi.fn((): SelectedText | null => ({ text: 'x', path: 'repo/a.py', cell: null }));
  const app = { commands: { addCommand: (id: string, command: Command) => commands.set(id, command) } };
  addSelectionCommand(app as unknown as JupyterFrontEnd, { selection }, add, report);
  const command = commands.get(ASK_SELECTION);
  expect(command?.isEnabled()).toBe(true);
  command?.execute();
  expect(add).toHaveBeenCalledWith('repo/a.py', '@selection');
  add.mockRejectedValueOnce(new Error('No panel.'));
  command?.execute();
  await vi.waitFor(() => expect(report).toHaveBeenCalledWith('No panel.'));
  selection.mockReturnValue(null);
  expect(command?.isEnabled()).toBe(false);
  command?.execute();
  expect(add).toHaveBeenCalledTimes(2);
});
