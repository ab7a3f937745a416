import { type ActiveNotebook, CODE_ACTION, type CodeActionRequest } from '@jupyter-ac/page';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CODE_COMMANDS, CodeCommands, NO_CODE } from '../src/code-commands.ts';

interface Command {
  isEnabled(): boolean;
  execute(): void;
}

const side = document.createElement('div');
const show = vi.fn(async () => {});
const report = vi.fn();
let language: string | null;
let commands: Map<string, Command>;

beforeEach(() => {
  language = 'python';
  commands = new Map();
  document.body.append(side);
  const app = {
    commands: { addCommand: (id: string, command: Command) => commands.set(id, command) },
  } as unknown as JupyterFrontEnd;
  const notebook = { language: () => language } as ActiveNotebook;
  new CodeCommands(app, notebook, side, show, report).add();
});

afterEach(() => {
  side.replaceChildren();
  document.body.replaceChildren();
  vi.clearAllMocks();
});

function panel(parent: Element, takes: boolean) {
  const app = document.createElement('div');
  app.dataset.ac = 'app';
  app.tabIndex = 0;
  const actions: string[] = [];
  app.addEventListener(CODE_ACTION, (event) => {
    const detail = (event as CustomEvent<CodeActionRequest>).detail;
    detail.isTaken = takes;
    actions.push(detail.action);
  });
  parent.append(app);
  return { app, actions };
}

async function run(action: keyof typeof CODE_COMMANDS): Promise<void> {
  commands.get(CODE_COMMANDS[action].id)?.execute();
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
}

it('has the three commands, while a notebook is open', () => {
  expect([...commands.keys()]).toEqual([
    'jupyter-ac:insert-code',
    'jupyter-ac:replace-cell',
    'jupyter-ac:run-code',
  ]);
  expect(commands.get('jupyter-ac:run-code')?.isEnabled()).toBe(true);
  language = null;
  expect(commands.get('jupyter-ac:run-code')?.isEnabled()).toBe(false);
});

it('acts in the side panel, which it shows, until another panel was used', async () => {
  const widget = panel(document.body, true);
  const inSide = panel(side, true);
  await run('replace');
  expect(inSide.actions).toEqual(['replace']);
  expect(show).toHaveBeenCalledOnce();
  widget.app.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  await run('insert');
  expect(widget.actions).toEqual(['insert']);
  expect(show).toHaveBeenCalledOnce();
  widget.app.remove();
  await run('run');
  expect(inSide.actions).toEqual(['replace', 'run']);
  expect(report).not.toHaveBeenCalled();
});

it('says when there is no code, or no panel', async () => {
  await run('run');
  panel(side, false);
  await run('run');
  expect(report.mock.calls).toEqual([[NO_CODE], [NO_CODE]]);
});
