/**
 * Renderer of a plugin's cell output: the live widget, or the picture that the notebook keeps of it.
 *
 * The picture is brought up to date when the notebook is saved: a panel that changes doesn't make it unsaved. The live
 * view stays as it is meanwhile.
 */

import type { INotebookTracker, MimeModel, NotebookPanel, RenderMimeRegistry } from '@jupyterlab/notebook';
import { PanelOutput, RANK, WIDGET_MIME } from './panel-output.ts';

export const PLUGIN_MIME = 'application/vnd.jupyter-ac.plugin+json';
/** Sent by the view in the output; its detail is the picture. */
export const PICTURE_EVENT = 'jupyter-ac-picture';

const HTML = 'text/html';
/** More than the kernel makes. */
const MAX_CHARS = 400_000;

export class PluginOutput extends PanelOutput {
  readonly #rendermime: RenderMimeRegistry;
  #model: MimeModel | null = null;
  #picture: string | null = null;
  #shown = '';

  constructor(rendermime: RenderMimeRegistry) {
    super(rendermime);
    this.#rendermime = rendermime;
    this.node.addEventListener(PICTURE_EVENT, (event) => this.#onPicture(event));
  }

  /** A model with another picture of the same widget leaves the widget as it is. */
  override async renderModel(model: MimeModel): Promise<void> {
    const isSame = this.isLive && this.#model !== null && widgetOf(this.#model) === widgetOf(model);
    this.#model = model;
    this.#showPicture(model);
    if (!isSame) await super.renderModel(model);
  }

  /** Puts the newest picture into the notebook's model. */
  keepPicture(): void {
    const { data } = this.#model ?? {};
    if (!data || this.#picture === null || data[HTML] === this.#picture) return;
    this.#model?.setData?.({ data: { ...data, [HTML]: this.#picture } });
  }

  #onPicture(event: Event): void {
    event.stopPropagation();
    const detail: unknown = (event as CustomEvent).detail;
    if (typeof detail === 'string' && detail && detail.length <= MAX_CHARS) this.#picture = detail;
  }

  /** Always sanitized, whoever the notebook is from. */
  #showPicture(model: MimeModel): void {
    const html = textOf(model.data[HTML]);
    if (html === this.#shown) return;
    this.#shown = html;
    const picture = this.#rendermime.createRenderer(HTML);
    void picture.renderModel({ trusted: false, data: { [HTML]: html } });
    picture.node.dataset.ac = 'plugin-picture';
    this.replacePlaceholder(picture);
  }
}

function widgetOf({ data }: MimeModel): unknown {
  const view = data[WIDGET_MIME];
  return typeof view === 'object' && view !== null && 'model_id' in view ? view.model_id : null;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join('');
  return typeof value === 'string' ? value : '';
}

/** Adds the renderer to each notebook, and keeps the pictures of its plugins when it is saved. */
export function renderPlugins(tracker: INotebookTracker): void {
  const add = ({ content: { rendermime }, context }: NotebookPanel): void => {
    const outputs = new Set<PluginOutput>();
    const createRenderer = (): PluginOutput => {
      const output = new PluginOutput(rendermime);
      outputs.add(output);
      return output;
    };
    rendermime.addFactory({ safe: true, mimeTypes: [PLUGIN_MIME], createRenderer }, RANK);
    context.saveState.connect((_, state) => {
      if (state !== 'started') return;
      for (const output of outputs) {
        if (output.isDisposed) outputs.delete(output);
        else output.keepPicture();
      }
    });
  };
  tracker.forEach(add);
  tracker.widgetAdded.connect((_, panel) => add(panel));
}
