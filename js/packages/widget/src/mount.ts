/** Mounts a panel behind a door, and another one behind another door when the first turns out locked. */

import { clientId, type JupyterPlace, type Place, sessionStore } from '@jupyter-ac/page';
import type * as ui from '@jupyter-ac/ui';
import { answerAsks } from './asks.ts';
import { CommSocket, type RelayFigures } from './comm-socket.ts';
import { chooseDoor, type Door, refusedBy } from './door.ts';
import { type Hello, type Kernel, NO_ANSWER } from './kernel.ts';
import { guardedSocket } from './server-socket.ts';

export interface MountOptions {
  readonly module: typeof ui;
  readonly node: HTMLElement;
  readonly hello: Hello;
  readonly kernel: Kernel;
  readonly door: Door;
  /** Called when the panel should stand behind another door. */
  readonly goThrough: (door: Door) => void;
  /** Called when the kernel's end of the panel has gone to another folder. */
  readonly startAgain: () => void;
}

type Shared = Required<Pick<ui.PanelOptions, 'chunkSource' | 'openRepository'>>;

/** Where tests and benchmarks find the relay's figures; on the node around the panel. */
export interface WithFigures {
  acRelay?: () => RelayFigures | null;
}

const BUSY = 'A cell is running; Stop (and questions) reach the model when it ends.';
const BUSY_AT_START = 'A cell is running; the panel opens when it ends.';

/** @returns takes the panel away */
export function mount(options: MountOptions): () => void {
  const { kernel, door } = options;
  const closing = new AbortController();
  const shared: Shared = {
    chunkSource: (chunk) => kernel.source(chunk, closing.signal),
    // The kernel goes along: `panel.ask()` and the proof of the same files are its own.
    openRepository: (path) => kernel.openRepository(path, closing.signal).then(options.startAgain),
  };
  const panel =
    door.kind === 'server' ? atServer(options, door.page, shared) : atKernel(options, door.reason, shared);
  const stopAnswering = answerAsks(kernel, panel);
  return () => {
    closing.abort();
    stopAnswering();
    panel.dispose();
  };
}

function atServer(
  { module, node, hello, kernel, goThrough }: MountOptions,
  page: JupyterPlace['page'],
  shared: Shared,
): ui.Panel {
  const place: JupyterPlace = {
    kind: 'jupyter',
    page,
    client: clientId(sessionStore()),
    // The folder, not the repository's top: what the server may serve goes by the folder.
    repo: hello.directory,
    nonce: hello.nonce,
  };
  const isUp = async () => (await chooseDoor(page, null)).kind === 'server';
  return module.mountPanel(node, {
    place,
    door: 'server',
    ...shared,
    openSocket: guardedSocket((reason) => goThrough({ kind: 'relay', reason: refusedBy(reason) }), isUp),
    onState: (state) => kernel.send({ type: 'state', ...state }),
  });
}

function atKernel({ module, node, hello, kernel }: MountOptions, reason: string, shared: Shared): ui.Panel {
  const place: Place = { kind: 'relay', key: hello.directory, client: clientId(sessionStore()) };
  const closing = new AbortController();
  let socket: CommSocket | null = null;
  let isBusy = false;
  let isStarting = true;
  const onWait = (waited: number): void => {
    if (closing.signal.aborted) return;
    if (waited === 0) panel.note(reason);
    else if (kernel.isDoubtful(waited)) panel.note(NO_ANSWER);
    else panel.note(isStarting ? BUSY_AT_START : BUSY);
  };
  const port = { send: kernel.transmit.bind(kernel), listen: kernel.listen.bind(kernel) };
  const panel = module.mountPanel(node, {
    place,
    door: 'relay',
    doorNote: reason,
    ...shared,
    openSocket: () => {
      socket = new CommSocket(port, { client: place.client, onWait });
      socket.attend(isBusy);
      return socket;
    },
    lookAround: () => kernel.lookAround(closing.signal),
    initRepository: (folder) => kernel.initRepository(folder, closing.signal),
    onState: (state) => {
      if (state.busy !== isBusy) socket?.attend(state.busy);
      isBusy = state.busy;
      isStarting &&= state.status === 'starting';
      kernel.send({ type: 'state', ...state });
    },
  });
  const stopDoubting = kernel.onDoubt(() => socket?.check());
  (node as WithFigures).acRelay = () => socket?.figures ?? null;
  return {
    ...panel,
    dispose() {
      closing.abort();
      stopDoubting();
      panel.dispose();
    },
  };
}
