/** Keyboard shortcut that moves the focus into the panel's input, and back. */

import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { SidePanel } from './side-panel.ts';

/** How our commands begin. */
const OURS = 'jupyter-ac:';
/** Opens the command palette. */
const PALETTE = 'apputils:activate-command-palette';
/** How long the input takes the focus back at most. */
const HOLD_FOCUS_MS = 1000;

export class InputFocus {
  /** The element that had the focus before the input. */
  #previous: HTMLElement | null = null;

  /** @param keystrokeOf - formats a key event like the keys of a key binding */
  constructor(
    private readonly app: JupyterFrontEnd,
    private readonly panel: SidePanel,
    private readonly keystrokeOf: (event: KeyboardEvent) => string,
  ) {}

  /** Opens the panel and focuses its input; if the panel has the focus, returns it. */
  toggle(): void {
    if (this.panel.hasFocus) {
      this.#restoreFocus();
      return;
    }
    this.#previous = focused();
    this.app.shell.activateById(this.panel.id);
    this.panel.focusInput();
    this.#holdFocus();
  }

  /**
   * Handles our shortcuts, and that of the command palette, also where JupyterLab doesn't see them: in the panel,
   * which suppresses shortcuts, and, only the one that calls `toggle`, in a terminal, which passes all keys to its program.
   *
   * @param command the command that calls `toggle`
   */
  listen(command: string): void {
    document.addEventListener(
      'keydown',
      (event) => {
        const path = event.composedPath();
        const bound = path.some(keepsKeys) ? this.#boundTo(event) : undefined;
        if (bound === undefined || (bound !== command && !path.some(isPanel))) return;
        event.preventDefault();
        event.stopPropagation();
        if (bound === command) this.toggle();
        else void this.app.commands.execute(bound);
      },
      true,
    );
  }

  /**
   * After closing, the command palette moves the focus to the document, in several steps. The input takes it
   * back until the user presses a key or a pointer.
   */
  #holdFocus(): void {
    const end = new AbortController();
    const { signal } = end;
    for (const gesture of ['keydown', 'pointerdown']) {
      document.addEventListener(gesture, () => end.abort(), { capture: true, signal });
    }
    const takeBack = () => {
      if (!signal.aborted && !this.panel.hasFocus) this.panel.focusInput();
    };
    this.panel.node.addEventListener('focusout', () => setTimeout(takeBack), { signal });
    setTimeout(() => end.abort(), HOLD_FOCUS_MS);
  }

  /** The command, ours or the palette's, that a key is bound to. */
  #boundTo(event: KeyboardEvent): string | undefined {
    const keystroke = this.keystrokeOf(event);
    // A modifier alone is no keystroke, and a binding may be empty.
    if (keystroke === '') return undefined;
    return this.app.commands.keyBindings.find(
      ({ command, keys }) =>
        (command.startsWith(OURS) || command === PALETTE) && keys.length === 1 && keys[0] === keystroke,
    )?.command;
  }

  /** Focuses the previous element, or the active document when that element is gone, e.g. the command palette. */
  #restoreFocus(): void {
    const before = this.#previous;
    this.#previous = null;
    before?.focus();
    if (!before || focused() !== before) this.app.shell.currentWidget?.activate();
  }
}

/** Whether an element hides its key events from JupyterLab. */
function keepsKeys(target: EventTarget): boolean {
  return isPanel(target) || (target as HTMLElement).classList?.contains('jp-Terminal') === true;
}

function isPanel(target: EventTarget): boolean {
  return (target as HTMLElement).dataset?.ac === 'app';
}

function focused(): HTMLElement | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element instanceof HTMLElement && element !== document.body ? element : null;
}
