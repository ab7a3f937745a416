/** What is open in a panel: menus, forms, viewers, questions. Escape closes the one opened last. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Dispose } from '../model/store.ts';

interface Overlay {
  close(): void;
}

/** Told to the panel by what opens in it; the panel fills in how to take it off its list. */
interface OverlayRegistration extends Overlay {
  unregister: Dispose | null;
}

const OPENING = 'ac-opening';

/** A panel's list of what is open, in the order in which it was opened. */
export class OverlayStack {
  readonly #overlays: Overlay[] = [];

  /** @param panel everything that opens below it is listed */
  constructor(panel: HTMLElement) {
    panel.addEventListener(OPENING, (event) => {
      const { detail } = event as CustomEvent<OverlayRegistration>;
      detail.unregister = this.#add(detail);
    });
  }

  /**
   * Asks the last one to close. It stays on the list until it has, since it may ask before it does.
   *
   * @returns whether there was one
   */
  closeLast(): boolean {
    const last = this.#overlays.at(-1);
    last?.close();
    return last !== undefined;
  }

  #add(thing: Overlay): Dispose {
    this.#overlays.push(thing);
    return () => {
      const at = this.#overlays.indexOf(thing);
      if (at >= 0) this.#overlays.splice(at, 1);
    };
  }
}

/** Keeps its host on the panel's list while something of it is open. */
export class OverlayController implements ReactiveController {
  #registration: OverlayRegistration | null = null;

  /**
   * @param isOpen looked up after each update
   * @param close what Escape does
   */
  constructor(
    private readonly host: ReactiveControllerHost & HTMLElement,
    private readonly isOpen: () => boolean,
    private readonly close: () => void,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.host.requestUpdate();
  }

  hostUpdated(): void {
    const isOpen = this.host.isConnected && this.isOpen();
    if (isOpen === (this.#registration !== null)) return;
    this.#unregister();
    if (!isOpen) return;
    this.#registration = { close: () => this.close(), unregister: null };
    const { host } = this;
    host.dispatchEvent(
      new CustomEvent<OverlayRegistration>(OPENING, {
        detail: this.#registration,
        bubbles: true,
        composed: true,
      }),
    );
  }

  hostDisconnected(): void {
    this.#unregister();
  }

  #unregister(): void {
    this.#registration?.unregister?.();
    this.#registration = null;
  }
}
