/** Paths of JupyterLab's file browser as paths of the repository, and back; ticking what was dropped. Pure. */

import { t, tn } from '@jupyter-ac/messages';
import { type FileNode, type Folder, filesBelow, type Tree, type TreeNode } from './tree.ts';

/** The folders that paths are related to. */
export interface Roots {
  /** The server's root folder, absolute or starting with `~`; '' for the file system's root. */
  readonly server: string;
  /** Top of the repository, absolute. */
  readonly repository: string;
}

/** What was dropped: the files to tick, and a sentence about the rest; '' for none. */
export interface Dropped {
  readonly paths: readonly string[];
  readonly refusal: string;
}

/** Drives whose files are in the server's root folder: none, and that of real-time collaboration. */
const DRIVE = /^RTC:/;
const OTHER_DRIVE = /^[^/]+:/;
/** The usual home folders, one of which `~` stands for. */
const HOME = /^(?:\/root|\/(?:home|Users)\/[^/]+)(?=\/|$)/;

/** Finds the files to tick. Folders give all their files that can be sent. */
export function droppedFiles(dropped: readonly string[], roots: Roots, tree: Tree): Dropped {
  const files: FileNode[] = [];
  let outside = 0;
  for (const written of dropped) {
    const path = repositoryPath(written, roots);
    const node = path === null ? undefined : nodeAt(tree, path);
    if (node) files.push(...filesBelow(node));
    else outside += 1;
  }
  const paths = files.flatMap((file) => (file.isSendable ? file.path : []));
  return { paths: [...new Set(paths)], refusal: refusal(outside, files.length - paths.length) };
}

/** The one file whose absolute path ends in a path of the server, whose root isn't known; null for none or several. */
export function fileEndingIn(serverPath: string, repository: string, tree: Tree): string | null {
  const end = `/${serverPath.replace(DRIVE, '').replace(/^\/+/, '')}`;
  const found = filesBelow(tree.root).filter((file) => `${repository}/${file.path}`.endsWith(end));
  return found.length === 1 && found[0]?.isSendable ? found[0].path : null;
}

/** Path in the repository, '' for its top; null for what is outside, or on another drive. */
export function repositoryPath(written: string, { server, repository }: Roots): string | null {
  const path = written.replace(DRIVE, '').replace(/^\/+/, '');
  if (!repository || OTHER_DRIVE.test(path)) return null;
  if (!server.startsWith('~')) return below(`${server}/${path}`, repository);
  const [home] = HOME.exec(repository) ?? [];
  const whole = `${server.slice(1)}/${path}`;
  return home ? below(home + whole, repository) : belowUnknownHome(whole, repository);
}

/** Path under the server's root of a file in the repository; null for what is outside, or isn't known. */
export function serverPath(path: string, { server, repository }: Roots): string | null {
  if (!repository || !path) return null;
  const [home] = HOME.exec(repository) ?? [];
  if (server.startsWith('~') && !home) return null;
  return below(`${repository}/${path}`, server.startsWith('~') ? home + server.slice(1) : server);
}

function below(path: string, folder: string): string | null {
  if (path === folder) return '';
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}

/** The page doesn't know the home folder: the longest beginning of the path that the repository's top ends with. */
function belowUnknownHome(path: string, repository: string): string | null {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
    if (repository.endsWith(path.slice(0, end))) return path.slice(end + 1);
  return null;
}

function nodeAt(tree: Tree, path: string): TreeNode | undefined {
  if (path === '') return tree.root;
  const folder = path.split('/').reduce<Folder | undefined>((at, name) => at?.folders.get(name), tree.root);
  return tree.files.get(path) ?? folder;
}

function refusal(outside: number, unsendable: number): string {
  const sentences = [
    outside
      ? t(
          '%1 not ticked: not among the files of this repository.',
          tn('%1 dropped item', '%1 dropped items', outside),
        )
      : '',
    unsendable
      ? t('%1 not ticked: without text that can be sent.', tn('%1 file', '%1 files', unsendable))
      : '',
  ];
  return sentences.filter(Boolean).join(' ');
}
