/** The notebook that was active last in JupyterLab or Notebook 7: its cells, outputs and selection, and edits of it. */

import type { ActiveCell, ActiveNotebook, NotebookOutput, SeenCell, SelectedText } from '@jupyter-ac/page';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import {
  type Cell,
  type CodeEditor,
  type INotebookTracker,
  NotebookActions,
  type NotebookPanel,
  type SharedCodeCell,
} from '@jupyterlab/notebook';
import { PANEL_MIME } from './panel-output.ts';

const NO_NOTEBOOK = 'No notebook is open: open one and select a cell.';
const NO_CELL = 'No cell is active: click into the cell that is to be replaced.';

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
    const { content } = this.#panel();
    const { model } = content;
    if (!model || model.readOnly) throw new Error('The notebook is read-only: no cell can be inserted.');
    const { cells, sharedModel } = model;
    const index = Math.min(content.activeCellIndex + 1, cells.length);
    sharedModel.transact(() => {
      // As JupyterLab's own command does: a cell that the user inserts is trusted.
      sharedModel.insertCell(index, { cell_type: 'code', source, metadata: { trusted: true } });
    });
    content.activeCellIndex = index;
    content.deselectAll();
    void content.scrollToItem?.(index, 'smart');
  }

  replaceActive(source: string, expected: string, seen?: SeenCell): void {
    const cell = this.#replaceable();
    const isOther =
      seen && (this.path() !== seen.path || this.#activeCell(this.#panel())?.model.id !== seen.id);
    if (isOther || cell.getSource() !== expected) {
      throw new Error('Another cell is active now, or this one has changed: press Replace again.');
    }
    // Otherwise one step would undo this together with what was typed just before or after.
    cell.undoManager?.stopCapturing();
    cell.transact(() => cell.setSource(source));
    cell.undoManager?.stopCapturing();
  }

  async insertAndRun(source: string): Promise<void> {
    const { content, sessionContext } = this.#panel();
    if (!sessionContext.session?.kernel) throw new Error('The notebook has no kernel: start one first.');
    this.insertBelow(source);
    await NotebookActions.run(content, sessionContext);
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
    if (!panel) throw new Error(NO_NOTEBOOK);
    return panel;
  }

  #activeCell(panel: NotebookPanel): Cell | null {
    const { activeCell, widgets } = panel.content;
    const cell = activeCell && !showsPanel(activeCell) ? activeCell : this.#lastCells.get(panel);
    return cell && widgets.includes(cell) && !showsPanel(cell) ? cell : null;
  }

  #replaceable(): SharedCodeCell {
    const panel = this.#panel();
    const { model } = panel.content;
    const cell = this.#activeCell(panel);
    if (!cell) throw new Error(NO_CELL);
    if (cell.model.type !== 'code') {
      throw new Error(`The active cell is ${cell.model.type}, not code: select a code cell.`);
    }
    if (model?.readOnly || ['editable', 'deletable'].some((name) => cell.model.getMetadata(name) === false)) {
      throw new Error('The active cell is read-only: unlock it, or insert the code below it.');
    }
    return cell.model.sharedModel;
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
