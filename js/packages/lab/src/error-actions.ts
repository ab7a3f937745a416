/**
 * Buttons at the errors in notebooks: `Fix with AI` and `Explain` ask in the side panel.
 *
 * They belong to a renderer of errors, so they are there whenever an error is drawn, in windowed notebooks too, and
 * nothing of them is saved.
 */

import { N_, t } from '@jupyter-ac/messages';
import { type ErrorOutputData, errorText, itemSource } from '@jupyter-ac/page';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type {
  Cell,
  INotebookTracker,
  MimeModel,
  NotebookPanel,
  Renderer,
  RendererOptions,
} from '@jupyterlab/notebook';
import { Panel, Widget } from '@lumino/widgets';
import { type CellQuestion, explainQuestion, type FailedCell, fixQuestion } from './error-text.ts';
import { cellAround, hasCellIds } from './notebook-edits.ts';
import { element } from './panel-output.ts';

export const ERROR_MIME = 'application/vnd.jupyter.error';
const STDERR_MIME = 'application/vnd.jupyter.stderr';
/** Comes before any other renderer of errors, and before that of their text. */
const RANK = -20;

const BAR = 'display: flex; flex-wrap: wrap; align-items: center; gap: 6px; padding: 4px 0 6px';
const BUTTON =
  'padding: 2px 10px; border: 1px solid var(--jp-border-color1); border-radius: 4px; cursor: pointer;' +
  'background: var(--jp-layout-color1); color: var(--jp-ui-font-color1); font: 12px/1.5 var(--jp-ui-font-family)';
const NOTE = 'color: var(--jp-ui-font-color1); font: 12px/1.5 var(--jp-ui-font-family)';

export type ErrorAction = 'fix' | 'explain';

const LABELS: Readonly<Record<ErrorAction, readonly [string, string]>> = {
  fix: [N_('Fix with AI'), N_('Ask in the AI pair panel for an edit of this cell that fixes the error')],
  explain: [N_('Explain'), N_('Ask in the AI pair panel why this cell fails')],
};

/** Asks questions in a panel beside the notebook. */
export interface QuestionPanel {
  /**
   * Shows the panel and asks; resolves when the answer is complete. Rejects with one sentence.
   *
   * @param notebook - the server's path of the notebook, which decides which repository is asked
   * @param question - gets the notebook's path in the repository, and that under the server's root without a drive
   * @param isTicked - the notebook is ticked first, so that edits of it are possible
   */
  askAbout(notebook: string, question: AskedQuestion, isTicked: boolean): Promise<void>;
}

export type AskedQuestion = (path: string, serverPath: string) => CellQuestion;

/** An error with its buttons. */
export class ErrorOutput extends Panel {
  #data: ErrorOutputData | null = null;
  readonly #note = element('span', NOTE);
  readonly #buttons: HTMLButtonElement[] = [];

  /**
   * @param inner - draws the error itself
   * @param act - resolves at the end of the answer
   */
  constructor(
    private readonly inner: Renderer,
    private readonly mime: string,
    private readonly act: (action: ErrorAction, data: ErrorOutputData, node: HTMLElement) => Promise<void>,
  ) {
    super();
    this.addWidget(inner);
    this.addWidget(new Widget({ node: this.#bar() }));
  }

  async renderModel(model: MimeModel): Promise<void> {
    this.#data = readError(model.data[ERROR_MIME]);
    for (const button of this.#buttons) button.hidden = this.#data === null;
    // Themes colour the text by it.
    this.inner.node.dataset.mimeType = this.mime;
    await this.inner.renderModel(model);
  }

  #bar(): HTMLElement {
    const bar = element('div', BAR);
    bar.dataset.ac = 'error-actions';
    for (const action of Object.keys(LABELS) as ErrorAction[]) {
      const [text, title] = LABELS[action].map((each) => t(each)) as [string, string];
      const button = element('button', BUTTON, text) as HTMLButtonElement;
      button.type = 'button';
      button.title = title;
      button.setAttribute('aria-label', `${text}: ${title}`);
      button.dataset.ac = `error-${action}`;
      button.addEventListener('click', () => void this.#clicked(action));
      this.#buttons.push(button);
    }
    this.#note.setAttribute('role', 'status');
    bar.append(...this.#buttons, this.#note);
    return bar;
  }

  async #clicked(action: ErrorAction): Promise<void> {
    const data = this.#data;
    if (!data || this.#buttons.some((button) => button.disabled)) return;
    for (const button of this.#buttons) button.disabled = true;
    this.#note.textContent = t('Asking in the panel …');
    let said = '';
    try {
      await this.act(action, data, this.node);
    } catch (error) {
      said = wordsOf(error);
    }
    for (const button of this.#buttons) button.disabled = false;
    this.#note.textContent = said;
  }
}

export const ERROR_COMMANDS: Readonly<
  Record<ErrorAction, { readonly id: string; readonly label: string; readonly caption: string }>
> = {
  fix: {
    id: 'jupyter-ac:fix-error',
    label: N_('Fix the Error of the Active Cell'),
    caption: LABELS.fix[1],
  },
  explain: {
    id: 'jupyter-ac:explain-error',
    label: N_('Explain the Error of the Active Cell'),
    caption: LABELS.explain[1],
  },
};

/**
 * Adds the commands that do the same as the buttons, for the active cell; returns their ids.
 *
 * @param report - shows a sentence to the user
 */
export function addErrorCommands(
  { commands }: Pick<JupyterFrontEnd, 'commands'>,
  tracker: INotebookTracker,
  asking: QuestionPanel,
  report: (sentence: string) => void,
): string[] {
  const active = (): [NotebookPanel, Cell, ErrorOutputData] | null => {
    const panel = tracker.currentWidget;
    const cell = panel?.content.activeCell;
    const data = cell ? lastError(cell) : null;
    return panel && cell && data ? [panel, cell, data] : null;
  };
  return (Object.keys(ERROR_COMMANDS) as ErrorAction[]).map((action) => {
    const { id, label, caption } = ERROR_COMMANDS[action];
    commands.addCommand(id, {
      label: t(label),
      caption: t(caption),
      isEnabled: () => active() !== null,
      execute: () => {
        const found = active();
        if (found) ask(asking, action, ...found).catch((error: unknown) => report(wordsOf(error)));
      },
    });
    return id;
  });
}

async function ask(
  asking: QuestionPanel,
  action: ErrorAction,
  notebook: NotebookPanel,
  cell: Cell,
  data: ErrorOutputData,
): Promise<void> {
  const word = action === 'fix' ? fixQuestion : explainQuestion;
  const question: AskedQuestion = (path, serverPath) =>
    word({ ...describe(notebook, cell), path, notebook: itemSource(serverPath), error: errorText(data) });
  await asking.askAbout(notebook.context.path, question, action === 'fix');
}

/** The last error in the outputs of a cell; null for none. */
function lastError({ model: { type, sharedModel } }: Cell): ErrorOutputData | null {
  if (type !== 'code') return null;
  return readError(sharedModel.getOutputs().findLast(({ output_type }) => output_type === 'error'));
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Adds the buttons to the errors of each notebook: every notebook has its own registry of renderers. */
export function renderErrors(tracker: INotebookTracker, asking: QuestionPanel): void {
  const act = async (action: ErrorAction, data: ErrorOutputData, node: HTMLElement): Promise<void> => {
    const [notebook, cell] = cellAround(tracker, node);
    await ask(asking, action, notebook, cell, data);
  };
  const add = ({ content: { rendermime } }: NotebookPanel): void => {
    const other = rendermime.getFactory(ERROR_MIME);
    const createRenderer = (options: RendererOptions): ErrorOutput =>
      other
        ? new ErrorOutput(other.createRenderer(options), ERROR_MIME, act)
        : new ErrorOutput(rendermime.createRenderer(STDERR_MIME), STDERR_MIME, act);
    rendermime.addFactory({ safe: true, mimeTypes: [ERROR_MIME], createRenderer }, RANK);
  };
  tracker.forEach(add);
  tracker.widgetAdded.connect((_, panel) => add(panel));
}

function describe(
  notebook: NotebookPanel,
  cell: Cell,
): Pick<FailedCell, 'id' | 'pageId' | 'position' | 'source'> {
  return {
    pageId: cell.model.id,
    id: hasCellIds(notebook) ? cell.model.id : null,
    position: notebook.content.widgets.indexOf(cell) + 1,
    source: cell.model.sharedModel.getSource(),
  };
}

function readError(raw: unknown): ErrorOutputData | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const { ename, evalue, traceback } = raw as Record<string, unknown>;
  const lines = Array.isArray(traceback) ? traceback.filter((line) => typeof line === 'string') : [];
  return { ename: String(ename ?? ''), evalue: String(evalue ?? ''), traceback: lines };
}
