/** The part of anywidget's model (https://anywidget.dev) that the loader uses. */

export interface Model {
  send(content: unknown): void;
  /** Value of a synchronized trait. */
  get?(name: string): unknown;
  on(event: string, listener: (content: unknown) => void): void;
  off(event: string, listener: (content: unknown) => void): void;
  /** JupyterLab's manager exposes the kernel; those of other front ends don't. */
  readonly widget_manager?: unknown;
}

export interface RenderArguments {
  readonly model: Model;
  readonly el: HTMLElement;
}
