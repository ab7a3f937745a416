/** The part of anywidget's model (https://anywidget.dev) that the loader uses. */

export interface Model {
  send(content: unknown): void;
  on(event: 'msg:custom', listener: (content: unknown) => void): void;
  off(event: 'msg:custom', listener: (content: unknown) => void): void;
}

export interface RenderArguments {
  readonly model: Model;
  readonly el: HTMLElement;
}
