/** Actions on files and folders: which there are, why one is refused now, and what a confirmation says. Pure. */

import { t, tn } from '@jupyter-ac/messages';
import type { Exclusion } from '../model/excluded.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { type FileNode, FLAGS, filesBelow, type TreeNode } from '../model/tree.ts';

export type ActionId =
  | 'open'
  | 'stage'
  | 'unstage'
  | 'discard'
  | 'rename'
  | 'new-file'
  | 'new-folder'
  | 'exclude'
  | 'include'
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
  if (isOffline) return t('There is no connection to the server.');
  if (isStreaming) return t('An answer is being made; wait for it or stop it.');
  if (isCommitting) return t('A commit is being made; wait for it.');
  return isReviewed ? t('A review is open; end it first.') : '';
}

/** @param exclusion null when the server knows no excluded files */
export function actionsOf(
  node: TreeNode,
  hindrances: Hindrances,
  exclusion: Exclusion | null = null,
): FileAction[] {
  const files = node.isDir ? filesBelow(node) : [node];
  const some = (bits: number): boolean => files.some(({ state }) => (state.flags & bits) !== 0);
  const busy = refusalOf(hindrances);
  const offline = hindrances.isOffline ? busy : '';
  const isGone = !node.isDir && (node.state.flags & FLAGS.deleted) !== 0;
  const isSubmodule = !node.isDir && (node.state.flags & FLAGS.submodule) !== 0;
  const writable = busy || (isSubmodule ? t('This is a submodule: change it in its own repository.') : '');
  const moved = writable || (isGone ? t('The file is deleted.') : '');
  const action = (id: ActionId, text: string, refusal: string, keys = ''): FileAction => ({
    ...{ id, label: text, refusal, keys },
  });
  const ofGit = [
    action(
      'stage',
      node.isDir ? t('Stage what is in it') : t('Stage'),
      busy || (some(CHANGED) ? '' : t('There is nothing to stage.')),
    ),
    action(
      'unstage',
      node.isDir ? t('Unstage what is in it') : t('Unstage'),
      busy || (some(FLAGS.staged) ? '' : t('Nothing of it is staged.')),
    ),
    action(
      'discard',
      node.isDir ? t('Discard changes in it …') : t('Discard changes …'),
      writable || (some(CHANGED | FLAGS.staged) ? '' : t('It has no changes.')),
    ),
  ];
  return [
    ...(node.isDir
      ? []
      : [
          action(
            'open',
            t('Open'),
            isGone ? t('The file is deleted.') : node.isBinary ? t('It isn’t a text.') : '',
          ),
        ]),
    ...(hindrances.hasGit ? ofGit : []),
    ...(exclusion === null || exclusion === 'all'
      ? []
      : [
          action(
            'exclude',
            node.isDir ? t('Never send what is in it') : t('Never send'),
            offline,
            t('Shift+Space'),
          ),
        ]),
    ...(exclusion === null || exclusion === 'none'
      ? []
      : [
          action(
            'include',
            node.isDir ? t('Send what is in it again') : t('Send again'),
            offline,
            exclusion === 'all' ? t('Shift+Space') : '',
          ),
        ]),
    action('rename', t('Rename …'), moved, 'F2'),
    action('new-file', t('New file …'), busy),
    action('new-folder', t('New folder …'), busy),
    action('delete', t('Delete …'), moved, t('Delete')),
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
    ? t(
        '%1 will be as in the last commit; %2 will be lost.',
        tn('%1 file', '%1 files', others),
        tn('%1 changed line', '%1 changed lines', lines),
      )
    : '';
  const gone = untracked.length
    ? tn(
        '%1 file that git doesn’t track is deleted.',
        '%1 files that git doesn’t track are deleted.',
        untracked.length,
      )
    : '';
  const question = node.isDir
    ? t('Discard the changes of %1 in %2?', tn('%1 file', '%1 files', changed.length), name)
    : isUntracked(node)
      ? t('Discard %1?', name)
      : t('Discard the changes of %1?', name);
  const loss = node.isDir ? [back, gone].filter(Boolean).join(' ') : fileLoss(node);
  return { question, loss: t('%1 This can’t be undone.', loss), button: t('Discard') };
}

function fileLoss(node: FileNode): string {
  const { flags, additions, deletions } = node.state;
  if (isUntracked(node)) return t('git doesn’t track this file: it is deleted.');
  if (flags & FLAGS.deleted) return t('The deleted file comes back as in the last commit.');
  return t(
    'The file becomes as in the last commit: %1 and %2 are lost.',
    tn('%1 added line', '%1 added lines', additions),
    tn('%1 removed line', '%1 removed lines', deletions),
  );
}

export function deleteConfirmation(node: TreeNode, hasGit: boolean): Confirmation {
  const name = escapeInvisible(node.path);
  const files = (node.isDir ? filesBelow(node) : [node]).filter(
    ({ state }) => (state.flags & (FLAGS.deleted | FLAGS.submodule)) === 0,
  );
  const lost = files.filter(({ state }) => (state.flags & (CHANGED | FLAGS.staged)) !== 0).length;
  if (!hasGit) {
    const question = node.isDir
      ? t('Delete %1 with %2?', name, tn('%1 file', '%1 files', files.length))
      : t('Delete %1?', name);
    return {
      question,
      loss: t('This folder is in no git repository: it can’t be brought back.'),
      button: t('Delete'),
    };
  }
  if (!node.isDir)
    return {
      question: t('Delete %1?', name),
      loss: isUntracked(node)
        ? t('git doesn’t track this file: it can’t be brought back.')
        : lost
          ? t(
              'Its changes since the last commit are lost; what was committed can be brought back with “Discard changes”.',
            )
          : t('What was committed can be brought back with “Discard changes”.'),
      button: t('Delete'),
    };
  return {
    question: t('Delete %1 with %2?', name, tn('%1 file', '%1 files', files.length)),
    loss: lost
      ? t(
          '%1 of them have changes that aren’t committed, which are lost. Files that git ignores stay.',
          tn('%1 file', '%1 files', lost),
        )
      : t('What was committed can be brought back with “Discard changes”. Files that git ignores stay.'),
    button: t('Delete'),
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
