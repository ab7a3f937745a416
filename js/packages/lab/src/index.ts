/** Extension of JupyterLab and Notebook 7: side panel, command that focuses its input, renderers of our outputs. */

import {
  provideActiveNotebook,
  provideCellRunner,
  provideDiagramRenderer,
  provideKernelAccess,
  provideOpenDocuments,
  serverRoot,
} from '@jupyter-ac/page';
import {
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin,
  type KernelConnection as Kernel,
} from '@jupyterlab/application';
import { ICommandPalette, Notification } from '@jupyterlab/apputils';
import { IDefaultFileBrowser } from '@jupyterlab/filebrowser';
import { IMermaidManager } from '@jupyterlab/mermaid';
import { INotebookTracker } from '@jupyterlab/notebook';
import { CommandRegistry } from '@lumino/commands';
import { renderProposals } from './cell-proposal.ts';
import { CodeCommands } from './code-commands.ts';
import { addContextCommands, ContextMenuTarget } from './context-commands.ts';
import { currentFolder } from './current-folder.ts';
import { renderErrors } from './error-actions.ts';
import { InputFocus } from './input-focus.ts';
import { KernelConnection } from './kernel-connection.ts';
import { LabActiveNotebook } from './lab-active-notebook.ts';
import { type KernelHolder, LabCellRunner } from './lab-cell-runner.ts';
import { LabDocuments } from './lab-documents.ts';
import { LabKernel } from './lab-kernel.ts';
import { openEditor } from './open-editor.ts';
import { renderPanels } from './panel-output.ts';
import { renderPlugins } from './plugin-output.ts';
import { SidePanel } from './side-panel.ts';

const OPEN = 'jupyter-ac:open';
const CHOOSE = 'jupyter-ac:choose-repository';
/** Debounce: the active document changes several times in a row while a layout is restored. */
const SETTLE_MS = 150;
/** A page that is loaded shows the server's folder for a moment before it goes where its address says. */
const START_MS = 1000;
/** Without a time JupyterLab only lists a notification. */
const NOTICE_MS = 8000;

function activate(
  app: JupyterFrontEnd,
  palette: ICommandPalette | null,
  restorer: ILayoutRestorer | null,
  tracker: INotebookTracker | null,
  mermaid: IMermaidManager | null,
  browser: IDefaultFileBrowser | null,
): void {
  if (tracker) renderPanels(tracker);
  if (tracker) renderPlugins(tracker);
  if (tracker) renderProposals(tracker);
  const kernel = new LabKernel(app);
  // Without a secure context a page can't compute hashes; then the host runs cells by itself.
  if (tracker && globalThis.crypto?.subtle) {
    const connections = new WeakMap<object, KernelConnection>();
    const runner = new LabCellRunner(
      (visit) => {
        tracker.forEach((panel) => {
          visit(panel as object as KernelHolder);
        });
      },
      async (chosen) => {
        const known = connections.get(chosen);
        const connection = known && !known.ended ? known : new KernelConnection(chosen as object as Kernel);
        connections.set(chosen, connection);
        return (await connection.call('list_variables')) as object;
      },
      kernel,
    );
    provideCellRunner(runner);
  }
  if (mermaid) provideDiagramRenderer({ render: (source) => mermaid.renderSvg(source) });
  const config = document.getElementById('jupyter-config-data')?.textContent;
  const documents = new LabDocuments(app, serverRoot(config));
  documents.followUse(window);
  provideOpenDocuments(documents);
  provideKernelAccess(kernel);
  const panel = new SidePanel((path, line, col) => openEditor(app, path, line, col));
  const input = new InputFocus(app, panel, (event) => CommandRegistry.keystrokeForKeydownEvent(event));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = (): void => {
    clearTimeout(timer);
    const isStart = panel.folder === null && !currentFolder(app, browser);
    timer = setTimeout(
      () => panel.follow(currentFolder(app, browser) ?? panel.folder ?? ''),
      isStart ? START_MS : SETTLE_MS,
    );
  };
  app.shell.currentChanged?.connect(follow);
  browser?.model.pathChanged.connect(follow);
  void Promise.all([app.restored, browser?.model.restored]).then(follow);
  app.shell.add(panel, 'right', { rank: 600 });
  restorer?.add(panel, panel.id);
  app.commands.addCommand(OPEN, {
    label: 'Ask in the AI Pair Panel',
    caption: 'Put the cursor into the panel’s input, or back where it was',
    execute: () => input.toggle(),
  });
  input.listen(OPEN);
  app.commands.addCommand(CHOOSE, {
    label: 'Choose Another Repository Near This Folder',
    caption: 'Show what is near a folder without a repository again, after one was opened there',
    execute: () => panel.chooseAgain(),
  });
  const codeCommands = tracker ? connectNotebooks(app, tracker, panel) : [];
  for (const command of [OPEN, CHOOSE, ...codeCommands]) palette?.addItem({ command, category: 'AI Pair' });
}

/** Connects notebooks and panels both ways; returns the ids of the commands that act on the active notebook. */
function connectNotebooks(app: JupyterFrontEnd, tracker: INotebookTracker, panel: SidePanel): string[] {
  const notebook = new LabActiveNotebook(app, tracker);
  provideActiveNotebook(notebook);
  const show = async (): Promise<void> => {
    if (panel.isVisible) return;
    app.shell.activateById(panel.id);
    // Lumino activates, which focuses the input, with the next frame: what comes then may take the focus.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  };
  renderErrors(tracker, {
    askAbout: (path, question, isTicked) => {
      app.shell.activateById(panel.id);
      return panel.askAbout(app.serviceManager.contents.localPath(path), question, isTicked);
    },
  });
  const report = (sentence: string): void => Notification.warning(sentence, { autoClose: NOTICE_MS });
  const add = (path: string, mention: string): Promise<void> => {
    show();
    return panel.addContext(path, mention);
  };
  return [
    ...new CodeCommands(app, notebook, panel.node, show, report).add(),
    ...addContextCommands(app, { notebook, tracker, menu: new ContextMenuTarget(document) }, add, report),
  ];
}

const plugin: JupyterFrontEndPlugin<void> = {
  id: 'jupyter-ac:panel',
  description: 'AI pair programming on the git repository of the current document or folder.',
  autoStart: true,
  optional: [ICommandPalette, ILayoutRestorer, INotebookTracker, IMermaidManager, IDefaultFileBrowser],
  activate,
};

export default plugin;
