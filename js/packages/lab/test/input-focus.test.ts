import type { JupyterFrontEnd } from '@jupyterlab/application';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { InputFocus } from '../src/input-focus.ts';
import type { SidePanel } from '../src/side-panel.ts';

const COMMAND = 'jupyter-ac:open';

const OTHER = 'jupyter-ac:ask-selection';
const execute = vi.fn();
const activateById = vi.fn();
const activate = vi.fn();
const input = document.createElement('textarea');
const cell = document.createElement('textarea');
const panel = {
  id: 'panel',
  node: document.body,
  get hasFocus() {
    return document.activeElement === input;
  },
  focusInput: () => input.focus(),
};
const app = {
  commands: {
    execute,
    keyBindings: [
      { command: COMMAND, keys: ['Ctrl Alt R'] },
      { command: OTHER, keys: ['Ctrl Alt Y'] },
      { command: 'docmanager:save', keys: ['Ctrl Alt S'] },
      { command: 'jupyter-ac:stop', keys: [''] },
      { command: 'apputils:activate-command-palette', keys: ['Ctrl Alt C'] },
    ],
  },
  shell: { activateById, currentWidget: { activate } },
};

function press(on: HTMLElement, key: string): KeyboardEvent {
  const event = new KeyboardEvent('keydown', {
    key,
    ctrlKey: true,
    altKey: true,
    bubbles: true,
    cancelable: true,
  });
  on.dispatchEvent(event);
  return event;
}

const focus = new InputFocus(app as unknown as JupyterFrontEnd, panel as unknown as SidePanel, ({ key }) =>
  key === 'Shift' ? '' : `Ctrl Alt ${key.toUpperCase()}`,
);
focus.listen(COMMAND);

beforeEach(() => {
  const frame = document.createElement('div');
  frame.dataset.ac = 'app';
  frame.append(input);
  document.body.append(cell, frame);
});

afterEach(() => {
  document.body.replaceChildren();
  vi.clearAllMocks();
});

it('opens the panel and puts the cursor into the input, and back where it was', () => {
  cell.focus();
  focus.toggle();
  expect(activateById).toHaveBeenCalledWith('panel');
  expect(document.activeElement).toBe(input);
  focus.toggle();
  expect(document.activeElement).toBe(cell);
  expect(activate).not.toHaveBeenCalled();
});

it('goes to the document in front when what had the focus is gone', () => {
  cell.focus();
  focus.toggle();
  cell.remove();
  focus.toggle();
  expect(activate).toHaveBeenCalledOnce();
});

it('hears the shortcut in a panel, as the person has set it, and nothing else', () => {
  cell.focus();
  focus.toggle();
  expect(press(input, 'j').defaultPrevented).toBe(false);
  expect(document.activeElement).toBe(input);
  expect(press(input, 'r').defaultPrevented).toBe(true);
  expect(document.activeElement).toBe(cell);
});

it('hears the shortcut in a terminal, which leaves JupyterLab no keys', () => {
  const terminal = document.createElement('div');
  terminal.className = 'lm-Widget jp-Terminal';
  const typed = document.createElement('textarea');
  // As xterm does with what it sends to its program.
  typed.addEventListener('keydown', (event) => event.stopPropagation());
  terminal.append(typed);
  document.body.append(terminal);
  typed.focus();
  expect(press(typed, 'j').defaultPrevented).toBe(false);
  expect(press(typed, 'r').defaultPrevented).toBe(true);
  expect(document.activeElement).toBe(input);
  press(input, 'r');
  expect(document.activeElement).toBe(typed);
});

it('leaves the keys elsewhere to JupyterLab', () => {
  cell.focus();
  expect(press(cell, 'r').defaultPrevented).toBe(false);
  expect(activateById).not.toHaveBeenCalled();
});

it('takes the focus back from a palette that closes, until somebody presses something', async () => {
  cell.focus();
  focus.toggle();
  cell.focus();
  await vi.waitFor(() => expect(document.activeElement).toBe(input), 30_000);
  press(input, 'a');
  cell.focus();
  await new Promise((resolve) => setTimeout(resolve));
  expect(document.activeElement).toBe(cell);
});

it('performs our other commands and opens the palette in the panel, by the keys that they have, and leaves others alone', () => {
  expect(press(input, 'y').defaultPrevented).toBe(true);
  expect(execute).toHaveBeenCalledExactlyOnceWith(OTHER);
  expect(press(input, 'c').defaultPrevented).toBe(true);
  expect(execute).toHaveBeenLastCalledWith('apputils:activate-command-palette');
  expect(press(input, 's').defaultPrevented).toBe(false);
  expect(press(input, 'Shift').defaultPrevented).toBe(false);
  expect(press(cell, 'y').defaultPrevented).toBe(false);
  const terminal = document.createElement('div');
  terminal.className = 'jp-Terminal';
  document.body.append(terminal);
  expect(press(terminal, 'y').defaultPrevented).toBe(false);
  expect(execute).toHaveBeenCalledTimes(2);
});
