/** Commands that add the active cell, its output or the last error to the next question in the side panel. */

import { N_, t } from '@jupyter-ac/messages';
import type { ActiveNotebook } from '@jupyter-ac/page';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { INotebookTracker } from '@jupyterlab/notebook';
import { icon } from './icon.ts';

export type AddedKind = 'cell' | 'output' | 'error';

export const CONTEXT_COMMANDS: Readonly<
  Record<AddedKind, { readonly id: string; readonly label: string; readonly caption: string }>
> = {
  cell: {
    id: 'jupyter-ac:add-cell',
    label: N_('Add Cell to the AI Pair Conversation'),
    caption: N_('Add this cell to the next question in the AI pair panel'),
  },
  output: {
    id: 'jupyter-ac:add-output',
    label: N_('Add Output to the AI Pair Conversation'),
    caption: N_('Add the output of the active cell to the next question in the AI pair panel'),
  },
  error: {
    id: 'jupyter-ac:add-error',
    label: N_('Add Error to the AI Pair Conversation'),
    caption: N_(
      'Add the error of this output, else the last error, to the next question in the AI pair panel',
    ),
  },
};

export const OTHER_NOTEBOOK = N_('Click into that notebook first: another one is active.');

/** Follows what a context menu was opened on, for as long as the menu is used. */
export class ContextMenuTarget {
  #element: Element | null = null;

  constructor(target: Pick<EventTarget, 'addEventListener'>) {
    const forget = (event: Event): void => {
      if (!elementOf(event)?.closest('.lm-Menu')) this.#element = null;
    };
    for (const gesture of ['pointerdown', 'keydown']) target.addEventListener(gesture, forget, true);
    target.addEventListener(
      'contextmenu',
      (event) => {
        this.#element = elementOf(event);
      },
      true,
    );
  }

  /** null when the user has done something else since. */
  get element(): Element | null {
    return this.#element;
  }
}

/** What the commands act on. */
export interface ContextSource {
  readonly notebook: ActiveNotebook;
  readonly tracker: INotebookTracker;
  readonly menu: ContextMenuTarget;
}

/**
 * Adds the commands; returns their ids. In a context menu they act on the cell below the pointer, which is active then.
 *
 * @param add - adds what a mention means, in a panel about the repository around the notebook; rejects with a sentence
 * @param report - shows a sentence to the user
 */
export function addContextCommands(
  app: Pick<JupyterFrontEnd, 'commands'>,
  source: ContextSource,
  add: (path: string, mention: string) => Promise<void>,
  report: (sentence: string) => void,
): string[] {
  const { notebook } = source;
  const execute = async (kind: AddedKind): Promise<void> => {
    const isClicked = activateClicked(source);
    // Another cell may be active when the panel is loaded.
    const index = notebook.activeCellIndex();
    // Without a context menu it is the kernel's last error.
    const number = index < 0 || (kind === 'error' && !isClicked) ? '' : `:${index + 1}`;
    await add(notebook.path(), `@${kind}${number}`);
  };
  return (Object.keys(CONTEXT_COMMANDS) as AddedKind[]).map((kind) => {
    const { id, label, caption } = CONTEXT_COMMANDS[kind];
    app.commands.addCommand(id, {
      ...{ label: t(label), caption: t(caption), icon },
      isEnabled: () => notebook.path() !== '',
      execute: () => {
        execute(kind).catch((error: unknown) => {
          report(error instanceof Error ? error.message : String(error));
        });
      },
    });
    return id;
  });
}

export const ASK_SELECTION = 'jupyter-ac:ask-selection';

/**
 * Adds the command that adds the selected text of a cell or a file to the next question.
 *
 * @param add - as for `addContextCommands`; afterwards the cursor is in the input
 */
export function addSelectionCommand(
  { commands }: Pick<JupyterFrontEnd, 'commands'>,
  notebook: Pick<ActiveNotebook, 'selection'>,
  add: (path: string, mention: string) => Promise<void>,
  report: (sentence: string) => void,
): string {
  commands.addCommand(ASK_SELECTION, {
    label: t('Ask About the Selection'),
    caption: t('Add the selected text of a cell or a file to the next question in the AI pair panel'),
    isEnabled: () => notebook.selection() !== null,
    execute: () => {
      const selected = notebook.selection();
      if (!selected) return;
      add(selected.path, '@selection').catch((error: unknown) => {
        report(error instanceof Error ? error.message : String(error));
      });
    },
  });
  return ASK_SELECTION;
}

/** Returns whether a cell was right-clicked; JupyterLab doesn't activate every one. */
function activateClicked({ tracker, menu: { element } }: ContextSource): boolean {
  const clicked = element && tracker.find(({ content }) => content.node.contains(element));
  if (!clicked) return false;
  if (clicked !== tracker.currentWidget) throw new Error(t(OTHER_NOTEBOOK));
  const { content } = clicked;
  const index = content.widgets.findIndex(({ node }) => node.contains(element));
  if (index >= 0 && index !== content.activeCellIndex) {
    content.deselectAll();
    content.activeCellIndex = index;
  }
  return index >= 0;
}

function elementOf({ target }: Event): Element | null {
  return target instanceof Element ? target : null;
}
