import type { ActiveCell, ActiveNotebook, NotebookOutput, SeenCell, SelectedText } from '@jupyter-ac/page';

/** A notebook of one cell, `source`, unless `others` are given. */
export class FakeActiveNotebook implements ActiveNotebook {
  kernel: string | null = 'python';
  source = 'x = 1\ny = 3';
  problem = '';
  file = 'weather/a.ipynb';
  active = 0;
  selected: SelectedText | null = null;
  /** Cells behind the first one. */
  others: ActiveCell[] = [];
  shown: NotebookOutput[][] = [];
  readonly inserted: string[] = [];
  readonly ran: string[] = [];
  readonly listeners = new Set<() => void>();

  language(): string | null {
    return this.kernel;
  }

  activeSource(): string {
    this.#check();
    return this.source;
  }

  insertBelow(source: string): void {
    this.#check();
    this.inserted.push(source);
  }

  path(): string {
    return this.file;
  }

  cells(): readonly ActiveCell[] {
    return [{ id: 'c1', type: 'code', source: this.source }, ...this.others];
  }

  activeCellIndex(): number {
    return this.active;
  }

  outputs(index: number): readonly NotebookOutput[] {
    return this.shown[index] ?? [];
  }

  selection(): SelectedText | null {
    return this.selected;
  }

  replaceActive(source: string, expected: string, seen?: SeenCell): void {
    this.#check();
    const isOther = seen && (seen.path !== this.file || seen.id !== this.cells()[this.active]?.id);
    if (isOther || expected !== this.source) throw new Error('It has changed.');
    this.source = source;
  }

  async insertAndRun(source: string): Promise<void> {
    this.#check();
    this.ran.push(source);
  }

  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  become(kernel: string | null): void {
    this.kernel = kernel;
    for (const listener of this.listeners) listener();
  }

  #check(): void {
    if (this.problem) throw new Error(this.problem);
  }
}
