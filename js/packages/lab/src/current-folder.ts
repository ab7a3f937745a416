/** The user's current folder: that of the active document, else the file browser's. */

import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { IDefaultFileBrowser } from '@jupyterlab/filebrowser';

/** The drives whose files are in the server's root folder. */
export const DRIVES: ReadonlySet<string> = new Set(['', 'RTC']);

/** Folder of a path under the server's root; '' is that root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/**
 * Folder of the active document; the file browser's folder while no document is open.
 *
 * @returns null when the panel should not change: another kind of widget is active (a terminal, the
 * launcher), or the file browser shows another drive.
 */
export function currentFolder(app: JupyterFrontEnd, browser: IDefaultFileBrowser | null): string | null {
  const { contents } = app.serviceManager;
  const path = app.shell.currentWidget?.context?.path;
  if (path !== undefined) return folderOf(contents.localPath(path));
  const isOpen = [...app.shell.widgets('main')].some(({ context }) => context !== undefined);
  if (isOpen || !browser || !DRIVES.has(contents.driveName(browser.model.path))) return null;
  return contents.localPath(browser.model.path);
}
