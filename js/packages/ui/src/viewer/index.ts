/** Entry of the file viewer's bundle, loaded on demand. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import type { FileLocation } from '../model/file-location.ts';
import type { ReviewStore } from '../model/review.ts';
import type { ReviewComment } from '../model/review-comments.ts';
import type { Store } from '../model/store.ts';
import { ViewerStore } from '../model/viewer.ts';
import { Viewer } from './viewer.ts';

export { commentsOn } from '../model/review-comments.ts';

export interface ViewerPorts {
  readonly rpc: Rpc;
  readonly review: ReviewStore;
  /** The conversation, whose answers comment on lines. */
  readonly conversation: Store;
  /** The comments of answers on a file under review, by line. */
  comments(path: string): readonly ReviewComment[];
  /** Renders Markdown from the server, sanitized. */
  markdown(text: string): Node;
  /** Called with each location that is shown. */
  moved(location: FileLocation): void;
}

export interface OpenViewer {
  show(location: FileLocation): void;
  focus(): void;
  dispose(): void;
}

/** @param host - an empty element */
export function openViewer(host: HTMLElement, location: FileLocation, ports: ViewerPorts): OpenViewer {
  const store = new ViewerStore(ports.rpc, ports.review);
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
