/** Puts a panel into a node of any host: a notebook's output, a side bar, a page. */

import { type OpenSocket, type RpcLink, tagOf } from '@jupyter-ac/link';
import {
  type Chunk,
  diagnose,
  initRepository,
  lookAround,
  type Place,
  pageDiagrams,
  pageDocuments,
  placeKey,
  type Surroundings,
  socketUrl,
} from '@jupyter-ac/page';
import { askIn, selectIn } from './asking.ts';
import type { AcApp } from './elements/app.ts';
import { defineElements } from './elements/define.ts';
import { KeptInput } from './kept-input.ts';
import { coloursLoader, diagramFrame, mathsLoader, viewerLoader } from './load-chunk.ts';
import { Colours } from './markdown/colours.ts';
import { DiagramBlocks } from './markdown/diagrams.ts';
import { Finish } from './markdown/finish.ts';
import { Formulas } from './markdown/formulas.ts';
import { Session, type Status } from './model/session.ts';
import { askRoot, rootOf } from './probe.ts';
import { VERSION } from './version.ts';

/** What a host mirrors, e.g. into a widget's traits. */
export interface PanelState {
  readonly selected_files: readonly string[];
  readonly busy: boolean;
  readonly status: Status;
}

export interface PanelOptions {
  readonly place: Place;
  /** How frames travel; shown as `data-door`. */
  readonly door: 'server' | 'relay' | 'page';
  /** Why this door and not the usual one, in one sentence; shown in the panel. */
  readonly doorNote?: string;
  /** How a socket is opened, for a door that isn't a WebSocket. */
  readonly openSocket?: OpenSocket;
  /** Tells this panel's drafts from those of others on the page; for one that goes from place to place. */
  readonly name?: string;
  /** Looks for repositories near a place that has none; by the place's own server without it. */
  readonly lookAround?: () => Promise<Surroundings>;
  /** Makes a repository of the folder, where the place has none; by the place's own server without it. */
  readonly initRepository?: (folder: string) => Promise<void>;
  /** Shows another repository, by the path of a folder; in this panel without it. */
  readonly openRepository?: (path: string) => Promise<void>;
  /** The source of what is loaded later, for a page that can't fetch it from where the UI came from. */
  readonly chunkSource?: (chunk: Chunk) => Promise<string>;
  /** Called with each new state, and with the first. */
  readonly onState?: (state: PanelState) => void;
  /** Called with the name of the repository that is shown, and again when that is another one. */
  readonly onRepository?: (name: string) => void;
}

export interface Panel {
  /** Shows the repository of another place in the same panel; nothing happens when it is the same one. */
  retarget(place: Place): void;
  /** Asks in the conversation that is shown; resolves to the answer, rejects with one sentence. */
  ask(question: string, stop?: AbortSignal): Promise<string>;
  /** Ticks these files and no others. */
  select(files: readonly string[]): void;
  /** Shows one sentence about the door from now on; none when it is empty. */
  note(text: string): void;
  focus(): void;
  dispose(): void;
}

/** A kernel without subshells answers when its cell has ended; that is no failure. */
const KERNEL_TIMEOUT_S = 24 * 3600;

export function mountPanel(node: HTMLElement, options: PanelOptions): Panel {
  defineElements();
  const app = document.createElement(tagOf('ac-app')) as AcApp;
  app.dataset.door = options.door;
  app.doorNote = options.doorNote ?? '';
  app.loadViewer = viewerLoader(options.chunkSource);
  const frame = diagramFrame();
  app.finish = new Finish(
    new Formulas(mathsLoader(options.chunkSource)),
    new Colours(coloursLoader(options.chunkSource)),
    new DiagramBlocks(() => pageDiagrams() ?? frame),
  );
  const kept = new KeptInput();
  const open = async (path: string): Promise<void> => {
    if (visit.place.kind !== 'jupyter') throw new Error('Open it where the panel was started.');
    await follow({ ...visit.place, repo: path, nonce: null });
  };
  const go = (place: Place): Visit => enter(app, place, { openRepository: open, ...options }, kept);
  let visit = go(options.place);
  let wanted = options.place;
  node.append(app);

  const follow = async (place: Place): Promise<void> => {
    wanted = place;
    if (visit.link.connected) {
      const [here, there] = await Promise.all([
        askRoot(visit.link).catch(() => ''),
        rootOf(place, options.openSocket),
      ]);
      if (wanted !== place || (here !== '' && here === there)) return;
    }
    visit.leave();
    visit = go(place);
  };

  return {
    retarget: (place) => void follow(place),
    ask: (question, stop) => askIn(visit.session, question, visit.closing, stop),
    // It rejects when the panel is closed before it knows what is ticked; then nobody minds.
    select: (files) => void selectIn(visit.session, files, visit.closing).catch(() => {}),
    note(text) {
      app.doorNote = text;
    },
    focus: () => app.focusInput(),
    dispose() {
      wanted = options.place;
      visit.leave();
      frame?.dispose();
      app.remove();
    },
  };
}

interface Visit {
  readonly place: Place;
  readonly link: RpcLink;
  readonly session: Session;
  /** Aborted when the place is left. */
  readonly closing: AbortSignal;
  leave(): void;
}

/** Connects `app` to a place. */
function enter(
  app: AcApp,
  place: Place,
  options: PanelOptions & Required<Pick<PanelOptions, 'openRepository'>>,
  kept: KeptInput,
): Visit {
  const { onState, onRepository, openSocket, name: panel = '' } = options;
  // A panel that goes from folder to folder finds its drafts again by the repository.
  const draftKey = (root: string): string =>
    `jupyter-ac.drafts:${panel && root ? `${panel}:${root}` : placeKey(place)}`;
  const closing = new AbortController();
  const link = document.createElement(tagOf('ac-link')) as RpcLink;
  const session = new Session(link, {
    version: VERSION,
    storage: kept.storage,
    draftKey,
    diagnose: () => diagnose(place),
    lookAround: options.lookAround ?? (() => lookAround(place)),
    initRepository: options.initRepository ?? ((folder) => initRepository(place, folder, document.cookie)),
    openRepository: options.openRepository,
  });
  if (place.kind === 'relay') link.remoteTimeout = KERNEL_TIMEOUT_S;
  const tell = onState ? mirror(session, onState) : () => {};
  let name = '';
  let root = '';
  const stopTelling = session.subscribe(() => {
    tell();
    if (session.repoRoot !== root) {
      root = session.repoRoot;
      session.attachments.giveBack(kept.takeImages(draftKey(root)));
    }
    if (session.repoName !== name) {
      name = session.repoName;
      onRepository?.(name);
    }
  });
  const hurry = () => link.retry();
  const look = () => {
    if (document.visibilityState === 'visible') void session.revisit();
  };
  const glance = () => session.glance();
  app.addEventListener('pointerenter', glance);
  app.addEventListener('focusin', glance);
  window.addEventListener('online', hurry);
  window.addEventListener('focus', look);
  document.addEventListener('visibilitychange', look);
  app.link = link;
  app.session = session;
  const documents = pageDocuments();
  if (documents) {
    link.answerUnsaved(() => documents.unsaved());
    link.on('filesModified', (paths) => documents.changed(paths));
  }
  link.open(socketUrl(place), openSocket);
  tell();
  return {
    place,
    link,
    session,
    closing: closing.signal,
    leave() {
      closing.abort();
      app.removeEventListener('pointerenter', glance);
      app.removeEventListener('focusin', glance);
      window.removeEventListener('online', hurry);
      window.removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
      stopTelling();
      if (root) kept.keepImages(draftKey(root), session.attachments.images);
      session.dispose();
      link.close();
    },
  };
}

/** Tells each state once. */
function mirror(session: Session, onState: (state: PanelState) => void): () => void {
  let last = '';
  return () => {
    const state: PanelState = {
      selected_files: session.selection.paths,
      busy: session.chat.stream !== null,
      status: session.status,
    };
    const text = JSON.stringify(state);
    if (text === last) return;
    last = text;
    onState(state);
  };
}
