import type { JupyterFrontEnd } from '@jupyterlab/application';
import { expect, it, vi } from 'vitest';
import { type Opened, openEditor } from '../src/open-editor.ts';

function editorOf(lineCount: number) {
  return {
    lineCount,
    setCursorPosition: vi.fn(),
    revealPosition: vi.fn(),
    focus: vi.fn(),
  };
}

function lab(opened: Opened | undefined) {
  const execute = vi.fn(async () => opened);
  const activateById = vi.fn();
  const app = { commands: { execute }, shell: { activateById } } as unknown as JupyterFrontEnd;
  return { app, execute, activateById };
}

it('opens the file, shows its tab and goes to the line', async () => {
  const editor = editorOf(20);
  const { app, execute, activateById } = lab({
    id: 'tab',
    context: { ready: Promise.resolve() },
    content: { editor },
  });
  expect(await openEditor(app, 'repo/a.py', 12, 3)).toBe(true);
  expect(execute).toHaveBeenCalledWith('docmanager:open', { path: 'repo/a.py' });
  expect(activateById).toHaveBeenCalledWith('tab');
  expect(editor.setCursorPosition).toHaveBeenCalledWith({ line: 11, column: 2 });
  expect(editor.revealPosition).toHaveBeenCalledWith({ line: 11, column: 2 });
  expect(editor.focus).toHaveBeenCalled();
});

it('goes to the last line of a file that has become shorter', async () => {
  const editor = editorOf(5);
  const { app } = lab({ id: 'tab', content: { editor }, context: { ready: Promise.resolve() } });
  await openEditor(app, 'a.py', 12, 0);
  expect(editor.setCursorPosition).toHaveBeenCalledWith({ line: 4, column: 0 });
});

it('opens a notebook, which has no editor of its own, and a file without a line', async () => {
  expect(await openEditor(lab({ id: 'tab' }).app, 'a.ipynb', 3, 0)).toBe(true);
  const editor = editorOf(5);
  expect(await openEditor(lab({ id: 'tab', content: { editor } }).app, 'a.py', 0, 0)).toBe(true);
  expect(editor.setCursorPosition).not.toHaveBeenCalled();
});

it('says when JupyterLab has opened nothing', async () => {
  expect(await openEditor(lab(undefined).app, 'a.bin', 1, 0)).toBe(false);
});
