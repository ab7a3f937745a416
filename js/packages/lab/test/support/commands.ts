/** Commands of JupyterLab, as they were added. */

import type { JupyterFrontEnd } from '@jupyterlab/application';
import { vi } from 'vitest';

export interface AddedCommand {
  label: string | (() => string);
  caption?: string | (() => string);
  isEnabled?(): boolean;
  isVisible?(): boolean;
  isToggled?(): boolean;
  execute(args?: object): unknown;
}

export class FakeCommands {
  readonly added = new Map<string, AddedCommand>();
  readonly notifyCommandChanged = vi.fn();
  readonly keyBindings: { command: string; keys: string[] }[] = [];

  addCommand(id: string, command: AddedCommand): void {
    this.added.set(id, command);
  }

  get(id: string): AddedCommand {
    const command = this.added.get(id);
    if (!command) throw new Error(`${id} was not added`);
    return command;
  }

  text(id: string, part: 'label' | 'caption'): string {
    const text = this.get(id)[part];
    return typeof text === 'function' ? text() : (text ?? '');
  }

  get real(): JupyterFrontEnd['commands'] {
    return this as unknown as JupyterFrontEnd['commands'];
  }
}
