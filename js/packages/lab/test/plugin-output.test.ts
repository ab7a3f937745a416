import type { INotebookTracker, MimeModel, NotebookPanel, RenderMimeRegistry } from '@jupyterlab/notebook';
import { Widget } from '@lumino/widgets';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PICTURE_EVENT, PLUGIN_MIME, PluginOutput, renderPlugins } from '../src/plugin-output.ts';

const WIDGET = 'application/vnd.jupyter.widget-view+json';

class FakeRenderer extends Widget {
  renders = 0;
  rendered: MimeModel | null = null;

  constructor(readonly mimeType: string) {
    super();
  }

  async renderModel(model: MimeModel): Promise<void> {
    this.renders += 1;
    this.rendered = model;
    if (this.mimeType === 'text/html') this.node.textContent = String(model.data['text/html']);
  }
}

class FakeModel implements MimeModel {
  readonly trusted = true;
  data: Record<string, unknown>;
  readonly written: object[] = [];

  constructor(picture: string, model_id = 'x') {
    this.data = {
      [PLUGIN_MIME]: { version: 1 },
      [WIDGET]: { model_id },
      'text/html': picture,
      'text/plain': 'P',
    };
  }

  setData({ data }: { data: Readonly<Record<string, unknown>> }): void {
    this.data = { ...data };
    this.written.push(data);
  }
}

let renderers: FakeRenderer[];
let registry: RenderMimeRegistry;
let output: PluginOutput;

beforeEach(() => {
  vi.useFakeTimers();
  renderers = [];
  registry = {
    mimeTypes: [WIDGET, 'text/html'],
    addFactory: vi.fn(),
    getFactory: vi.fn(),
    createRenderer: vi.fn((mimeType: string) => {
      const made = new FakeRenderer(mimeType);
      renderers.push(made);
      return made;
    }),
  };
  output = new PluginOutput(registry);
});
afterEach(() => {
  output.dispose();
  vi.useRealTimers();
});

const widgets = () => renderers.filter(({ mimeType }) => mimeType === WIDGET);
const picture = () => output.node.querySelector<HTMLElement>('[data-ac=plugin-picture]');
const tell = (detail: unknown, from: HTMLElement = output.node) =>
  from.dispatchEvent(new CustomEvent(PICTURE_EVENT, { detail, bubbles: true }));

async function live(model: MimeModel): Promise<FakeRenderer> {
  await output.renderModel(model);
  const renderer = widgets().at(-1) as FakeRenderer;
  renderer.node.append(document.createElement('section'));
  await vi.advanceTimersByTimeAsync(1);
  return renderer;
}

it('shows the picture of the notebook, sanitized, until there is a live view', async () => {
  await output.renderModel(new FakeModel('<p>old</p>'));
  await vi.advanceTimersByTimeAsync(600);
  expect([picture()?.textContent, picture()?.hidden]).toEqual(['<p>old</p>', false]);
  const html = renderers.find(({ mimeType }) => mimeType === 'text/html');
  expect(html?.rendered?.trusted).toBe(false);
  widgets()[0]?.node.append(document.createElement('section'));
  await vi.advanceTimersByTimeAsync(1);
  expect(picture()?.hidden).toBe(true);
});

it('leaves the live view as it is when only the picture changes', async () => {
  const renderer = await live(new FakeModel('old'));
  const section = renderer.node.firstElementChild;
  await output.renderModel(new FakeModel('new'));
  expect([widgets().length, renderer.renders, renderer.isDisposed]).toEqual([1, 1, false]);
  expect(renderer.node.firstElementChild).toBe(section);
  expect([picture()?.textContent, picture()?.hidden]).toEqual(['new', true]);
  await output.renderModel(new FakeModel('other', 'y'));
  expect([widgets().length, renderer.isDisposed]).toEqual([2, true]);
});

it('keeps the newest picture in the model only when it is told to', async () => {
  const model = new FakeModel('old');
  await live(model);
  output.keepPicture();
  expect(model.written).toEqual([]);
  tell('one');
  tell('two');
  for (const wrong of [null, 3, '', 'x'.repeat(400_001)]) tell(wrong);
  expect(model.written).toEqual([]);
  output.keepPicture();
  output.keepPicture();
  expect(model.written).toEqual([{ ...new FakeModel('two').data }]);
});

it('reads a picture that a file has in lines', async () => {
  const model = new FakeModel('');
  model.data['text/html'] = ['<p>', 'lines</p>'];
  await output.renderModel(model);
  expect(picture()?.textContent).toBe('<p>lines</p>');
});

it('renders each notebook, and keeps its pictures when it is saved', async () => {
  const slots: ((context: unknown, state: string) => void)[] = [];
  const panel = {
    content: { rendermime: registry },
    context: { saveState: { connect: (slot: (typeof slots)[0]) => slots.push(slot) } },
  } as unknown as NotebookPanel;
  const added: ((tracker: unknown, panel: NotebookPanel) => void)[] = [];
  const tracker = {
    forEach: (callback: (panel: NotebookPanel) => void) => callback(panel),
    widgetAdded: { connect: (slot: (typeof added)[0]) => added.push(slot) },
  } as unknown as INotebookTracker;
  renderPlugins(tracker);
  added[0]?.(null, panel);
  expect(slots.length).toBe(2);
  const [factory, rank] = vi.mocked(registry.addFactory).mock.calls[0] ?? [];
  expect(rank).toBe(-20);
  const make = () => factory?.createRenderer({ mimeType: PLUGIN_MIME }) as PluginOutput;
  const [one, gone] = [make(), make()];
  const [model, other] = [new FakeModel('old'), new FakeModel('old')];
  await one.renderModel(model);
  await gone.renderModel(other);
  tell('new', one.node);
  tell('new', gone.node);
  gone.dispose();
  slots[0]?.(null, 'completed');
  expect(model.written).toEqual([]);
  slots[0]?.(null, 'started');
  expect([model.written.length, other.written.length]).toEqual([1, 0]);
  one.dispose();
});
