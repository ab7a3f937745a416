/** Commands that act on a code block of an answer: in the panel that was used last. */

import { N_, t } from '@jupyter-ac/messages';
import { type ActiveNotebook, CODE_ACTION, type CodeAction, type CodeActionRequest } from '@jupyter-ac/page';
import type { JupyterFrontEnd } from '@jupyterlab/application';

interface CodeCommand {
  readonly id: string;
  readonly label: string;
  readonly caption: string;
}

export const CODE_COMMANDS: Readonly<Record<CodeAction, CodeCommand>> = {
  insert: {
    id: 'jupyter-ac:insert-code',
    label: N_('Insert the Answer’s Code Below the Active Cell'),
    caption: N_('The code block that had the focus last, else the last one of the conversation'),
  },
  replace: {
    id: 'jupyter-ac:replace-cell',
    label: N_('Replace the Active Cell by the Answer’s Code'),
    caption: N_('The difference is shown first, in the panel'),
  },
  run: {
    id: 'jupyter-ac:run-code',
    label: N_('Insert the Answer’s Code Below and Run It'),
    caption: N_('The code block that had the focus last, else the last one of the conversation'),
  },
};

export const NO_CODE = N_(
  'No answer in the AI pair panel has code for the open notebook. Open the panel and ask for some.',
);

export class CodeCommands {
  /** Root element of the panel that had the focus or a pointer last. */
  #last: Element | null = null;

  /**
   * @param show - brings the side panel to the front, if it isn't there; resolves when it has the focus
   * @param report - shows a sentence to the user
   */
  constructor(
    private readonly app: JupyterFrontEnd,
    private readonly notebook: ActiveNotebook,
    private readonly sidePanel: HTMLElement,
    private readonly show: () => Promise<void>,
    private readonly report: (sentence: string) => void,
  ) {
    for (const gesture of ['focusin', 'pointerdown']) {
      document.addEventListener(
        gesture,
        (event) => {
          this.#last = event.composedPath().find(isPanel) ?? this.#last;
        },
        { capture: true },
      );
    }
  }

  /** Adds the commands; returns their ids. */
  add(): string[] {
    return (Object.keys(CODE_COMMANDS) as CodeAction[]).map((action) => {
      const { id, label, caption } = CODE_COMMANDS[action];
      this.app.commands.addCommand(id, {
        label: t(label),
        caption: t(caption),
        isEnabled: () => this.notebook.language() !== null,
        execute: () => void this.#perform(action),
      });
      return id;
    });
  }

  async #perform(action: CodeAction): Promise<void> {
    const inSide = this.sidePanel.querySelector('[data-ac="app"]');
    const panel =
      (this.#last?.isConnected ? this.#last : null) ?? inSide ?? document.querySelector('[data-ac="app"]');
    if (panel && panel === inSide) await this.show();
    const detail: CodeActionRequest = { action, isTaken: false };
    panel?.dispatchEvent(new CustomEvent(CODE_ACTION, { detail }));
    if (!detail.isTaken) this.report(t(NO_CODE));
  }
}

function isPanel(target: EventTarget): target is HTMLElement {
  return target instanceof HTMLElement && target.dataset.ac === 'app';
}
