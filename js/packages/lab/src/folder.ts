/** Which folder the person works in: that of the document in front. */

import type { JupyterFrontEnd } from '@jupyterlab/application';

/** Folder of a path under the server's root; '' is that root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Folder of the current document, null when what is in front is none (a terminal, the launcher). */
export function currentFolder(app: JupyterFrontEnd): string | null {
  const path = app.shell.currentWidget?.context?.path;
  return path === undefined ? null : folderOf(app.serviceManager.contents.localPath(path));
}
