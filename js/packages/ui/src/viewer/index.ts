/** The viewer's bundle: a file of the repository, to be read and walked through. Loaded when first wanted. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import type { FileLocation } from '../model/file-location.ts';
import { ViewerStore } from '../model/viewer.ts';
import { Viewer } from './viewer.ts';

export interface ViewerPorts {
  readonly rpc: Rpc;
  /** Draws Markdown of the server's, safely. */
  markdown(text: string): Node;
  /** Told of each location that is shown. */
  moved(location: FileLocation): void;
}

export interface OpenViewer {
  show(location: FileLocation): void;
  focus(): void;
  dispose(): void;
}

/** @param host - an element without anything in it */
export function openViewer(host: HTMLElement, location: FileLocation, ports: ViewerPorts): OpenViewer {
  const store = new ViewerStore(ports.rpc);
  const viewer = new Viewer(host, store, ports);
  store.open(location);
  return {
    show: (next) => store.open(next),
    focus: () => viewer.focus(),
    dispose() {
      viewer.dispose();
      store.dispose();
    },
  };
}
