/** Brings the cursor into the panel's input from anywhere, and back. */

import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { SidePanel } from './side-panel.ts';

/** For so long at most the focus is taken back. */
const HOLD_FOCUS_MS = 1000;

export class InputFocus {
  /** Had the focus before the input. */
  #previous: HTMLElement | null = null;

  /** @param keystrokeOf - writes what was pressed as the keys of a binding are written */
  constructor(
    private readonly app: JupyterFrontEnd,
    private readonly panel: SidePanel,
    private readonly keystrokeOf: (event: KeyboardEvent) => string,
  ) {}

  /** Opens the panel and puts the cursor into its input; from there back to where it was. */
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
   * Hears the shortcut also where JupyterLab never sees it: it doesn't look at the keys of panels, and
   * a terminal keeps them for its program.
   *
   * @param command what `toggle` is called by
   */
  listen(command: string): void {
    document.addEventListener(
      'keydown',
      (event) => {
        if (!event.composedPath().some(keepsKeys) || !this.#isBound(command, event)) return;
        event.preventDefault();
        event.stopPropagation();
        this.toggle();
      },
      true,
    );
  }

  /**
   * The command palette sends the focus to the document when it has closed, in several steps; the input
   * takes it back, as long as nobody has pressed anything.
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

  #isBound(command: string, event: KeyboardEvent): boolean {
    const keystroke = this.keystrokeOf(event);
    return this.app.commands.keyBindings.some(
      (binding) => binding.command === command && binding.keys.length === 1 && binding.keys[0] === keystroke,
    );
  }

  /** To the document in front where what had the focus is gone, as the command palette is. */
  #restoreFocus(): void {
    const before = this.#previous;
    this.#previous = null;
    before?.focus();
    if (!before || focused() !== before) this.app.shell.currentWidget?.activate();
  }
}

/** Tells whether an element keeps what is pressed in it from JupyterLab. */
function keepsKeys(target: EventTarget): boolean {
  const element = target as HTMLElement;
  return element.dataset?.ac === 'app' || element.classList?.contains('jp-Terminal') === true;
}

function focused(): HTMLElement | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element instanceof HTMLElement && element !== document.body ? element : null;
}
