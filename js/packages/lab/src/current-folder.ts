/** The user's current folder: that of the active document, else the file browser's. */

import type { JupyterFrontEnd, MaybeDocument } from '@jupyterlab/application';
import type { IDefaultFileBrowser } from '@jupyterlab/filebrowser';

/** The drives whose files are in the server's root folder. */
export const DRIVES: ReadonlySet<string> = new Set(['', 'RTC']);

/** Folder of a path under the server's root; '' is that root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/**
 * Folder of the active document, or of the file that an active viewer shows; the file browser's folder while no
 * document is open.
 *
 * @returns null when the panel should not change: another kind of widget is active (a terminal, the
 * launcher), or the file browser shows another drive.
 */
export function currentFolder(app: JupyterFrontEnd, browser: IDefaultFileBrowser | null): string | null {
  const { contents } = app.serviceManager;
  const { currentWidget } = app.shell;
  const folder = currentWidget && documentFolder(app, currentWidget);
  if (folder != null) return folder;
  if (anyFolder(app) !== null || !browser || !DRIVES.has(contents.driveName(browser.model.path))) return null;
  return contents.localPath(browser.model.path);
}

/** Folder of some open document, for a panel that has shown none yet; null when none is open. */
export function anyFolder(app: JupyterFrontEnd): string | null {
  for (const widget of app.shell.widgets('main')) {
    const folder = documentFolder(app, widget);
    if (folder !== null) return folder;
  }
  return null;
}

/** null for what is no document. */
function documentFolder(
  { serviceManager: { contents } }: JupyterFrontEnd,
  widget: MaybeDocument,
): string | null {
  const path = widget.context?.path;
  if (path !== undefined) return folderOf(contents.localPath(path));
  return widget.content?.shown?.repo ?? null;
}
