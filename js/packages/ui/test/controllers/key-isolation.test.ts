import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isolateKeys } from '../../src/controllers/key-isolation.ts';

let root: HTMLElement;
const heard = vi.fn();

beforeEach(() => {
  root = document.createElement('div');
  root.addEventListener('keydown', isolateKeys);
  document.body.append(root);
  document.body.addEventListener('keydown', heard);
});
afterEach(() => {
  document.body.removeEventListener('keydown', heard);
  document.body.replaceChildren();
  heard.mockReset();
});

function press(key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  root.dispatchEvent(event);
  return event;
}

it.each([
  ['Enter', { shiftKey: true }],
  ['Enter', { ctrlKey: true }],
  ['Enter', { altKey: true }],
  ['m', {}],
  ['b', { ctrlKey: true }],
  ['Escape', {}],
])('%s %j reaches nobody outside, and the browser may act on it', (key, more) => {
  expect(press(key, more).defaultPrevented).toBe(false);
  expect(heard).not.toHaveBeenCalled();
});

it.each([{ ctrlKey: true }, { metaKey: true }])(
  'saving %j is passed on instead of saving the page',
  (more) => {
    expect(press('s', { code: 'KeyS', ...more }).defaultPrevented).toBe(true);
    expect(heard).toHaveBeenCalledOnce();
    const [passed] = heard.mock.calls[0] as [KeyboardEvent];
    expect(passed).toMatchObject({ key: 's', code: 'KeyS', ...more });
    expect(passed.target).toBe(document.body);
  },
);
