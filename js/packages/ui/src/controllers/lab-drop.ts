/** Files dragged from JupyterLab's file browser, which drags by events of its own (Lumino). */

const MIME = 'application/x-jupyter-icontents';

/** A drag event of Lumino: only what is used here. */
interface LabDragEvent extends Event {
  readonly mimeData: { hasData(mime: string): boolean; getData(mime: string): unknown };
  readonly proposedAction: string;
  dropAction: string;
}

/**
 * Accepts such files on `host`.
 *
 * @param take - called with their paths in JupyterLab
 */
export function onLabDrop(host: HTMLElement, take: (paths: readonly string[]) => void): void {
  for (const name of ['lm-dragenter', 'lm-dragover', 'lm-drop']) {
    host.addEventListener(name, (event) => {
      const drag = event as LabDragEvent;
      if (!drag.mimeData?.hasData(MIME)) return;
      event.preventDefault();
      // The notebook around the panel must not take them as well.
      event.stopPropagation();
      drag.dropAction = drag.proposedAction;
      if (name !== 'lm-drop') return;
      const paths = drag.mimeData.getData(MIME);
      if (Array.isArray(paths)) take(paths.filter((path) => typeof path === 'string'));
    });
  }
}
