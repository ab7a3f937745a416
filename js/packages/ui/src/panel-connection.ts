/** The connection of a panel to one conversation of a repository: link, session and what they need of the page. */

import { type OpenSocket, type RpcLink, tagOf } from '@jupyter-ac/link';
import {
  type ConnectionTarget,
  diagnose,
  findNearbyRepositories,
  initRepository,
  type NearbyRepositories,
  openPlainFolder,
  pageCellRunner,
  pageOpenDocuments,
  socketUrl,
  targetKey,
} from '@jupyter-ac/page';
import type { InputCache } from './input-cache.ts';
import { Session } from './model/session.ts';
import type { OpenConversation } from './model/session-ports.ts';
import { VERSION } from './version.ts';

export interface ConnectionOptions {
  /** Opens a socket, for a transport that isn't a WebSocket. */
  readonly openSocket?: OpenSocket;
  /** Separates this panel's drafts from those of other panels on the page; for a panel that is retargeted. */
  readonly name?: string;
  /** Finds repositories near a folder that is in none; default: by HTTP from the target's server. */
  readonly findNearbyRepositories?: () => Promise<NearbyRepositories | null>;
  /** Runs `git init` in the folder; default: by HTTP on the target's server. */
  readonly initRepository?: (folder: string) => Promise<void>;
  /** Opens the folder without a repository; default: by HTTP on the target's server. */
  readonly openPlainFolder?: (folder: string) => Promise<void>;
  /** Shows another repository, by the path of a folder; of a panel by default in itself. */
  readonly openRepository: (path: string) => Promise<void>;
}

/** A conversation beside the one that all panels of the repository show. */
export interface Beside {
  /** Separates its client and its drafts from those of the others. */
  readonly id: string;
  readonly open: OpenConversation;
}

export interface Connection {
  readonly target: ConnectionTarget;
  readonly link: RpcLink;
  readonly session: Session;
  /** Aborted on disconnect. */
  readonly closing: AbortSignal;
  disconnect(): void;
}

/** A kernel without subshells answers only when its cell has ended; that must not time out. */
const KERNEL_TIMEOUT_S = 24 * 3600;

/** Storage key of a panel's drafts; a panel that is retargeted finds them again by the repository's root. */
export function draftKey(target: ConnectionTarget, panel: string, root: string): string {
  return `jupyter-ac.drafts:${panel && root ? `${panel}:${root}` : targetKey(target)}`;
}

/** @param beside null: the conversation that all panels of the repository show */
export function connect(
  target: ConnectionTarget,
  options: ConnectionOptions,
  inputs: InputCache,
  beside: Beside | null = null,
): Connection {
  const { openSocket, name = '' } = options;
  const suffix = beside ? `#${beside.id}` : '';
  const ownDraftKey = (root: string): string => draftKey(target, name, root) + suffix;
  const closing = new AbortController();
  const link = document.createElement(tagOf('ac-link')) as RpcLink;
  const session = new Session(link, {
    version: VERSION,
    storage: inputs.storage,
    draftKey: ownDraftKey,
    ...(beside ? { openConversation: beside.open } : {}),
    diagnose: () => diagnose(target),
    findNearbyRepositories: options.findNearbyRepositories ?? (() => findNearbyRepositories(target)),
    initRepository: options.initRepository ?? ((folder) => initRepository(target, folder, document.cookie)),
    openPlainFolder:
      options.openPlainFolder ?? ((folder) => openPlainFolder(target, folder, document.cookie)),
    openRepository: options.openRepository,
  });
  if (target.kind === 'relay') link.remoteTimeout = KERNEL_TIMEOUT_S;
  let root = '';
  const unsubscribe = session.subscribe(() => {
    if (session.repoRoot === root) return;
    root = session.repoRoot;
    session.attachments.restore(inputs.takeImages(ownDraftKey(root)));
  });
  answerForPage(link);
  const client = beside ? `${target.client}.${beside.id}` : target.client;
  link.open(socketUrl({ ...target, client }), openSocket);
  return {
    target,
    link,
    session,
    closing: closing.signal,
    disconnect() {
      closing.abort();
      unsubscribe();
      if (root) inputs.keepImages(ownDraftKey(root), session.attachments.images);
      session.dispose();
      link.close();
    },
  };
}

/** Lets the server ask for what is open in the page, and run cells there. */
function answerForPage(link: RpcLink): void {
  const documents = pageOpenDocuments();
  if (documents) {
    const saved = (file: string): void => {
      void link.rpcExtract('LLMService.save_notebook_edit', file).catch(reportError);
    };
    link.answerDocumentRequests({
      getUnsavedFiles: () => documents.unsaved(),
      getOpenNotebooks: (paths, outputs) => documents.notebooks(paths, outputs ?? []),
      applyNotebookEdit: (edit) => documents.edit(edit, saved),
    });
    link.on('filesModified', (paths) => documents.changed(paths));
  }
  const cells = pageCellRunner();
  if (cells) link.answerCellRuns(cells);
}
