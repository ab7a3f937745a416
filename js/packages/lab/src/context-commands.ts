/** Commands that add the active cell, its output or the last error to the next question in the side panel. */

import type { ActiveNotebook } from '@jupyter-ac/page';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { icon } from './icon.ts';

export type AddedKind = 'cell' | 'output' | 'error';

export const CONTEXT_COMMANDS: Readonly<
  Record<AddedKind, { readonly id: string; readonly label: string; readonly caption: string }>
> = {
  cell: {
    id: 'jupyter-ac:add-cell',
    label: 'Add Cell to the AI Pair Conversation',
    caption: 'Add this cell to the next question in the AI pair panel',
  },
  output: {
    id: 'jupyter-ac:add-output',
    label: 'Add Output to the AI Pair Conversation',
    caption: 'Add the output of the active cell to the next question in the AI pair panel',
  },
  error: {
    id: 'jupyter-ac:add-error',
    label: 'Add Error to the AI Pair Conversation',
    caption: 'Add the last error to the next question in the AI pair panel',
  },
};

/**
 * Adds the commands; returns their ids.
 *
 * @param add - adds what a mention means, in a panel about the repository around the notebook; rejects with a sentence
 * @param report - shows a sentence to the user
 */
export function addContextCommands(
  app: Pick<JupyterFrontEnd, 'commands'>,
  notebook: ActiveNotebook,
  add: (path: string, mention: string) => Promise<void>,
  report: (sentence: string) => void,
): string[] {
  return (Object.keys(CONTEXT_COMMANDS) as AddedKind[]).map((kind) => {
    const { id, label, caption } = CONTEXT_COMMANDS[kind];
    app.commands.addCommand(id, {
      ...{ label, caption, icon },
      isEnabled: () => notebook.path() !== '',
      execute: () => {
        // Another cell may be active when the panel is loaded.
        const index = notebook.activeCellIndex();
        const number = kind === 'error' || index < 0 ? '' : `:${index + 1}`;
        add(notebook.path(), `@${kind}${number}`).catch((error: unknown) => {
          report(error instanceof Error ? error.message : String(error));
        });
      },
    });
    return id;
  });
}
