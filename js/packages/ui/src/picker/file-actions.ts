/** Actions on files and folders: which there are, why one is refused now, and what a confirmation says. Pure. */

import { escapeInvisible } from '../model/file-location.ts';
import { plural } from '../model/format.ts';
import { type FileNode, FLAGS, filesBelow, type TreeNode } from '../model/tree.ts';

export type ActionId =
  | 'open'
  | 'stage'
  | 'unstage'
  | 'discard'
  | 'rename'
  | 'new-file'
  | 'new-folder'
  | 'delete';

export interface FileAction {
  readonly id: ActionId;
  readonly label: string;
  readonly keys: string;
  /** Why it can't be done now, a sentence; '' when it can. */
  readonly refusal: string;
}

const CHANGED = FLAGS.modified | FLAGS.untracked | FLAGS.deleted | FLAGS.conflicted;

/** What the panel is doing that forbids changes. */
export interface Hindrances {
  readonly isOffline: boolean;
  readonly isStreaming: boolean;
  readonly isCommitting: boolean;
  readonly isReviewed: boolean;
  /** The folder is in a repository. */
  readonly hasGit: boolean;
}

/** Why no file may be changed now, a sentence; '' when they may. */
export function refusalOf({ isOffline, isStreaming, isCommitting, isReviewed }: Hindrances): string {
  if (isOffline) return 'There is no connection to the server.';
  if (isStreaming) return 'An answer is being made; wait for it or stop it.';
  if (isCommitting) return 'A commit is being made; wait for it.';
  return isReviewed ? 'A review is open; end it first.' : '';
}

export function actionsOf(node: TreeNode, hindrances: Hindrances): FileAction[] {
  const files = node.isDir ? filesBelow(node) : [node];
  const some = (bits: number): boolean => files.some(({ state }) => (state.flags & bits) !== 0);
  const busy = refusalOf(hindrances);
  const isGone = !node.isDir && (node.state.flags & FLAGS.deleted) !== 0;
  const isSubmodule = !node.isDir && (node.state.flags & FLAGS.submodule) !== 0;
  const writable = busy || (isSubmodule ? 'This is a submodule: change it in its own repository.' : '');
  const moved = writable || (isGone ? 'The file is deleted.' : '');
  const action = (id: ActionId, text: string, refusal: string, keys = ''): FileAction => ({
    ...{ id, label: text, refusal, keys },
  });
  const ofGit = [
    action(
      'stage',
      node.isDir ? 'Stage what is in it' : 'Stage',
      busy || (some(CHANGED) ? '' : 'There is nothing to stage.'),
    ),
    action(
      'unstage',
      node.isDir ? 'Unstage what is in it' : 'Unstage',
      busy || (some(FLAGS.staged) ? '' : 'Nothing of it is staged.'),
    ),
    action(
      'discard',
      node.isDir ? 'Discard changes in it …' : 'Discard changes …',
      writable || (some(CHANGED | FLAGS.staged) ? '' : 'It has no changes.'),
    ),
  ];
  return [
    ...(node.isDir
      ? []
      : [action('open', 'Open', isGone ? 'The file is deleted.' : node.isBinary ? 'It isn’t a text.' : '')]),
    ...(hindrances.hasGit ? ofGit : []),
    action('rename', 'Rename …', moved, 'F2'),
    action('new-file', 'New file …', busy),
    action('new-folder', 'New folder …', busy),
    action('delete', 'Delete …', moved, 'Delete'),
  ];
}

/** What a confirmation asks, and what is lost. */
export interface Confirmation {
  readonly question: string;
  readonly loss: string;
  readonly button: string;
}

export function discardConfirmation(node: TreeNode): Confirmation {
  const changed = (node.isDir ? filesBelow(node) : [node]).filter(
    ({ state }) => (state.flags & (CHANGED | FLAGS.staged)) !== 0,
  );
  const name = escapeInvisible(node.path);
  const untracked = changed.filter(isUntracked);
  const others = changed.length - untracked.length;
  const lines = changed.reduce((sum, { state }) => sum + state.additions + state.deletions, 0);
  const back = others
    ? `${plural(others, 'file')} will be as in the last commit; ${plural(lines, 'changed line')} will be lost.`
    : '';
  const gone = untracked.length
    ? `${plural(untracked.length, 'file')} that git doesn’t track ${untracked.length === 1 ? 'is' : 'are'} deleted.`
    : '';
  const question = node.isDir
    ? `Discard the changes of ${plural(changed.length, 'file')} in ${name}?`
    : isUntracked(node)
      ? `Discard ${name}?`
      : `Discard the changes of ${name}?`;
  const loss = node.isDir ? [back, gone].filter(Boolean).join(' ') : fileLoss(node);
  return { question, loss: `${loss} This can’t be undone.`, button: 'Discard' };
}

function fileLoss(node: FileNode): string {
  const { flags, additions, deletions } = node.state;
  if (isUntracked(node)) return 'git doesn’t track this file: it is deleted.';
  if (flags & FLAGS.deleted) return 'The deleted file comes back as in the last commit.';
  return `The file becomes as in the last commit: ${plural(additions, 'added line')} and ${plural(deletions, 'removed line')} are lost.`;
}

export function deleteConfirmation(node: TreeNode, hasGit: boolean): Confirmation {
  const name = escapeInvisible(node.path);
  const files = (node.isDir ? filesBelow(node) : [node]).filter(
    ({ state }) => (state.flags & (FLAGS.deleted | FLAGS.submodule)) === 0,
  );
  const lost = files.filter(({ state }) => (state.flags & (CHANGED | FLAGS.staged)) !== 0).length;
  if (!hasGit) {
    const question = node.isDir ? `Delete ${name} with ${plural(files.length, 'file')}?` : `Delete ${name}?`;
    return {
      question,
      loss: 'This folder is in no git repository: it can’t be brought back.',
      button: 'Delete',
    };
  }
  if (!node.isDir)
    return {
      question: `Delete ${name}?`,
      loss: isUntracked(node)
        ? 'git doesn’t track this file: it can’t be brought back.'
        : lost
          ? 'Its changes since the last commit are lost; what was committed can be brought back with “Discard changes”.'
          : 'What was committed can be brought back with “Discard changes”.',
      button: 'Delete',
    };
  return {
    question: `Delete ${name} with ${plural(files.length, 'file')}?`,
    loss: lost
      ? `${plural(lost, 'file')} of them have changes that aren’t committed, which are lost. Files that git ignores stay.`
      : 'What was committed can be brought back with “Discard changes”. Files that git ignores stay.',
    button: 'Delete',
  };
}

function isUntracked({ state }: FileNode): boolean {
  return (state.flags & FLAGS.untracked) !== 0;
}

/** The path of a new entry: `name` in the folder, or from the top when it begins with `/`. */
export function newPath(folder: string, name: string): string {
  const clean = name.trim().replace(/^\/+|\/+$/g, '');
  return folder && !name.trim().startsWith('/') ? `${folder}/${clean}` : clean;
}
