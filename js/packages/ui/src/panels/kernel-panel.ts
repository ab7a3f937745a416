/** Shows a plugin of the kernel below a cell: a connection over the widget's comm, and the panel. */

import { tagOf } from '@jupyter-ac/link';
import { KERNEL_LOST } from '@jupyter-ac/link/close-codes';
import { CommSocket, type RelayPort } from '@jupyter-ac/link/comm-socket';
import { t } from '@jupyter-ac/messages';
import { frameThrottle } from '../controllers/frame-throttle.ts';
import { HostController } from '../model/panels/host-controller.ts';
import { OwnPipe } from '../model/panels/own-pipe.ts';
import { PanelLog } from '../model/panels/panel-log.ts';
import { pageEnvironment } from './environment.ts';
import type { AcPluginPanel } from './panel.ts';
import { usualComponents } from './usual-components.ts';

export interface KernelPanelOptions {
  readonly port: RelayPort;
  /** Id of the page. */
  readonly client: string;
  readonly title: string;
  /** Whether a silence of the kernel may mean that it is gone. */
  mayBeGone(waitedMs: number): boolean;
  /** Calls back when the comm may have been closed. */
  onCommEvent(check: () => void): () => void;
  /** Takes one sentence on what is waited for before the panel is shown, or on a silent kernel; '' for none. */
  onNote(sentence: string): void;
  /** Called once, when there is something to show. */
  onShown(panel: HTMLElement): void;
}

export const BUSY_NOTE = t('The kernel is busy; the panel opens when the running cell has ended.');
export const NO_ANSWER_NOTE = t(
  'The kernel does not answer: a cell keeps it busy, or it was restarted. In that case run this cell again.',
);
export const GONE_NOTE = t(
  'The kernel was restarted or has ended: run this cell again to get the panel back.',
);
/** Without an answer for this long, the kernel is said to be busy. */
const BUSY_AFTER_MS = 1500;

/** @returns ends the view */
export function showKernelPanel(options: KernelPanelOptions): () => void {
  const { port, client } = options;
  let socket: CommSocket | null = null;
  let controller: HostController | null = null;
  let isShown = false;
  const panel = document.createElement(tagOf('ac-plugin-panel')) as AcPluginPanel;
  const pipe = new OwnPipe({
    open: () => {
      socket = new CommSocket(port, { client, onWait, goneReason: GONE_NOTE });
      return socket;
    },
    finalCodes: new Set([KERNEL_LOST]),
  });
  const patience = setTimeout(() => options.onNote(BUSY_NOTE), BUSY_AFTER_MS);

  function onWait(waitedMs: number): void {
    if (waitedMs > 0 && options.mayBeGone(waitedMs)) options.onNote(NO_ANSWER_NOTE);
    else if (isShown) options.onNote('');
    else if (waitedMs > 0) options.onNote(BUSY_NOTE);
  }

  const start = (): void => {
    if (controller) return;
    const log = new PanelLog(frameThrottle());
    const onLog: PanelLog['add'] = (level, values) => log.add(level, values);
    const made = new HostController(pipe, { mode: 'kernel', schedule: frameThrottle(), onLog });
    controller = made;
    Object.assign(panel, { controller: made, components: usualComponents(), label: options.title, log });
    const stop = made.subscribe(() => {
      const { isReady, lastError } = made.getStatus();
      if (!isReady && !lastError && !made.getTree()) return;
      stop();
      isShown = true;
      clearTimeout(patience);
      options.onNote('');
      options.onShown(panel);
    });
    void made.initialize(null, { ...pageEnvironment(document.body), active: true });
  };
  const stopOpening = pipe.onOpen(start);
  const stopClosing = pipe.onClose((reason) => {
    if (!isShown) options.onNote(reason || GONE_NOTE);
    clearTimeout(patience);
  });
  const stopDoubting = options.onCommEvent(() => socket?.check());
  const stopHearing = port.listen(({ type, busy }) => {
    if (type !== 'busy') return;
    panel.isHeld = busy === true;
    if (!isShown && busy === true) options.onNote(BUSY_NOTE);
  });

  return () => {
    clearTimeout(patience);
    for (const stop of [stopOpening, stopClosing, stopDoubting, stopHearing]) stop();
    void controller?.destroy();
    pipe.close();
    panel.remove();
  };
}
