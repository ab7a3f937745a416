/** Controller that re-renders its host when a store changes. */

import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Dispose, Store } from '../model/store.ts';

/** Schedules updates. */
export type Throttle = (update: () => void) => void;

const unthrottled: Throttle = (update) => update();

export class StoreController implements ReactiveController {
  #stores: readonly Store[] = [];
  #disposers: readonly Dispose[] = [];

  /** @param stores called before each update, so that they may be replaced */
  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly stores: () => readonly Store[],
    private readonly throttle: Throttle = unthrottled,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.host.requestUpdate();
  }

  hostUpdate(): void {
    const stores = this.stores();
    if (
      stores.length === this.#stores.length &&
      stores.every((store, index) => store === this.#stores[index])
    )
      return;
    this.hostDisconnected();
    this.#stores = stores;
    const onChange = () => this.throttle(() => this.host.requestUpdate());
    this.#disposers = stores.map((store) => store.subscribe(onChange));
  }

  hostDisconnected(): void {
    for (const dispose of this.#disposers) dispose();
    this.#disposers = [];
    this.#stores = [];
  }
}
