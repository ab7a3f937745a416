/** A menu or a list in the top layer, at a point of the window; Escape, Tab and a press outside close it. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { Dismissal } from '../controllers/dismissal.ts';
import { arrowKeyIndex, focused } from '../controllers/focus.ts';

const MARGIN_PX = 6;

export class PopupController implements ReactiveController {
  #opener: HTMLElement | null = null;
  #at = { x: 0, y: 0 };
  #isOpen = false;
  #isPlaced = false;
  readonly #dismissal: Dismissal;

  /**
   * @param refocus called when it closes without an opener that could get the focus back
   * @param closed called when it has closed
   */
  constructor(
    private readonly host: ReactiveControllerHost & HTMLElement,
    private readonly refocus: () => void,
    private readonly closed: () => void,
  ) {
    host.addController(this);
    this.#dismissal = new Dismissal(host, {
      isOpen: () => this.#isOpen,
      close: () => this.close(),
      isOutside: (event) => !event.composedPath().includes(this.#element as EventTarget),
      pressedOutside: () => this.close(false),
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** @param opener gets the focus when it closes; null for the host's `refocus` */
  open(x: number, y: number, opener: HTMLElement | null): void {
    this.#opener = opener;
    this.#at = { x, y };
    this.#isOpen = true;
    this.#isPlaced = false;
    this.#dismissal.listen(true);
    this.host.requestUpdate();
  }

  close(takesFocus = true): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#dismissal.listen(false);
    this.closed();
    this.host.requestUpdate();
    if (!takesFocus) return;
    if (this.#opener?.isConnected) this.#opener.focus();
    else this.refocus();
  }

  hostUpdated(): void {
    const element = this.#element;
    if (!this.#isOpen || this.#isPlaced || !element) return;
    this.#isPlaced = true;
    element.showPopover?.();
    this.#place(element);
    const first = element.querySelector<HTMLElement>('input, [role^="menuitem"]');
    (first ?? element).focus();
  }

  hostDisconnected(): void {
    this.#isOpen = false;
    this.#dismissal.listen(false);
  }

  /** Keys of a menu: arrows, Home, End, the first letter of an entry. */
  readonly onKey = (event: KeyboardEvent): void => {
    const items = [...(this.#element?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
    const index = items.indexOf(focused() as HTMLElement);
    const isTyping = focused() instanceof HTMLInputElement;
    let next = isTyping && event.key !== 'ArrowDown' ? null : arrowKeyIndex(event.key, index, items.length);
    if (next === null && !isTyping && event.key.length === 1 && event.key !== ' ')
      next = byLetter(items, index, event.key.toLowerCase());
    if (event.key === 'Tab') this.close();
    else if (next === null) return;
    event.preventDefault();
    if (next !== null) items[next]?.focus();
  };

  get #element(): HTMLElement | null {
    return this.host.shadowRoot?.querySelector<HTMLElement>('[popover]') ?? null;
  }

  /** Moves it into the window; above the point where there is more room. */
  #place(element: HTMLElement): void {
    const { x, y } = this.#at;
    const { width, height } = element.getBoundingClientRect();
    const left = Math.max(MARGIN_PX, Math.min(x, window.innerWidth - width - MARGIN_PX));
    const top = Math.max(MARGIN_PX, Math.min(y, window.innerHeight - height - MARGIN_PX));
    element.style.left = `${left}px`;
    element.style.top = `${top}px`;
  }
}

function byLetter(items: readonly HTMLElement[], index: number, letter: string): number | null {
  for (let step = 1; step <= items.length; step += 1) {
    const at = (index + step) % items.length;
    if (items[at]?.textContent?.trim().toLowerCase().startsWith(letter)) return at;
  }
  return null;
}
