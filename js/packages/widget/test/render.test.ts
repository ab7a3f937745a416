import { afterEach, expect, it, vi } from 'vitest';
import widget from '../src/index.ts';

function model() {
  return { sent: [] as unknown[], send: vi.fn(), on: vi.fn(), off: vi.fn() };
}

afterEach(() => document.body.replaceChildren());

it('says in one sentence that a front end without a Jupyter server is not enough', async () => {
  const el = document.createElement('div');
  const fake = model();
  widget.render({ model: fake, el });
  await vi.waitFor(() => expect(el.textContent).toContain('no access to a Jupyter server'));
  expect(fake.send).toHaveBeenCalledWith({ type: 'error', message: expect.stringContaining('JupyterLab') });
});

it('has a bounded height that can be dragged', () => {
  const el = document.createElement('div');
  widget.render({ model: model(), el });
  const node = el.firstElementChild as HTMLElement;
  expect(node.style.height).toBe('560px');
  expect(node.style.resize).toBe('vertical');
});

it('gives back a disposer that leaves nothing behind', () => {
  const el = document.createElement('div');
  const fake = model();
  const dispose = widget.render({ model: fake, el });
  dispose();
  expect(el.childElementCount).toBe(0);
  expect(fake.off).toHaveBeenCalledOnce();
});

it('keeps two views of one model apart', () => {
  const fake = model();
  const [one, other] = [document.createElement('div'), document.createElement('div')];
  const dispose = widget.render({ model: fake, el: one });
  widget.render({ model: fake, el: other });
  dispose();
  expect(one.childElementCount).toBe(0);
  expect(other.childElementCount).toBe(1);
});
