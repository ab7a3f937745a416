/** Opens files in JupyterLab's editors, at a line. */

import type { JupyterFrontEnd } from '@jupyterlab/application';

const OPEN = 'docmanager:open';
/** An editor's content comes after its tab. */
const READY_MS = 5000;

/**
 * @param path - under the server's root
 * @param line - from 1; 0 for none, as for `col`
 * @returns whether the file is open
 */
export async function openEditor(
  app: JupyterFrontEnd,
  path: string,
  line: number,
  col: number,
): Promise<boolean> {
  const opened = await app.commands.execute(OPEN, { path });
  if (!opened) return false;
  app.shell.activateById(opened.id);
  if (line > 0) await reveal(opened, line - 1, Math.max(0, col - 1));
  return true;
}

async function reveal(document: Opened, line: number, column: number): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, READY_MS));
  await Promise.race([document.context?.ready, late]);
  const editor = document.content?.editor;
  // A notebook, or another viewer of files.
  if (!editor) return;
  const position = { line: Math.min(line, editor.lineCount - 1), column };
  editor.setCursorPosition(position);
  editor.revealPosition(position);
  editor.focus();
}

export interface Opened {
  readonly id: string;
  readonly context?: { readonly ready: Promise<void> };
  readonly content?: {
    readonly editor?: {
      readonly lineCount: number;
      setCursorPosition(position: { line: number; column: number }): void;
      revealPosition(position: { line: number; column: number }): void;
      focus(): void;
    };
  };
}
