/** Store of the groups of filters, which hide requests from the lists. They are kept in a file of the repository. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import { toResult } from '../call-result.ts';
import { Store } from '../store.ts';
import { fields, strings } from '../wire.ts';

export interface FilterGroup {
  readonly name: string;
  readonly isEnabled: boolean;
  /** Types of requests that it hides. */
  readonly types: readonly string[];
  /** Patterns of addresses that it hides. */
  readonly urls: readonly string[];
}

/** Each method that changes a group resolves to one sentence on why not, or ''. */
export class FilterGroupsStore extends Store {
  groups: readonly FilterGroup[] = [];

  constructor(private readonly rpc: Rpc) {
    super();
  }

  async refresh(): Promise<void> {
    const { value, error } = await toResult(this.rpc.rpcExtract('Browser.filters_status'));
    if (error) return;
    this.groups = Object.entries(fields(value)).map(([name, raw]) => {
      const { enabled, hide } = fields(raw);
      const { types, urls } = fields(hide);
      return { name, isEnabled: enabled === true, types: strings(types), urls: strings(urls) };
    });
    this.changed();
  }

  /** Switches a group; `target` is a watched one. */
  async set(name: string, isEnabled: boolean, target: string): Promise<string> {
    const method = isEnabled ? 'Browser.filters_enable' : 'Browser.filters_disable';
    return this.#do(() => this.rpc.rpcExtract(method, name, target));
  }

  /** Adds a group, or replaces the one of its name, and switches it on. */
  async save(name: string, hide: Pick<FilterGroup, 'types' | 'urls'>, target: string): Promise<string> {
    const { types, urls } = hide;
    return this.#do(async () => {
      await this.rpc.rpcExtract('Browser.filters_add', name, { types, urls });
      return this.rpc.rpcExtract('Browser.filters_enable', name, target);
    });
  }

  async remove(name: string): Promise<string> {
    return this.#do(() => this.rpc.rpcExtract('Browser.filters_remove', name));
  }

  async #do(call: () => Promise<unknown>): Promise<string> {
    const { error } = await toResult(call());
    await this.refresh();
    return error;
  }
}
