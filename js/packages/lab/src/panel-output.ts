/**
 * Renderer of the panel's cell output: the live widget, or a placeholder.
 *
 * In a reopened notebook, the widgets' own renderer shows "model not found". This renderer has a higher rank,
 * tries the widgets' renderer, and shows a placeholder until that has content. Nothing from the notebook file is
 * put into the page.
 */

import { t } from '@jupyter-ac/messages';
import type { INotebookTracker, MimeModel, NotebookPanel, RenderMimeRegistry } from '@jupyterlab/notebook';
import { Panel, Widget } from '@lumino/widgets';

export const PANEL_MIME = 'application/vnd.jupyter-ac.panel+json';
export const WIDGET_MIME = 'application/vnd.jupyter.widget-view+json';
/** Ranks before the widgets' renderer, which has -10. */
export const RANK = -20;
/** A live widget renders sooner, so that the placeholder doesn't flash before it. */
const PLACEHOLDER_DELAY_MS = 500;
/** Limit of the exponential backoff between attempts. */
const MAX_RETRY_DELAY_MS = 20_000;

const CARD =
  'max-width: 34em; box-sizing: border-box; margin: 2px; padding: 12px 16px; border-radius: 8px;' +
  'border: 1px solid var(--jp-border-color2); color: var(--jp-ui-font-color1);' +
  'background: var(--jp-layout-color1); font: 13px/1.5 var(--jp-ui-font-family)';
const PARTS = 'display: flex; gap: 8px; margin: 10px 0; color: var(--jp-ui-font-color2)';
const PART = 'flex: 1 1 0; padding: 6px 8px; border: 1px solid var(--jp-border-color2); border-radius: 4px';

export function element(tag: string, style: string, text = ''): HTMLElement {
  const node = document.createElement(tag);
  node.style.cssText = style;
  node.textContent = text;
  return node;
}

/** The static placeholder of the panel. */
export function placeholder(): HTMLElement {
  const card = element('div', CARD);
  card.setAttribute('role', 'note');
  card.dataset.ac = 'panel-picture';
  const parts = element('div', PARTS);
  parts.setAttribute('aria-hidden', 'true');
  parts.append(
    ...[t('Files'), t('Chat'), t('What the model sees')].map((name) => element('div', PART, name)),
  );
  const why = t(
    "The AI pair panel is live only while its kernel runs. Run this cell again to bring it back: the conversation is kept in the repository's git folder.",
  );
  card.append(element('strong', '', 'jupyter_ac'), parts, element('div', '', why));
  return card;
}

export class PanelOutput extends Panel {
  #placeholder: Widget;
  readonly #rendermime: RenderMimeRegistry;
  #live: Widget | null = null;
  #observer: MutationObserver | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isWaiting = false;

  /** @param shown - in place of a widget that is gone */
  constructor(rendermime: RenderMimeRegistry, shown = new Widget({ node: placeholder() })) {
    super();
    this.#rendermime = rendermime;
    this.#placeholder = shown;
    this.addWidget(shown);
  }

  /** The widget is shown. */
  protected get isLive(): boolean {
    return this.#live !== null && !this.#live.isDisposed && this.#live.node.childElementCount > 0;
  }

  protected replacePlaceholder(shown: Widget): void {
    shown.setHidden(this.#placeholder.isHidden);
    this.#placeholder.dispose();
    this.#placeholder = shown;
    this.addWidget(shown);
  }

  /** Shows the widget if there is one, else the placeholder; called again when the output changes. */
  async renderModel(model: MimeModel): Promise<void> {
    this.#stop();
    const canBeLive =
      model.trusted && WIDGET_MIME in model.data && this.#rendermime.mimeTypes.includes(WIDGET_MIME);
    if (canBeLive) this.#attempt(model, PLACEHOLDER_DELAY_MS);
  }

  override dispose(): void {
    this.#stop();
    super.dispose();
  }

  /**
   * Tries the widgets' renderer. While a notebook is being restored its widgets may not be registered yet, and an
   * existing renderer isn't notified of them: a new one is created for each attempt.
   */
  #attempt(model: MimeModel, pause_ms: number): void {
    const isFirst = this.#live === null;
    this.#removeLive();
    const live = this.#rendermime.createRenderer(WIDGET_MIME);
    this.#live = live;
    live.hide();
    if (isFirst) this.#placeholder.hide();
    this.addWidget(live);
    this.#observer = new MutationObserver(() => this.#showLiveOrPlaceholder());
    this.#observer.observe(live.node, { childList: true });
    this.#isWaiting = isFirst;
    const giveUp = (): void => this.#giveUp(live, model, pause_ms);
    this.#timer = setTimeout(giveUp, pause_ms);
    // It waits for a kernel, which may never start.
    void live.renderModel(model).catch(giveUp);
  }

  #giveUp(live: Widget, model: MimeModel, pause_ms: number): void {
    if (live !== this.#live) return;
    this.#isWaiting = false;
    this.#showLiveOrPlaceholder();
    clearTimeout(this.#timer);
    if (live.node.childElementCount > 0 || pause_ms > MAX_RETRY_DELAY_MS) return;
    this.#timer = setTimeout(() => this.#attempt(model, pause_ms * 2), pause_ms);
  }

  /** Shows the live widget once its renderer contains an element: without a widget it has text at most. */
  #showLiveOrPlaceholder(): void {
    const live = this.#live;
    if (!live || live.isDisposed) return;
    const isLive = live.node.childElementCount > 0;
    if (!isLive && this.#isWaiting) return;
    this.#isWaiting = false;
    live.setHidden(!isLive);
    this.#placeholder.setHidden(isLive);
  }

  #stop(): void {
    this.#removeLive();
    this.#placeholder.show();
  }

  #removeLive(): void {
    clearTimeout(this.#timer);
    this.#observer?.disconnect();
    this.#live?.dispose();
    this.#live = null;
  }
}

/** Adds the renderer to each notebook: every notebook has its own registry. */
export function renderPanels(tracker: INotebookTracker): void {
  const add = ({ content: { rendermime } }: NotebookPanel): void =>
    rendermime.addFactory(
      { safe: true, mimeTypes: [PANEL_MIME], createRenderer: () => new PanelOutput(rendermime) },
      RANK,
    );
  tracker.forEach(add);
  tracker.widgetAdded.connect((_, panel) => add(panel));
}
