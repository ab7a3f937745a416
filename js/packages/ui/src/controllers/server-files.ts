/** Files of the Jupyter server, by their paths under its root, found and ticked in the panel's repository. */

import { t } from '@jupyter-ac/messages';
import { serverRoot } from '@jupyter-ac/page';
import {
  type Dropped,
  droppedFiles,
  fileEndingIn,
  repositoryPath,
  serverPath,
} from '../model/dropped-paths.ts';
import type { Session } from '../model/session.ts';
import { isReady, START_MS, until } from '../scripting.ts';

/** Finds the files and ticks them. The refusal says why some are left out. */
export function tickServerFiles(session: Session, serverPaths: readonly string[]): Dropped {
  return markServerFiles(session, serverPaths, true);
}

/** Finds the files, also those in folders, and ticks or unticks them. The refusal says why some are left out. */
export function markServerFiles(
  session: Session,
  serverPaths: readonly string[],
  isTicked: boolean,
): Dropped {
  if (!session.files.isLoaded) return { paths: [], refusal: t('Not ticked: the files are not known yet.') };
  const found = serverFiles(session, serverPaths);
  if (found.paths.length) session.selection.mark(found.paths, isTicked);
  return found;
}

/** The files of the repository that can be sent among files and folders of the server. */
export function serverFiles({ files, repoRoot }: Session, serverPaths: readonly string[]): Dropped {
  const server = rootOfServer();
  if (server !== null) return droppedFiles(serverPaths, { server, repository: repoRoot }, files.tree);
  const paths = serverPaths.flatMap((path) => fileEndingIn(path, repoRoot, files.tree) ?? []);
  const refusal =
    paths.length < serverPaths.length ? t('Not ticked: only files of this repository can be.') : '';
  return { paths, refusal };
}

/**
 * Finds a file as soon as the panel is ready; resolves to its path in the repository.
 *
 * @param isTicked - tick it, beside the files that are ticked
 * @param closing - aborted when the panel leaves the conversation
 * Rejects with one sentence when there is no such file, or none that can be sent.
 */
export async function locateServerFile(
  session: Session,
  serverPath: string,
  isTicked: boolean,
  closing: AbortSignal,
): Promise<string> {
  const timeout = AbortSignal.timeout(START_MS);
  await until(session, () => isReady(session), closing, timeout);
  await until(session.files, () => session.files.isLoaded || null, closing, timeout);
  const path = fileOfServer(session, serverPath);
  if (isTicked) session.selection.mark([path], true);
  return path;
}

/** Path in the repository of a file of the server; throws an Error with one sentence when it can't be sent. */
export function fileOfServer({ files, repoRoot }: Session, serverPath: string): string {
  const server = rootOfServer();
  const path =
    server === null
      ? fileEndingIn(serverPath, repoRoot, files.tree)
      : droppedFiles([serverPath], { server, repository: repoRoot }, files.tree).paths[0];
  if (!path) throw new Error(t('%1 is not among the files of this repository that can be sent.', serverPath));
  return path;
}

/** Path under the server's root of a file of the repository; null for what is outside, or where the root isn't known. */
export function serverPathOf({ repoRoot }: Session, path: string): string | null {
  const server = rootOfServer();
  return server === null ? null : serverPath(path, { server, repository: repoRoot });
}

/** Path in the repository of a file of the server; null for what is outside, or where the root isn't known. */
export function repositoryPathOf({ repoRoot }: Session, serverPath: string): string | null {
  const server = rootOfServer();
  return server === null ? null : repositoryPath(serverPath, { server, repository: repoRoot });
}

/** null where the page doesn't say, as in Notebook 7. */
function rootOfServer(): string | null {
  return serverRoot(document.getElementById('jupyter-config-data')?.textContent);
}
