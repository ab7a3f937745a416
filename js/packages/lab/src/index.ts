/** JupyterLab and Notebook 7: the side panel, and the command that opens it. */

import { offerDocuments, serverRoot } from '@jupyter-ac/page';
import { ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { LabDocuments } from './documents.ts';
import { currentFolder } from './folder.ts';
import { SidePanel } from './side-panel.ts';

const OPEN = 'jupyter-ac:open';
/** Documents often change several times in a row, as when a layout is restored. */
const SETTLE_MS = 150;

function activate(
  app: JupyterFrontEnd,
  palette: ICommandPalette | null,
  restorer: ILayoutRestorer | null,
): void {
  const config = document.getElementById('jupyter-config-data')?.textContent;
  offerDocuments(new LabDocuments(app, serverRoot(config)));
  const panel = new SidePanel();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const folder = currentFolder(app);
      if (folder !== null) panel.follow(folder);
    }, SETTLE_MS);
  };
  app.shell.currentChanged?.connect(follow);
  void app.restored.then(follow);
  app.shell.add(panel, 'right', { rank: 600 });
  restorer?.add(panel, panel.id);
  app.commands.addCommand(OPEN, {
    label: 'Open the AI Pair Panel',
    caption: 'Chat about the repository of the current document',
    execute: () => app.shell.activateById(panel.id),
  });
  palette?.addItem({ command: OPEN, category: 'AI Pair' });
}

const plugin: JupyterFrontEndPlugin<void> = {
  id: 'jupyter-ac:panel',
  description: 'AI pair programming on the git repository of the current document.',
  autoStart: true,
  optional: [ICommandPalette, ILayoutRestorer],
  activate,
};

export default plugin;
