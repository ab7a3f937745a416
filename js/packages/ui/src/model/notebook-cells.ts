/** Store of a notebook's cells: which are left out of the next request, and whose outputs are in it. */

import type { NotebookCellRow, NotebookCells, Rpc } from '@jupyter-ac/link/rpc';
import { type Dispose, Store } from './store.ts';
import { fields, list, number, text } from './wire.ts';

export interface CellShare {
  readonly id: string;
  readonly isCode: boolean;
  /** First line that isn't blank; '' for an empty cell. */
  readonly title: string;
  readonly tokens: number;
  readonly isExcluded: boolean;
  /** Its outputs are sent. */
  readonly hasOutputs: boolean;
  /** Number of images in its outputs, as far as it is known. */
  readonly images: number;
  /** These are sent with its outputs. */
  readonly hasImages: boolean;
}

export class NotebookCellsStore extends Store {
  cells: readonly CellShare[] = [];
  /** Number of cells that were left out and can't be found: the notebook isn't sent. */
  missing = 0;
  error = '';
  isOpen = false;
  readonly #stopListening: Dispose[];

  constructor(
    private readonly rpc: Rpc,
    private readonly path: string,
  ) {
    super();
    this.#stopListening = (['filesChanged', 'filesModified', 'editsChanged'] as const).map((event) =>
      rpc.on(event, () => this.isOpen && void this.load()),
    );
  }

  async open(isOpen: boolean): Promise<void> {
    this.isOpen = isOpen;
    this.changed();
    if (isOpen) await this.load();
  }

  async load(): Promise<void> {
    await this.#try(async () => {
      const answer = await this.rpc.rpcExtract('LLMService.get_notebook_cells', this.path);
      const { cells, missing } = fields<NotebookCells>(answer);
      this.cells = list(cells).map(parseCell);
      this.missing = number(missing);
    });
  }

  /** Sends a cell's text, or leaves it out. */
  async include(id: string, isIncluded: boolean): Promise<void> {
    const excluded = namesOf(this.cells, id, !isIncluded, (cell) => cell.isExcluded);
    await this.#try(() => this.rpc.rpcExtract('LLMService.set_excluded_cells', this.path, excluded));
    await this.load();
  }

  /** Leaves out the cells that are shown as such, and forgets those that can't be found. */
  async forgetMissing(): Promise<void> {
    const excluded = this.cells.filter((cell) => cell.isExcluded).map((cell) => cell.id);
    await this.#try(() => this.rpc.rpcExtract('LLMService.set_excluded_cells', this.path, excluded));
    await this.load();
  }

  async showOutputs(id: string, areShown: boolean): Promise<void> {
    const shown = namesOf(this.cells, id, areShown, (cell) => cell.hasOutputs);
    await this.#try(() => this.rpc.rpcExtract('LLMService.set_shown_outputs', this.path, shown));
    await this.load();
  }

  /** Sends the images of a cell's outputs, or names only their type and size. */
  async showImages(id: string, areShown: boolean): Promise<void> {
    const shown = this.cells.filter((cell) => cell.hasOutputs).map((cell) => cell.id);
    const images = namesOf(this.cells, id, areShown, (cell) => cell.hasImages);
    await this.#try(() => this.rpc.rpcExtract('LLMService.set_shown_outputs', this.path, shown, images));
    await this.load();
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
  }

  async #try(call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
      this.error = '';
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
    }
    this.changed();
  }
}

/** Ids of the cells for which `is` holds, after it was set for one of them. */
function namesOf(
  cells: readonly CellShare[],
  id: string,
  value: boolean,
  is: (cell: CellShare) => boolean,
): string[] {
  return cells.filter((cell) => (cell.id === id ? value : is(cell))).map((cell) => cell.id);
}

function parseCell(raw: unknown): CellShare {
  const row = fields<NotebookCellRow>(raw);
  return {
    id: text(row.id),
    isCode: row.cell_type === 'code',
    title: text(row.title),
    tokens: number(row.tokens),
    isExcluded: row.excluded === true,
    hasOutputs: row.outputs === true,
    images: number(row.images),
    hasImages: row.images_sent === true,
  };
}
