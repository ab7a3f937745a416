/** Mounts a panel into a DOM node of any host: notebook output, side bar, page. */

import { type RpcLink, tagOf } from '@jupyter-ac/link';
import type { ContextItemGiven } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import {
  type Chunk,
  type ConnectionTarget,
  type JupyterTarget,
  localStore,
  pageDiagramRenderer,
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
import type { Session, Status } from './model/session.ts';
import { type Connection, type ConnectionOptions, connect, draftKey } from './panel-connection.ts';
import { probeRepositoryRoot, requestRepositoryRoot } from './repository-probe.ts';
import { askInSession, attachInSession, selectInSession } from './scripting.ts';

/** State reported to the host, e.g. for a widget's traits. */
export interface PanelState {
  readonly selected_files: readonly string[];
  readonly busy: boolean;
  readonly status: Status;
}

export interface PanelOptions extends Partial<ConnectionOptions> {
  readonly target: ConnectionTarget;
  /** Transport of the frames; exposed as `data-door`. */
  readonly transport: 'server' | 'relay' | 'page';
  /** Why this transport is used instead of the usual one: one sentence, shown in the panel. */
  readonly transportNote?: string;
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
    if (connection.target.kind !== 'jupyter') throw new Error(t('Open it where the panel was started.'));
    await switchTo({ ...connection.target, repo: path, nonce: null });
  };
  const connectionOptions = { openRepository, ...options };
  /** The conversation that all panels of the repository show. */
  let first = connect(options.target, connectionOptions, inputs);
  /** The conversation that this panel shows. */
  let connection = first;
  let wanted = options.target;
  const report = stateReporter(() => connection.session, options);
  let stopReporting = (): void => {};
  const show = (next: Connection): void => {
    stopReporting();
    connection = next;
    app.link = next.link;
    app.session = next.session;
    stopReporting = next.session.subscribe(report);
    report();
    void next.session.syncIfStale();
  };
  show(first);
  node.append(app);
  const disposal = new AbortController();
  const link = (): RpcLink => connection.link;
  void renderer(options.chunkSource, app.loadDialogs, frame, link, disposal.signal).then((markdown) => {
    app.markdown = markdown;
  });

  const openTabs = async (shared: Connection): Promise<void> => {
    const module = await loadInsistently(app.loadDialogs, shared.closing);
    if (!module || shared.closing.aborted || app.tabs) return;
    app.tabs = module.conversationTabs(app, shared, {
      connect: (beside) => connect(shared.target, connectionOptions, inputs, beside),
      show,
      storage: inputs.storage,
      draftKey: (root) => draftKey(shared.target, options.name ?? '', root),
    });
  };
  void openTabs(first);
  const stopListening = listenToPage(app, () => connection);

  const switchTo = async (target: ConnectionTarget): Promise<void> => {
    wanted = target;
    if (connection.link.connected) {
      const [here, there] = await Promise.all([
        requestRepositoryRoot(connection.link).catch(() => ''),
        probeRepositoryRoot(target, options.openSocket),
      ]);
      if (wanted !== target || (here !== '' && here === there)) return;
    }
    closeAll();
    first = connect(target, connectionOptions, inputs);
    show(first);
    void openTabs(first);
  };
  const closeAll = (): void => {
    stopReporting();
    app.tabs?.dispose();
    app.tabs = null;
    first.disconnect();
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
      stopListening();
      closeAll();
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
      const options = { openRepository: async () => {}, name: 'viewer' };
      const connection = connect(target, options, new InputCache());
      const { session, link, closing, disconnect } = connection;
      const frame = diagramFrame();
      const stopListening = listenToPage(null, () => connection);
      closing.addEventListener('abort', () => {
        stopListening();
        frame?.dispose();
      });
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

/** Brings the shown conversation up to date when the page or the panel gets the user's attention. */
function listenToPage(panel: HTMLElement | null, shown: () => Connection): () => void {
  const retryNow = (): void => {
    shown().link.retry();
  };
  const syncIfVisible = (): void => {
    if (document.visibilityState === 'visible') void shown().session.syncIfStale();
  };
  const refreshStandings = (): void => {
    shown().session.refreshStandings();
  };
  const stop = new AbortController();
  const { signal } = stop;
  panel?.addEventListener('pointerenter', refreshStandings, { signal });
  panel?.addEventListener('focusin', refreshStandings, { signal });
  window.addEventListener('online', retryNow, { signal });
  window.addEventListener('focus', syncIfVisible, { signal });
  document.addEventListener('visibilitychange', syncIfVisible, { signal });
  return () => stop.abort();
}

/** Reports the state, and the repository's name, when they have changed. */
function stateReporter(shown: () => Session, { onState, onRepository }: PanelOptions): () => void {
  let last = '';
  let name = '';
  return () => {
    const session = shown();
    const state: PanelState = {
      selected_files: session.selection.paths,
      busy: session.chat.stream !== null,
      status: session.status,
    };
    const text = JSON.stringify(state);
    if (text !== last) onState?.(state);
    last = text;
    if (session.repoName !== name) onRepository?.(session.repoName);
    name = session.repoName;
  };
}
