/** As much of JupyterLab's notebooks as the tests need; the real ones are JupyterLab's, at run time. */

import type { Cell, INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { vi } from 'vitest';

/** A signal of Lumino, with one more method: it calls the slots. */
export class FakeSignal<Args extends unknown[] = []> {
  readonly #slots: ((...args: Args) => void)[] = [];

  connect(slot: (...args: Args) => void): void {
    this.#slots.push(slot);
  }

  emit(...args: Args): void {
    for (const slot of this.#slots) slot(...args);
  }
}

export const NotebookActions = {
  run: vi.fn(async () => true),
  executionScheduled: new FakeSignal<[unknown, { notebook: unknown; cell: unknown }]>(),
};

export interface FakeOutput {
  readonly output_type: string;
  readonly data?: object;
  readonly text?: string;
}

export function fakeCell(
  source: string,
  { type = 'code', outputs = [] as FakeOutput[], metadata = {} as Record<string, unknown>, id = 'c' } = {},
) {
  const node = document.createElement('div');
  const shared = {
    source,
    undoManager: { stopCapturing: vi.fn() },
    getSource: () => shared.source,
    setSource: vi.fn((next: string) => {
      shared.source = next;
    }),
    getOutputs: () => outputs,
    transact: vi.fn((change: () => void) => change()),
  };
  const model = { id, type, sharedModel: shared, getMetadata: (name: string) => metadata[name] };
  return { node, model };
}

export type FakeCell = ReturnType<typeof fakeCell>;

/** An open notebook of these cells, the first one active. */
export class FakeNotebook {
  readonly node = document.createElement('div');
  readonly metadata: Record<string, object | undefined> = { language_info: { name: 'python' } };
  readonly metadataChanged = new FakeSignal();
  readonly sessionContext: { session: { kernel: object | null }; kernelChanged: FakeSignal } = {
    session: { kernel: {} },
    kernelChanged: new FakeSignal(),
  };
  readonly context: { path: string; ready: Promise<void> } = {
    path: 'repo/a.ipynb',
    ready: Promise.resolve(),
  };
  readonly content;

  constructor(readonly cells: FakeCell[]) {
    const { metadata } = this;
    for (const cell of cells) this.node.append(cell.node);
    this.content = {
      node: this.node,
      rendermime: { mimeTypes: [], addFactory: vi.fn(), createRenderer: vi.fn(), getFactory: vi.fn() },
      activeCellIndex: 0,
      widgets: cells,
      get activeCell(): FakeCell | null {
        return cells[this.activeCellIndex] ?? null;
      },
      deselectAll: vi.fn(),
      model: {
        readOnly: false,
        nbformat: 4,
        nbformatMinor: 5,
        cells,
        metadataChanged: this.metadataChanged,
        getMetadata: (name: string) => metadata[name],
        sharedModel: {
          transact: vi.fn((change: () => void) => change()),
          insertCell: vi.fn((index: number, { source }: { source: string }) => {
            cells.splice(index, 0, fakeCell(source, { id: `new-${index}` }));
          }),
        },
      },
    };
  }
}

export class FakeTracker {
  currentWidget: FakeNotebook | null = null;
  readonly currentChanged = new FakeSignal();
  readonly activeCellChanged = new FakeSignal();
  readonly widgetAdded = new FakeSignal<[unknown, NotebookPanel]>();

  constructor(readonly open: FakeNotebook[]) {
    this.currentWidget = open[0] ?? null;
  }

  forEach(call: (panel: NotebookPanel) => void): void {
    for (const each of this.open) call(each as unknown as NotebookPanel);
  }

  find(isIt: (panel: NotebookPanel) => boolean): NotebookPanel | undefined {
    return (this.open as unknown as NotebookPanel[]).find(isIt);
  }

  get real(): INotebookTracker {
    return this as unknown as INotebookTracker;
  }

  /** Makes another cell the active one. */
  activate(index: number): void {
    if (this.currentWidget) this.currentWidget.content.activeCellIndex = index;
    this.activeCellChanged.emit();
  }
}

export type { Cell };
