/** Stack of a panel's open overlays (menus, forms, viewers, questions): Escape closes the top one. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Dispose } from '../model/store.ts';

interface Overlay {
  close(): void;
}

/** Detail of the event by which an overlay registers; the panel fills in `unregister`. */
interface OverlayRegistration extends Overlay {
  unregister: Dispose | null;
}

const OPENING = 'ac-opening';

/** The open overlays of a panel, in the order of opening. */
export class OverlayStack {
  readonly #overlays: Overlay[] = [];

  /** @param panel overlays below it register here */
  constructor(panel: HTMLElement) {
    panel.addEventListener(OPENING, (event) => {
      const { detail } = event as CustomEvent<OverlayRegistration>;
      detail.unregister = this.#add(detail);
    });
  }

  /**
   * Asks the top overlay to close. It stays on the stack until it has closed, since it may ask the user first.
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

/** Controller that registers its host as an overlay while it is open. */
export class OverlayController implements ReactiveController {
  #registration: OverlayRegistration | null = null;

  /**
   * @param isOpen called after each update
   * @param close called on Escape
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
