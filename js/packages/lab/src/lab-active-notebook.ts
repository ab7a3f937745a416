/** The notebook that was active last in JupyterLab or Notebook 7: its cells, outputs and selection, and edits of it. */

import { N_, t } from '@jupyter-ac/messages';
import type { ActiveCell, ActiveNotebook, NotebookOutput, SeenCell, SelectedText } from '@jupyter-ac/page';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { Cell, CodeEditor, INotebookTracker, NotebookPanel, SharedCodeCell } from '@jupyterlab/notebook';
import { insertCell, replaceable, replaceSource, requireKernel, runActive } from './notebook-edits.ts';
import { PANEL_MIME } from './panel-output.ts';

const NO_NOTEBOOK = N_('No notebook is open: open one and select a cell.');
const NO_CELL = N_('No cell is active: click into the cell that is to be replaced.');

export class LabActiveNotebook implements ActiveNotebook {
  readonly #app: Pick<JupyterFrontEnd, 'shell' | 'serviceManager'>;
  readonly #tracker: INotebookTracker;
  readonly #listeners = new Set<() => void>();
  /** The cell that was active last, of those that don't show a panel: a click into a panel activates its cell. */
  readonly #lastCells = new WeakMap<NotebookPanel, Cell>();

  constructor(app: Pick<JupyterFrontEnd, 'shell' | 'serviceManager'>, tracker: INotebookTracker) {
    this.#app = app;
    this.#tracker = tracker;
    tracker.currentChanged.connect(() => this.#notify());
    tracker.activeCellChanged.connect(() => this.#rememberCell());
    const watch = (panel: NotebookPanel): void => this.#watch(panel);
    tracker.forEach(watch);
    tracker.widgetAdded.connect((_, panel) => watch(panel));
  }

  language(): string | null {
    const model = this.#tracker.currentWidget?.content.model;
    if (!model) return null;
    const info = model.getMetadata('language_info') ?? {};
    return info.name ?? model.getMetadata('kernelspec')?.language ?? '';
  }

  activeSource(): string {
    return this.#replaceable().getSource();
  }

  insertBelow(source: string): void {
    const panel = this.#panel();
    insertCell(panel, panel.content.activeCellIndex + 1, source);
  }

  replaceActive(source: string, expected: string, seen?: SeenCell): void {
    const cell = this.#replaceable();
    const isOther =
      seen && (this.path() !== seen.path || this.#activeCell(this.#panel())?.model.id !== seen.id);
    if (isOther || cell.getSource() !== expected) {
      throw new Error(t('Another cell is active now, or this one has changed: press Replace again.'));
    }
    replaceSource(cell, source);
  }

  async insertAndRun(source: string): Promise<void> {
    const panel = this.#panel();
    requireKernel(panel);
    this.insertBelow(source);
    await runActive(panel);
  }

  path(): string {
    const path = this.#tracker.currentWidget?.context.path ?? '';
    return path && this.#app.serviceManager.contents.localPath(path);
  }

  cells(): readonly ActiveCell[] {
    const { widgets = [] } = this.#tracker.currentWidget?.content ?? {};
    return widgets.map(({ model: { id, type, sharedModel } }) => ({
      ...{ id, type },
      source: sharedModel.getSource(),
    }));
  }

  activeCellIndex(): number {
    const panel = this.#tracker.currentWidget;
    const cell = panel && this.#activeCell(panel);
    return cell ? panel.content.widgets.indexOf(cell) : -1;
  }

  outputs(index: number): readonly NotebookOutput[] {
    const model = this.#tracker.currentWidget?.content.widgets[index]?.model;
    return model?.type === 'code' ? model.sharedModel.getOutputs() : [];
  }

  selection(): SelectedText | null {
    const { shell, serviceManager } = this.#app;
    const front = shell.currentWidget;
    const inFile = selectedText(front?.content?.editor);
    if (front?.context && inFile) {
      return { text: inFile, path: serviceManager.contents.localPath(front.context.path), cell: null };
    }
    const cell = this.activeCellIndex();
    const text = selectedText(this.#tracker.currentWidget?.content.widgets[cell]?.editor);
    return text ? { text, path: this.path(), cell } : null;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #panel(): NotebookPanel {
    const panel = this.#tracker.currentWidget;
    if (!panel) throw new Error(t(NO_NOTEBOOK));
    return panel;
  }

  #activeCell(panel: NotebookPanel): Cell | null {
    const { activeCell, widgets } = panel.content;
    const cell = activeCell && !showsPanel(activeCell) ? activeCell : this.#lastCells.get(panel);
    return cell && widgets.includes(cell) && !showsPanel(cell) ? cell : null;
  }

  #replaceable(): SharedCodeCell {
    const panel = this.#panel();
    const cell = this.#activeCell(panel);
    if (!cell) throw new Error(t(NO_CELL));
    return replaceable(panel, cell, t('The active cell'));
  }

  #watch(panel: NotebookPanel): void {
    panel.sessionContext.kernelChanged.connect(() => this.#notify());
    void panel.context.ready.then(() => {
      panel.content.model?.metadataChanged.connect(() => this.#notify());
      this.#notify();
    });
  }

  #rememberCell(): void {
    const panel = this.#tracker.currentWidget;
    const cell = panel?.content.activeCell;
    if (panel && cell && !showsPanel(cell)) this.#lastCells.set(panel, cell);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Whether one of the cell's outputs is our panel. */
function showsPanel({ model: { type, sharedModel } }: Cell): boolean {
  return (
    type === 'code' &&
    sharedModel
      .getOutputs()
      .some(({ data }) => typeof data === 'object' && data !== null && PANEL_MIME in data)
  );
}

/** '' when nothing is selected. */
function selectedText(editor: CodeEditor | null | undefined): string {
  if (!editor) return '';
  const { start, end } = editor.getSelection();
  const offsets = [editor.getOffsetAt(start), editor.getOffsetAt(end)];
  return editor.model.sharedModel.getSource().slice(Math.min(...offsets), Math.max(...offsets));
}
