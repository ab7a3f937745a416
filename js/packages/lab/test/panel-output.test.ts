import type { INotebookTracker, MimeModel, NotebookPanel, RenderMimeRegistry } from '@jupyterlab/notebook';
import { Widget } from '@lumino/widgets';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PANEL_MIME, PanelOutput, renderPanels } from '../src/panel-output.ts';

const WIDGET = 'application/vnd.jupyter.widget-view+json';

/** The widgets' own renderer: text, until there is a view. */
class FakeRenderer extends Widget {
  async renderModel(): Promise<void> {
    this.node.textContent = 'Loading widget...';
  }

  fail(): void {
    this.node.textContent = 'Error displaying widget: model not found';
  }

  live(): void {
    this.node.replaceChildren(document.createElement('section'));
  }
}

const model = (trusted = true): MimeModel => ({
  trusted,
  data: { [PANEL_MIME]: { version: 1 }, [WIDGET]: { model_id: 'x' }, 'text/html': '<script></script>' },
});

let renderer: FakeRenderer;
let registry: RenderMimeRegistry;
let output: PanelOutput;

beforeEach(() => {
  vi.useFakeTimers();
  renderer = new FakeRenderer();
  registry = {
    mimeTypes: [WIDGET],
    addFactory: vi.fn(),
    getFactory: vi.fn(),
    createRenderer: vi.fn(() => renderer),
  };
  output = new PanelOutput(registry);
});

afterEach(() => {
  output.dispose();
  vi.useRealTimers();
});

const hasPicture = () => !output.node.querySelector<HTMLElement>('[data-ac="panel-picture"]')?.hidden;
const changed = () => vi.advanceTimersByTimeAsync(1);
const later = () => vi.advanceTimersByTimeAsync(1000);

it('shows a picture in place of a widget that is gone', async () => {
  await output.renderModel(model());
  renderer.fail();
  await later();
  expect(hasPicture()).toBe(true);
  expect(renderer.node.hidden).toBe(true);
  expect(output.node.querySelector('[role="note"]')?.textContent).toContain('Run this cell again');
});

it('gives way to the widget at once, and when it comes late', async () => {
  await output.renderModel(model());
  expect(hasPicture()).toBe(false);
  renderer.live();
  await changed();
  expect([hasPicture(), renderer.node.hidden]).toEqual([false, false]);
  renderer.fail();
  await changed();
  expect(hasPicture()).toBe(true);
  renderer.live();
  await changed();
  expect([hasPicture(), renderer.node.hidden]).toEqual([false, false]);
});

it('tries anew for a while, as a renderer that came too early never hears of the widgets', async () => {
  await output.renderModel(model());
  await vi.advanceTimersByTimeAsync(600);
  expect(hasPicture()).toBe(true);
  const early = renderer;
  renderer = new FakeRenderer();
  await later();
  expect(early.isDisposed).toBe(true);
  expect(hasPicture()).toBe(true);
  renderer.live();
  await changed();
  expect([hasPicture(), renderer.node.hidden]).toEqual([false, false]);
  const attempts = vi.mocked(registry.createRenderer).mock.calls.length;
  await vi.advanceTimersByTimeAsync(200_000);
  expect(registry.createRenderer).toHaveBeenCalledTimes(attempts);
});

it('does not try for ever', async () => {
  registry.createRenderer = vi.fn(() => new FakeRenderer());
  await output.renderModel(model());
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(vi.mocked(registry.createRenderer).mock.calls.length).toBeLessThan(10);
  expect(hasPicture()).toBe(true);
});

it('shows the picture when the widget can not be rendered', async () => {
  renderer.renderModel = () => Promise.reject(new Error('no manager'));
  await output.renderModel(model());
  await changed();
  expect(hasPicture()).toBe(true);
});

it.each([
  ['a notebook that is not trusted', model(false), [WIDGET]],
  ['no renderer of widgets', model(), []],
  ['an output without a widget', { trusted: true, data: { [PANEL_MIME]: {} } }, [WIDGET]],
])('shows nothing else for %s', async (_, shown, mimeTypes) => {
  output = new PanelOutput({ ...registry, mimeTypes });
  await output.renderModel(shown);
  expect(hasPicture()).toBe(true);
  expect(registry.createRenderer).not.toHaveBeenCalled();
  expect(output.node.querySelector('script')).toBeNull();
});

it('comes before the widgets in each notebook', () => {
  let open = (_: unknown, _panel: NotebookPanel): void => {};
  const panel = { content: { rendermime: registry } } as unknown as NotebookPanel;
  const tracker = {
    forEach: (each: (panel: NotebookPanel) => void) => each(panel),
    widgetAdded: { connect: (slot: typeof open) => (open = slot) },
  } as unknown as INotebookTracker;
  renderPanels(tracker);
  open(null, panel);
  expect(registry.addFactory).toHaveBeenCalledTimes(2);
  const [factory, rank] = vi.mocked(registry.addFactory).mock.calls[0] ?? [];
  expect(factory).toMatchObject({ safe: true, mimeTypes: [PANEL_MIME] });
  expect(rank).toBeLessThan(-10);
  expect(factory?.createRenderer({ mimeType: PANEL_MIME })).toBeInstanceOf(PanelOutput);
});
