/** As much of Lumino's widgets as the tests need; the real ones are JupyterLab's, at run time. */

export class Widget {
  readonly node: HTMLElement;
  readonly title: { caption?: string; label?: string; icon?: unknown; closable?: boolean } = {};
  id = '';
  isDisposed = false;

  constructor({ node = document.createElement('div') }: { node?: HTMLElement } = {}) {
    this.node = node;
  }

  get isVisible(): boolean {
    return !this.node.hidden;
  }

  show(): void {
    const wasHidden = this.node.hidden;
    this.setHidden(false);
    if (wasHidden) this.onAfterShow();
  }

  hide(): void {
    const wasVisible = !this.node.hidden;
    this.setHidden(true);
    if (wasVisible) this.onAfterHide();
  }

  addClass(name: string): void {
    this.node.classList.add(name);
  }

  get isHidden(): boolean {
    return this.node.hidden;
  }

  setHidden(hidden: boolean): void {
    this.node.hidden = hidden;
  }

  dispose(): void {
    this.isDisposed = true;
    this.node.remove();
  }

  protected onAfterShow(): void {}

  protected onAfterHide(): void {}
}

export class Panel extends Widget {
  addWidget(widget: Widget): void {
    this.node.append(widget.node);
  }
}
