/** Mounts a panel over a transport, and asks for another transport when the server refuses. */

import { CommSocket, type RelayStats } from '@jupyter-ac/link/comm-socket';
import { t } from '@jupyter-ac/messages';
import { type ConnectionTarget, clientId, type JupyterTarget, sessionStore } from '@jupyter-ac/page';
import type * as ui from '@jupyter-ac/ui';
import { type Hello, type KernelComm, NO_ANSWER } from './kernel-comm.ts';
import { handleKernelRequests } from './kernel-requests.ts';
import { socketWithFallback } from './server-socket.ts';
import { chooseTransport, refusalReason, type Transport } from './transport.ts';

export interface MountOptions {
  readonly module: typeof ui;
  readonly node: HTMLElement;
  readonly hello: Hello;
  readonly kernel: KernelComm;
  readonly transport: Transport;
  /** Called to mount the panel again over another transport. */
  readonly switchTransport: (transport: Transport) => void;
  /** Called when the kernel has moved the panel to another folder. */
  readonly restart: () => void;
}

type Shared = Required<Pick<ui.PanelOptions, 'chunkSource' | 'openRepository'>>;

/** Hook for tests and benchmarks on the panel's node: the relay's counters. */
export interface HasRelayStats {
  acRelay?: () => RelayStats | null;
}

const BUSY = t('A cell is running; Stop (and questions) reach the model when it ends.');
const BUSY_AT_START = t('A cell is running; the panel opens when it ends.');

/** @returns unmounts the panel */
export function mount(options: MountOptions): () => void {
  const { kernel, transport } = options;
  const closing = new AbortController();
  const shared: Shared = {
    chunkSource: (chunk) => kernel.source(chunk, closing.signal),
    // The kernel moves as well: `panel.ask()` and the proof of the same files belong to it.
    openRepository: (path) => kernel.openRepository(path, closing.signal).then(options.restart),
  };
  const panel =
    transport.kind === 'server'
      ? mountOnServer(options, transport.page, shared)
      : mountOnRelay(options, transport.reason, shared);
  const stopAnswering = handleKernelRequests(kernel, panel);
  return () => {
    closing.abort();
    stopAnswering();
    panel.dispose();
  };
}

function mountOnServer(
  { module, node, hello, kernel, switchTransport }: MountOptions,
  page: JupyterTarget['page'],
  shared: Shared,
): ui.Panel {
  const target: JupyterTarget = {
    kind: 'jupyter',
    page,
    client: clientId(sessionStore()),
    // The folder, not the repository's root: the server checks access by folder.
    repo: hello.directory,
    nonce: hello.nonce,
  };
  const isUp = async () => (await chooseTransport(page, null)).kind === 'server';
  return module.mountPanel(node, {
    target,
    transport: 'server',
    ...shared,
    openSocket: socketWithFallback(
      (reason) => switchTransport({ kind: 'relay', reason: refusalReason(reason) }),
      isUp,
    ),
    onState: (state) => kernel.send({ type: 'state', ...state }),
  });
}

function mountOnRelay(
  { module, node, hello, kernel }: MountOptions,
  reason: string,
  shared: Shared,
): ui.Panel {
  const target: ConnectionTarget = { kind: 'relay', key: hello.directory, client: clientId(sessionStore()) };
  const closing = new AbortController();
  let socket: CommSocket | null = null;
  let isBusy = false;
  let isStarting = true;
  const onWait = (waited: number): void => {
    if (closing.signal.aborted) return;
    if (waited === 0) panel.note(reason);
    else if (kernel.mayBeGone(waited)) panel.note(NO_ANSWER);
    else panel.note(isStarting ? BUSY_AT_START : BUSY);
  };
  const port = { send: kernel.sendOrThrow.bind(kernel), listen: kernel.listen.bind(kernel) };
  const panel = module.mountPanel(node, {
    target,
    transport: 'relay',
    transportNote: reason,
    ...shared,
    openSocket: () => {
      socket = new CommSocket(port, { client: target.client, onWait });
      socket.expectAnswer(isBusy);
      return socket;
    },
    findNearbyRepositories: () => kernel.findNearbyRepositories(closing.signal),
    initRepository: (folder) => kernel.initRepository(folder, closing.signal),
    openPlainFolder: (folder) => kernel.openPlainFolder(folder, closing.signal),
    onState: (state) => {
      if (state.busy !== isBusy) socket?.expectAnswer(state.busy);
      isBusy = state.busy;
      isStarting &&= state.status === 'starting';
      kernel.send({ type: 'state', ...state });
    },
  });
  const stopDoubting = kernel.onCommEvent(() => socket?.check());
  (node as HasRelayStats).acRelay = () => socket?.stats ?? null;
  return {
    ...panel,
    dispose() {
      closing.abort();
      stopDoubting();
      panel.dispose();
    },
  };
}
