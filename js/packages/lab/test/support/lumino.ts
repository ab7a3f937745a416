/** As much of Lumino's widgets as the tests need; the real ones are JupyterLab's, at run time. */

export class Widget {
  readonly node: HTMLElement;
  isDisposed = false;

  constructor({ node = document.createElement('div') }: { node?: HTMLElement } = {}) {
    this.node = node;
  }

  show(): void {
    this.setHidden(false);
  }

  hide(): void {
    this.setHidden(true);
  }

  setHidden(hidden: boolean): void {
    this.node.hidden = hidden;
  }

  dispose(): void {
    this.isDisposed = true;
    this.node.remove();
  }
}

export class Panel extends Widget {
  addWidget(widget: Widget): void {
    this.node.append(widget.node);
  }
}
