/** Store of the elements that the user chooses in a page. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import { toResult } from '../call-result.ts';
import { Store } from '../store.ts';
import type { PageState, Selection, Target } from './recorded-rows.ts';

const MAX_KEPT = 60;

export class ChosenElementsStore extends Store {
  selections: readonly Selection[] = [];
  /** Elements that are being read. */
  pending = 0;
  /** The user is choosing. */
  isActive = false;
  /** The server tells of the chosen elements of this target. */
  isFollowed = true;
  problem = '';
  #target = '';
  #page = '';
  /** Whole elements by `target id`; a promise while one is being fetched. */
  readonly #whole = new Map<string, Promise<unknown> | object>();

  constructor(private readonly rpc: Rpc) {
    super();
  }

  /** Takes what the server reports of a target. */
  adopt(target: Target | null, page: PageState): void {
    const isPage = target !== null && page.page === target.id;
    if (target?.id !== this.#target) this.problem = '';
    this.#target = target?.id ?? '';
    this.#page = page.page;
    this.isActive = (isPage ? page : target)?.state === 'inspecting';
    this.selections = target?.selections ?? (isPage ? page.selections : []);
    this.pending = isPage ? page.pending : 0;
    this.isFollowed = isPage || target?.selections !== null;
    this.changed();
  }

  /** Starts or stops the choosing. The page is connected for that where no other one is. */
  async setActive(isActive: boolean): Promise<void> {
    const target = this.#target;
    if (isActive && !this.isFollowed && !this.#page)
      await this.#call(this.rpc.rpcExtract('Browser.connect', target));
    const method = isActive ? 'Browser.start_inspect' : 'Browser.stop_inspect';
    if (await this.#call(this.rpc.rpcExtract(method, target))) this.isActive = isActive;
    this.changed();
  }

  async clear(): Promise<void> {
    if (await this.#call(this.rpc.rpcExtract('Browser.clear_selections', this.#target))) this.selections = [];
    this.changed();
  }

  /** A whole element if it has been fetched; fetches it otherwise. */
  whole(id: string): object | null {
    const key = `${this.#target} ${id}`;
    const known = this.#whole.get(key);
    if (known === undefined) void this.read(this.#target, id).catch(() => {});
    return known === undefined || known instanceof Promise ? null : known;
  }

  /** Reads a whole element. */
  async read(target: string, id: string): Promise<unknown> {
    const key = `${target} ${id}`;
    const known = this.#whole.get(key);
    if (known) return known;
    const reading = this.rpc.rpcExtract('Browser.get_selection', id, target);
    this.#whole.set(key, reading);
    for (const old of this.#whole.keys()) {
      if (this.#whole.size <= MAX_KEPT) break;
      this.#whole.delete(old);
    }
    try {
      const element = await reading;
      this.#whole.set(key, element);
      this.changed();
      return element;
    } catch (error) {
      this.#whole.delete(key);
      throw error;
    }
  }

  async #call(call: Promise<unknown>): Promise<boolean> {
    const { error } = await toResult(call);
    this.problem = error;
    return !error;
  }
}
