/** As much of JupyterLab's widgets and notifications as the tests need; the real ones are there at run time. */

import { vi } from 'vitest';
import { Widget } from './lumino.ts';

export const Notification = {
  warning: vi.fn(),
  emit: vi.fn((_message: string, _type: string, _options: object) => 'n1'),
  dismiss: vi.fn(),
};

export class MainAreaWidget<Content extends Widget> extends Widget {
  readonly content: Content;
  readonly toolbar = new Widget();

  constructor({ content }: { content: Content }) {
    super();
    this.content = content;
    this.node.append(content.node);
  }
}

export class WidgetTracker<W> {
  readonly widgets: W[] = [];
  readonly save = vi.fn(async (_widget: W) => {});

  get currentWidget(): W | null {
    return this.widgets.at(-1) ?? null;
  }

  find(isIt: (widget: W) => boolean): W | undefined {
    return this.widgets.find(isIt);
  }

  async add(widget: W): Promise<void> {
    this.widgets.push(widget);
  }
}
