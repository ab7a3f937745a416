import { afterEach, expect, it, vi } from 'vitest';
import plugin, { PICTURE_EVENT } from '../src/plugin.ts';
import { FakeModel } from './fake-kernel.ts';

class PluginModel extends FakeModel {
  values: Record<string, unknown> = { title: 'Counter', picture: '<p>0 clicks</p>' };
  get(name: string): unknown {
    return this.values[name];
  }
}

/** Source of a module that notes how it is used. */
const MODULE = `
export function register() { globalThis.acRegistered = true; }
export function showKernelPanel(options) {
  globalThis.acShown = options;
  return () => { globalThis.acEnded = true; };
}`;

interface Shown {
  title: string;
  onNote(sentence: string): void;
  onShown(panel: HTMLElement): void;
}

const page = globalThis as { acRegistered?: boolean; acShown?: Shown; acEnded?: boolean };

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.replaceChildren();
  for (const name of ['acRegistered', 'acShown', 'acEnded'] as const) delete page[name];
});

function rendered(): { model: PluginModel; el: HTMLElement; dispose: () => void } {
  const model = new PluginModel();
  const el = document.createElement('div');
  document.body.append(el);
  return { model, el, dispose: plugin.render({ model, el }) };
}

/** Gives the module as the kernel does, to a page whose modules are data. */
function serve(model: PluginModel): void {
  const address = `data:text/javascript,${encodeURIComponent(MODULE)}`;
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => address, revokeObjectURL: () => {} }));
  expect(model.sent).toContainEqual({ type: 'panels' });
  model.say({ type: 'panels', hash: 'x', source: MODULE });
}

it('shows the last picture, inert, until there is a panel', async () => {
  const { model, el } = rendered();
  const picture = el.querySelector('p:not([role])')?.parentElement as HTMLElement;
  expect([picture.textContent, picture.inert]).toEqual(['0 clicks', true]);
  serve(model);
  await vi.waitFor(() => expect(page.acShown).toBeDefined());
  expect([page.acRegistered, page.acShown?.title]).toEqual([true, 'Counter']);
  page.acShown?.onNote('The kernel is busy.');
  expect(el.querySelector('[role=status]')?.textContent).toBe('The kernel is busy.');
  const panel = document.createElement('section');
  page.acShown?.onNote('');
  page.acShown?.onShown(panel);
  expect(el.contains(panel)).toBe(true);
  expect(el.contains(picture)).toBe(false);
  expect(el.querySelector<HTMLElement>('[role=status]')?.hidden).toBe(true);
});

it('says that it waits for a busy kernel, and what the kernel says is wrong', async () => {
  vi.useFakeTimers();
  const { model, el } = rendered();
  const note = el.querySelector('[role=status]');
  expect(note?.textContent).toBe('');
  vi.advanceTimersByTime(1600);
  expect(note?.textContent).toContain('a cell may be running');
  vi.advanceTimersByTime(30_000); // a page of nbconvert, say, with the widget's state
  expect(note?.textContent).toContain('run its cell again');
  model.say({ type: 'error', message: 'It has not been built.' });
  await vi.waitFor(() => expect(note?.textContent).toBe('It has not been built.'));
  expect(model.sent).toContainEqual({ type: 'error', message: 'It has not been built.' });
});

it('tells the extension around it of each picture', async () => {
  const { model, el } = rendered();
  const pictures: unknown[] = [];
  document.body.addEventListener(PICTURE_EVENT, (event) => pictures.push((event as CustomEvent).detail));
  await vi.waitFor(() => expect(pictures).toEqual(['<p>0 clicks</p>']));
  model.values.picture = '<p>1 clicks</p>';
  model.fire('change:picture');
  expect(pictures.at(-1)).toBe('<p>1 clicks</p>');
  expect(el.textContent).toContain('1 clicks');
});

it('leaves nothing behind', async () => {
  const { model, el, dispose } = rendered();
  serve(model);
  await vi.waitFor(() => expect(page.acShown).toBeDefined());
  dispose();
  expect([page.acEnded, model.count, el.childElementCount]).toEqual([true, 0, 0]);
});
