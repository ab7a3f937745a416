/** Store of the elements that the user chooses in a page. */

import type { ContextItemGiven, Rpc } from '@jupyter-ac/link/rpc';
import { toResult } from '../call-result.ts';
import { Store } from '../store.ts';
import { elementItem } from './page-items.ts';
import type { PageState, Selection, Target } from './recorded-rows.ts';

const MAX_KEPT = 60;

export class ChosenElementsStore extends Store {
  selections: readonly Selection[] = [];
  /** Elements that are being read. */
  pending = 0;
  /** The user is choosing. */
  isActive = false;
  /** Pictures of elements are added with them. */
  hasPictures = true;
  problem = '';
  #target = '';
  /** The choosing was ended in the page, which the server doesn't count as stopped. */
  #isEnded = false;
  /** Whole elements by `target id`; a promise while one is being fetched. */
  readonly #whole = new Map<string, Promise<unknown> | object>();

  constructor(private readonly rpc: Rpc) {
    super();
  }

  /** The server takes images. */
  get takesPictures(): boolean {
    return this.rpc.offers('LLMService.put_image');
  }

  /** Takes what the server reports of a target. */
  adopt(target: Target | null, page: PageState): void {
    if (target?.id !== this.#target) this.problem = '';
    this.#target = target?.id ?? '';
    this.isActive = target?.isInspecting ?? false;
    this.#isEnded = target?.state === 'inspecting' && !target.isInspecting;
    this.selections = target?.selections ?? [];
    this.pending = target && page.page === target.id ? page.pending : 0;
    this.changed();
  }

  /** Starts or stops the choosing. */
  async setActive(isActive: boolean): Promise<void> {
    const target = this.#target;
    if (isActive && this.#isEnded) await toResult(this.rpc.rpcExtract('Browser.stop_inspect', target));
    const method = isActive ? 'Browser.start_inspect' : 'Browser.stop_inspect';
    if (await this.#call(this.rpc.rpcExtract(method, target))) this.isActive = isActive;
    this.changed();
  }

  setPictures(hasPictures: boolean): void {
    this.hasPictures = hasPictures;
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

  /** A whole element as it is added to a question. */
  async item(target: string, id: string, source: string): Promise<ContextItemGiven> {
    return elementItem(await this.read(target, id), source, this.hasPictures && this.takesPictures);
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
