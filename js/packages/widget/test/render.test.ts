import { afterEach, expect, it, vi } from 'vitest';
import widget from '../src/index.ts';
import { FakeModel } from './fake-kernel.ts';

afterEach(() => {
  vi.useRealTimers();
  document.body.replaceChildren();
});

it("shows the kernel's own sentence when it can't show the panel", async () => {
  const el = document.createElement('div');
  const fake = new FakeModel();
  widget.render({ model: fake, el });
  fake.say({ type: 'error', message: 'git is missing; install it.' });
  await vi.waitFor(() => expect(el.textContent).toBe('git is missing; install it.'), 30_000);
  expect(fake.sent).toContainEqual({ type: 'error', message: 'git is missing; install it.' });
});

it('says that it waits for a kernel that is busy', async () => {
  vi.useFakeTimers();
  const el = document.createElement('div');
  widget.render({ model: new FakeModel(), el });
  expect(el.textContent).toBe('Starting …');
  vi.advanceTimersByTime(1600);
  expect(el.textContent).toContain('a cell may be running');
});

it('says that nobody may be there when a kernel without a cell is silent', () => {
  vi.useFakeTimers();
  const el = document.createElement('div');
  const model = Object.assign(new FakeModel(), { widget_manager: { kernel: { status: 'idle' } } });
  const dispose = widget.render({ model, el });
  vi.advanceTimersByTime(4000);
  expect(el.textContent).toContain('a cell may be running');
  vi.advanceTimersByTime(3000);
  expect(el.textContent).toContain('run the cell with %ac again');
  dispose();
  expect(vi.getTimerCount()).toBe(0);
});

it('has a bounded height that can be dragged', () => {
  const el = document.createElement('div');
  widget.render({ model: new FakeModel(), el });
  const node = el.firstElementChild as HTMLElement;
  expect(node.style.height).toBe('560px');
  expect(node.style.resize).toBe('vertical');
});

it('gives back a disposer that leaves nothing behind', () => {
  const el = document.createElement('div');
  const fake = new FakeModel();
  const dispose = widget.render({ model: fake, el });
  dispose();
  expect(el.childElementCount).toBe(0);
  expect(fake.count).toBe(0);
});

it('keeps two views of one model apart', () => {
  const fake = new FakeModel();
  const [one, other] = [document.createElement('div'), document.createElement('div')];
  const dispose = widget.render({ model: fake, el: one });
  widget.render({ model: fake, el: other });
  dispose();
  expect(one.childElementCount).toBe(0);
  expect(other.childElementCount).toBe(1);
});
