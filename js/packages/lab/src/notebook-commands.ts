/** Connects notebooks and panels both ways: buttons at errors, commands on code, cells and selections. */

import { provideActiveNotebook } from '@jupyter-ac/page';
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { INotebookTracker } from '@jupyterlab/notebook';
import { CodeCommands } from './code-commands.ts';
import { addContextCommands, addSelectionCommand, ContextMenuTarget } from './context-commands.ts';
import { addErrorCommands, type QuestionPanel, renderErrors } from './error-actions.ts';
import { LabActiveNotebook } from './lab-active-notebook.ts';
import type { LabPanel } from './lab-panel.ts';

/** Returns the ids of the commands. */
export function connectNotebooks(
  app: JupyterFrontEnd,
  tracker: INotebookTracker,
  panel: LabPanel,
  report: (sentence: string) => void,
): string[] {
  const { side } = panel;
  const notebook = new LabActiveNotebook(app, tracker);
  provideActiveNotebook(notebook);
  const asking: QuestionPanel = {
    askAbout: (path, question, isTicked) => {
      app.shell.activateById(side.id);
      return side.askAbout(app.serviceManager.contents.localPath(path), question, isTicked);
    },
  };
  renderErrors(tracker, asking);
  const add = (path: string, mention: string): Promise<void> => {
    void panel.show();
    return side.addContext(path, mention);
  };
  const addAndAsk = async (path: string, mention: string): Promise<void> => {
    await add(path, mention);
    side.focusInput();
  };
  return [
    addSelectionCommand(app, notebook, addAndAsk, report),
    ...addErrorCommands(app, tracker, asking, report),
    ...new CodeCommands(app, notebook, side.node, () => panel.show(), report).add(),
    ...addContextCommands(app, { notebook, tracker, menu: new ContextMenuTarget(document) }, add, report),
  ];
}
