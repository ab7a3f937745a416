/** Buttons that bring the code blocks of answers into the notebook beside the panel; loaded on demand. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import { pageActiveNotebook } from '@jupyter-ac/page';
import type { CodeActions } from '../controllers/code-actions.ts';
import type { DialogsModule } from '../load-chunk.ts';
import { LazyProcessor } from './lazy-processor.ts';

/** One instance per panel. */
export class NotebookCode extends LazyProcessor<DialogsModule> {
  #actions: CodeActions | null = null;

  /** @param rpc - the connection of the panel at that time */
  constructor(
    load: () => Promise<DialogsModule>,
    private readonly rpc: () => Rpc,
  ) {
    super(load);
  }

  /** @param answer - a complete answer, in the document; nothing is added where there are no notebooks */
  draw(answer: ParentNode): void {
    if (pageActiveNotebook()) this.processAll(answer.querySelectorAll('.code'));
  }

  dispose(): void {
    this.#actions?.dispose();
    this.#actions = null;
  }

  protected override process(block: Element, { CodeActions }: DialogsModule): void {
    const notebook = pageActiveNotebook();
    if (!notebook || !block.isConnected) return;
    this.#actions ??= new CodeActions(notebook, this.rpc, block);
    this.#actions.add(block);
  }
}
