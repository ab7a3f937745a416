/** Mounts a panel into a DOM node of any host: notebook output, side bar, page. */

import { type OpenSocket, type RpcLink, tagOf } from '@jupyter-ac/link';
import type { ContextItemGiven } from '@jupyter-ac/link/rpc';
import {
  type Chunk,
  type ConnectionTarget,
  diagnose,
  findNearbyRepositories,
  initRepository,
  type JupyterTarget,
  localStore,
  type NearbyRepositories,
  openPlainFolder,
  pageCellRunner,
  pageDiagramRenderer,
  pageOpenDocuments,
  socketUrl,
  targetKey,
} from '@jupyter-ac/page';
import { choosePanel } from './controllers/chosen-panel.ts';
import type { OpenEditor } from './controllers/panel-overlays.ts';
import type { AcApp } from './elements/app.ts';
import { registerElements } from './elements/register-elements.ts';
import { onPartRequest } from './elements/request-part.ts';
import type { HostedPanel, HostPorts } from './host/ports.ts';
import type { MountedViewer, ViewerRequest } from './host/viewer-tab.ts';
import { InputCache } from './input-cache.ts';
import {
  agentLoader,
  coloursLoader,
  diagramFrame,
  dialogsLoader,
  type LoadDialogs,
  loadInsistently,
  markdownLoader,
  mathsLoader,
  viewerLoader,
  viewRegistrar,
} from './load-chunk.ts';
import type { MarkdownRenderer } from './markdown/markdown-renderer.ts';
import { LayoutStore } from './model/layout.ts';
import { Session, type Status } from './model/session.ts';
import { probeRepositoryRoot, requestRepositoryRoot } from './repository-probe.ts';
import { askInSession, attachInSession, selectInSession } from './scripting.ts';
import { VERSION } from './version.ts';

/** State reported to the host, e.g. for a widget's traits. */
export interface PanelState {
  readonly selected_files: readonly string[];
  readonly busy: boolean;
  readonly status: Status;
}

export interface PanelOptions {
  readonly target: ConnectionTarget;
  /** Transport of the frames; exposed as `data-door`. */
  readonly transport: 'server' | 'relay' | 'page';
  /** Why this transport is used instead of the usual one: one sentence, shown in the panel. */
  readonly transportNote?: string;
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
  /** Shows another repository, by the path of a folder; default: in this panel. */
  readonly openRepository?: (path: string) => Promise<void>;
  /** Source text of bundles loaded on demand, for a page that can't import them by URL. */
  readonly chunkSource?: (chunk: Chunk) => Promise<string>;
  /** Opens a file of the Jupyter server in an editor beside the panel; default: the panel's own viewer. */
  readonly openEditor?: OpenEditor;
  /** Called with the first and each changed state. */
  readonly onState?: (state: PanelState) => void;
  /** Called with the name of the shown repository, and again when it changes. */
  readonly onRepository?: (name: string) => void;
}

export interface Panel {
  /** Shows the repository of another target in this panel, then resolves; does nothing for the same repository. */
  retarget(target: ConnectionTarget): Promise<void>;
  /** Asks in the current conversation; resolves to the answer, rejects with one sentence. */
  ask(question: string, stop?: AbortSignal): Promise<string>;
  /**
   * Finds a file of the Jupyter server in the repository; resolves to its path there.
   *
   * @param serverPath - under the server's root
   * @param isTicked - tick it, beside the files that are ticked
   * Rejects with one sentence.
   */
  locate(serverPath: string, isTicked: boolean): Promise<string>;
  /**
   * Adds something of the notebook beside the panel to the next question, with a chip at the input; a failure is a
   * chip, too.
   *
   * @param mention - such as `@cell:3`
   * Rejects with one sentence when the panel can't.
   */
  addContext(mention: string): Promise<void>;
  /** Ticks exactly these files. */
  select(files: readonly string[]): void;
  /** Adds something of a kernel to the next question; rejects with one sentence. */
  attach(item: ContextItemGiven): Promise<void>;
  /** Connects the panel with the application around it; rejects with one sentence when that can't be loaded. */
  host(ports: HostPorts): Promise<HostedPanel>;
  /** Sets the note about the transport; '' removes it. */
  note(text: string): void;
  focus(): void;
  /** Opens the view of panels at a panel of the server, by its id. */
  showPlugin(id: string): void;
  dispose(): void;
}

/** A kernel without subshells answers only when its cell has ended; that must not time out. */
const KERNEL_TIMEOUT_S = 24 * 3600;

export function mountPanel(node: HTMLElement, options: PanelOptions): Panel {
  registerElements();
  const app = document.createElement(tagOf('ac-app')) as AcApp;
  app.dataset.door = options.transport;
  app.transportNote = options.transportNote ?? '';
  app.loadViewer = viewerLoader(options.chunkSource);
  app.loadDialogs = dialogsLoader(options.chunkSource);
  app.registerView = viewRegistrar(options.chunkSource);
  app.loadAgent = agentLoader(options.chunkSource);
  app.layout = new LayoutStore(localStore());
  app.openEditor = options.openEditor ?? null;
  const frame = diagramFrame();
  onPartRequest(app, app.registerView, (message) => app.session.toasts.show('error', message));
  const inputs = new InputCache();
  const openRepository = async (path: string): Promise<void> => {
    if (connection.target.kind !== 'jupyter') throw new Error('Open it where the panel was started.');
    await switchTo({ ...connection.target, repo: path, nonce: null });
  };
  const open = (target: ConnectionTarget): Connection =>
    connect(app, target, { openRepository, ...options }, inputs);
  let connection = open(options.target);
  let wanted = options.target;
  node.append(app);
  const disposal = new AbortController();
  const link = (): RpcLink => connection.link;
  void renderer(options.chunkSource, app.loadDialogs, frame, link, disposal.signal).then((markdown) => {
    app.markdown = markdown;
  });

  const switchTo = async (target: ConnectionTarget): Promise<void> => {
    wanted = target;
    if (connection.link.connected) {
      const [here, there] = await Promise.all([
        requestRepositoryRoot(connection.link).catch(() => ''),
        probeRepositoryRoot(target, options.openSocket),
      ]);
      if (wanted !== target || (here !== '' && here === there)) return;
    }
    connection.disconnect();
    connection = open(target);
  };

  return {
    retarget: switchTo,
    ask: (question, stop) => askInSession(connection.session, question, connection.closing, stop),
    async locate(path, isTicked) {
      const { locateServerFile } = await app.loadDialogs();
      return locateServerFile(connection.session, path, isTicked, connection.closing);
    },
    async addContext(mention) {
      const { addMention } = await app.loadDialogs();
      return addMention(connection.session, mention, connection.closing);
    },
    // It rejects when the panel is closed before the ticks are loaded; that needs no report.
    select: (files) => void selectInSession(connection.session, files, connection.closing).catch(() => {}),
    attach: (item) => attachInSession(connection.session, item, connection.closing),
    host: async (ports) => (await app.loadDialogs()).hostPanel(app, ports),
    note(text) {
      app.transportNote = text;
    },
    focus: () => app.focusInput(),
    showPlugin(id) {
      choosePanel(id);
      app.dispatchEvent(new CustomEvent('ac-panels'));
    },
    dispose() {
      wanted = options.target;
      connection.disconnect();
      frame?.dispose();
      disposal.abort();
      app.remove();
    },
  };
}

export interface ViewerOptions extends ViewerRequest {
  readonly target: JupyterTarget;
}

/** Mounts the file viewer alone; viewers of the same folder share a connection. */
export async function mountViewer(node: HTMLElement, options: ViewerOptions): Promise<MountedViewer> {
  registerElements();
  const { target } = options;
  const loadDialogs = dialogsLoader();
  return (await loadDialogs()).mountViewerTab(node, options, {
    key: targetKey(target),
    load: viewerLoader(),
    connect() {
      const root = document.createElement('div') as unknown as ConnectedElement;
      const { session, link, closing, disconnect } = connect(
        root,
        target,
        { target, transport: 'server', openRepository: async () => {}, name: 'viewer' },
        new InputCache(),
      );
      const frame = diagramFrame();
      closing.addEventListener('abort', () => frame?.dispose());
      return { session, disconnect, markdown: renderer(undefined, loadDialogs, frame, () => link, closing) };
    },
  });
}

/** Loads what renders Markdown; resolves to null when that fails or is not wanted any more. */
async function renderer(
  source: PanelOptions['chunkSource'],
  loadDialogs: LoadDialogs,
  frame: ReturnType<typeof diagramFrame>,
  link: () => RpcLink,
  closing: AbortSignal,
): Promise<MarkdownRenderer | null> {
  const module = await loadInsistently(markdownLoader(source), closing);
  if (closing.aborted || !module) return null;
  const markdown = module.newMarkdownRenderer({
    loadMaths: mathsLoader(source),
    loadColours: coloursLoader(source),
    loadDialogs,
    diagrams: () => pageDiagramRenderer() ?? frame,
    rpc: link,
  });
  closing.addEventListener('abort', () => markdown.dispose());
  return markdown;
}

/** The element whose parts use the connection. */
type ConnectedElement = HTMLElement & { link: RpcLink; session: Session };

interface Connection {
  readonly target: ConnectionTarget;
  readonly link: RpcLink;
  readonly session: Session;
  /** Aborted on disconnect. */
  readonly closing: AbortSignal;
  disconnect(): void;
}

/** Connects `app` to a target. */
function connect(
  app: ConnectedElement,
  target: ConnectionTarget,
  options: PanelOptions & Required<Pick<PanelOptions, 'openRepository'>>,
  inputs: InputCache,
): Connection {
  const { onState, onRepository, openSocket, name: panel = '' } = options;
  // A panel that is retargeted finds its drafts again by the repository's root.
  const draftKey = (root: string): string =>
    `jupyter-ac.drafts:${panel && root ? `${panel}:${root}` : targetKey(target)}`;
  const closing = new AbortController();
  const link = document.createElement(tagOf('ac-link')) as RpcLink;
  const session = new Session(link, {
    version: VERSION,
    storage: inputs.storage,
    draftKey,
    diagnose: () => diagnose(target),
    findNearbyRepositories: options.findNearbyRepositories ?? (() => findNearbyRepositories(target)),
    initRepository: options.initRepository ?? ((folder) => initRepository(target, folder, document.cookie)),
    openPlainFolder:
      options.openPlainFolder ?? ((folder) => openPlainFolder(target, folder, document.cookie)),
    openRepository: options.openRepository,
  });
  if (target.kind === 'relay') link.remoteTimeout = KERNEL_TIMEOUT_S;
  const report = onState ? stateReporter(session, onState) : () => {};
  let name = '';
  let root = '';
  const unsubscribe = session.subscribe(() => {
    report();
    if (session.repoRoot !== root) {
      root = session.repoRoot;
      session.attachments.restore(inputs.takeImages(draftKey(root)));
    }
    if (session.repoName !== name) {
      name = session.repoName;
      onRepository?.(name);
    }
  });
  const retryNow = () => link.retry();
  const syncIfVisible = () => {
    if (document.visibilityState === 'visible') void session.syncIfStale();
  };
  const refreshStandings = () => session.refreshStandings();
  app.addEventListener('pointerenter', refreshStandings);
  app.addEventListener('focusin', refreshStandings);
  window.addEventListener('online', retryNow);
  window.addEventListener('focus', syncIfVisible);
  document.addEventListener('visibilitychange', syncIfVisible);
  app.link = link;
  app.session = session;
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
  link.open(socketUrl(target), openSocket);
  report();
  return {
    target,
    link,
    session,
    closing: closing.signal,
    disconnect() {
      closing.abort();
      app.removeEventListener('pointerenter', refreshStandings);
      app.removeEventListener('focusin', refreshStandings);
      window.removeEventListener('online', retryNow);
      window.removeEventListener('focus', syncIfVisible);
      document.removeEventListener('visibilitychange', syncIfVisible);
      unsubscribe();
      if (root) inputs.keepImages(draftKey(root), session.attachments.images);
      session.dispose();
      link.close();
    },
  };
}

/** Reports the state when it has changed. */
function stateReporter(session: Session, onState: (state: PanelState) => void): () => void {
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
