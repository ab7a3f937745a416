/** Extension of JupyterLab and Notebook 7: side panel, commands, status bar, notifications, renderers of our outputs. */

import { N_, provideCatalogue, t } from '@jupyter-ac/messages';
import {
  provideCellRunner,
  provideDiagramRenderer,
  provideKernelAccess,
  provideOpenDocuments,
  serverRoot,
} from '@jupyter-ac/page';
import {
  ILabShell,
  ILayoutRestorer,
  type JupyterFrontEnd,
  type JupyterFrontEndPlugin,
  type KernelConnection as Kernel,
} from '@jupyterlab/application';
import { ICommandPalette, Notification } from '@jupyterlab/apputils';
import { IDefaultFileBrowser } from '@jupyterlab/filebrowser';
import { IMermaidManager } from '@jupyterlab/mermaid';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { IStatusBar } from '@jupyterlab/statusbar';
import { ITranslator } from '@jupyterlab/translation';
import { CommandRegistry } from '@lumino/commands';
import { renderProposals } from './cell-proposal.ts';
import { inlineCompletion } from './inline-completion.ts';
import { InputFocus } from './input-focus.ts';
import { KernelConnection } from './kernel-connection.ts';
import { labCatalogue } from './lab-catalogue.ts';
import { type KernelHolder, LabCellRunner } from './lab-cell-runner.ts';
import { LabDocuments } from './lab-documents.ts';
import { LabKernel } from './lab-kernel.ts';
import { LabPanel } from './lab-panel.ts';
import { LabSettings } from './lab-settings.ts';
import { connectNotebooks } from './notebook-commands.ts';
import { renderPanels } from './panel-output.ts';
import { renderPlugins } from './plugin-output.ts';

const CATEGORY = N_('AI Pair');
/** Without a time JupyterLab only lists a notification. */
const NOTICE_MS = 8000;

async function activate(
  app: JupyterFrontEnd,
  palette: ICommandPalette | null,
  restorer: ILayoutRestorer | null,
  tracker: INotebookTracker | null,
  mermaid: IMermaidManager | null,
  browser: IDefaultFileBrowser | null,
  registry: ISettingRegistry | null,
  statusBar: IStatusBar | null,
  labShell: ILabShell | null,
  translator: ITranslator | null,
): Promise<void> {
  if (translator) provideCatalogue(labCatalogue(translator));
  const root = serverRoot(document.getElementById('jupyter-config-data')?.textContent);
  // Before the first wait: restored documents are drawn early.
  providePage(app, tracker, mermaid, root);
  const settings = new LabSettings();
  await settings.load(registry);
  const panel = new LabPanel(app, { settings, browser, canHaveTabs: labShell !== null, root });
  panel.place(restorer);
  if (restorer && labShell) panel.tabs.restore(restorer);
  if (statusBar) panel.addStatus(statusBar);
  const report = (sentence: string): void => Notification.warning(sentence, { autoClose: NOTICE_MS });
  const input = new InputFocus(app, panel.side, (event) => CommandRegistry.keystrokeForKeydownEvent(event));
  const commands = [
    ...panel.addCommands(input, report),
    ...(tracker ? connectNotebooks(app, tracker, panel, report) : []),
  ];
  for (const command of commands) palette?.addItem({ command, category: t(CATEGORY) });
}

/** Gives panels on the page what they use of JupyterLab. */
function providePage(
  app: JupyterFrontEnd,
  tracker: INotebookTracker | null,
  mermaid: IMermaidManager | null,
  root: string | null,
): void {
  const kernel = new LabKernel(app);
  if (tracker) {
    renderPanels(tracker);
    renderPlugins(tracker);
    renderProposals(tracker);
    // Without a secure context a page can't compute hashes; then the host runs cells by itself.
    if (globalThis.crypto?.subtle) provideCellRunner(cellRunner(tracker, kernel));
  }
  if (mermaid) provideDiagramRenderer({ render: (source) => mermaid.renderSvg(source) });
  const documents = new LabDocuments(app, root);
  documents.followUse(window);
  provideOpenDocuments(documents);
  provideKernelAccess(kernel);
}

function cellRunner(tracker: INotebookTracker, kernel: LabKernel): LabCellRunner {
  const connections = new WeakMap<object, KernelConnection>();
  return new LabCellRunner(
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
}

const plugin: JupyterFrontEndPlugin<void> = {
  id: 'jupyter-ac:panel',
  description: 'AI pair programming on the git repository of the current document or folder.',
  autoStart: true,
  optional: [
    ICommandPalette,
    ILayoutRestorer,
    INotebookTracker,
    IMermaidManager,
    IDefaultFileBrowser,
    ISettingRegistry,
    IStatusBar,
    ILabShell,
    ITranslator,
  ],
  activate,
};

export default [plugin, inlineCompletion];
