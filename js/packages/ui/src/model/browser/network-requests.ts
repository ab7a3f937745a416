/** Store of the requests of a page: the list with its filters, and the detail of one request. */

import type { RequestEntry, RequestList, Rpc } from '@jupyter-ac/link/rpc';
import { toResult } from '../call-result.ts';
import { fields } from '../wire.ts';
import { bodyOf } from './page-items.ts';
import { parsedRows, RecordedList } from './recorded-list.ts';
import { type NetworkRow, parseRequest } from './recorded-rows.ts';

/** States and types that the list can be filtered by. */
export const STATES: readonly string[] = [
  'pending',
  'loading',
  'complete',
  'failed',
  'paused',
  'open',
  'closed',
];
export const TYPES: readonly string[] = [
  ...['Document', 'Stylesheet', 'Image', 'Font', 'Script', 'XHR', 'Fetch'],
  ...['EventSource', 'WebSocket', 'Media', 'Manifest', 'Ping', 'Other'],
];

export interface FilterGroup {
  readonly name: string;
  readonly isEnabled: boolean;
}

export interface RequestDetail {
  readonly id: number;
  /** HAR-shaped; null while it is loading. */
  readonly entry: unknown;
  readonly error: string;
  readonly isBodyLoading: boolean;
}

export class NetworkRequestsStore extends RecordedList<NetworkRow> {
  /** '' for all. */
  state = '';
  type = '';
  /** Also what the groups of filters hide. */
  isAllShown = false;
  groups: readonly FilterGroup[] = [];
  /** null while no request is open. */
  detail: RequestDetail | null = null;

  constructor(private readonly rpc: Rpc) {
    super();
  }

  override show(target: string): void {
    if (target !== this.target) this.detail = null;
    super.show(target);
  }

  async filter(change: { state?: string; type?: string; isAllShown?: boolean }): Promise<void> {
    this.state = change.state ?? this.state;
    this.type = change.type ?? this.type;
    this.isAllShown = change.isAllShown ?? this.isAllShown;
    this.forget();
    await this.refresh();
  }

  async refreshGroups(): Promise<void> {
    const { value, error } = await toResult(this.rpc.rpcExtract('Browser.filters_status'));
    if (error) return;
    this.groups = Object.entries(fields(value)).map(([name, group]) => {
      return { name, isEnabled: fields(group).enabled === true };
    });
    this.changed();
  }

  /** Switches a group of filters; resolves to one sentence on why not, or ''. */
  async setGroup(name: string, isEnabled: boolean): Promise<string> {
    const method = isEnabled ? 'Browser.filters_enable' : 'Browser.filters_disable';
    const { error } = await toResult(this.rpc.rpcExtract(method, name, this.target));
    await Promise.all([this.refreshGroups(), this.refresh()]);
    return error;
  }

  /** Opens a request: all of it but its bodies. */
  async open(id: number): Promise<void> {
    this.detail = { id, entry: null, error: '', isBodyLoading: false };
    this.changed();
    const { value, error } = await toResult(this.#entry(id, ['*']));
    this.#update(id, { entry: value, error });
  }

  close(): void {
    this.detail = null;
    this.changed();
  }

  async loadBody(): Promise<void> {
    const { detail } = this;
    if (!detail || detail.isBodyLoading) return;
    const { id } = detail;
    this.#update(id, { isBodyLoading: true, error: '' });
    const { value, error } = await toResult(this.#entry(id, ['response.content']));
    const body = bodyOf(value);
    const entry = fields(this.detail?.entry);
    const content = fields(fields(value).response).content;
    this.#update(id, {
      isBodyLoading: false,
      error: error || (body ? '' : 'The browser has no body of it.'),
      entry: body ? { ...entry, response: { ...fields(entry.response), content } } : entry,
    });
  }

  /** All of a request for the model, with the body of the answer if there is one. */
  async read(id: number): Promise<unknown> {
    const entry = await this.#entry(id, ['*']);
    const { value } = await toResult(this.#entry(id, ['response.content']));
    if (!bodyOf(value)) return entry;
    const { content } = fields(fields(value).response);
    return { ...fields(entry), response: { ...fields(fields(entry).response), content } };
  }

  protected fetch(target: string, limit: number): Promise<unknown> {
    const [state, type] = [this.state || null, this.type || null];
    const { isAllShown, rpc } = this;
    const some = [limit, null, null, type, null, state, isAllShown, 'desc', false, target] as const;
    return rpc.rpcExtract('Browser.network', ...some);
  }

  protected parse(value: unknown): readonly NetworkRow[] {
    return parsedRows(fields<RequestList>(value).requests, parseRequest);
  }

  protected wordsOf({ method, url, status, type, state }: NetworkRow): string {
    return `${method} ${url} ${status} ${type} ${state}`;
  }

  async #entry(id: number, wanted: readonly string[]): Promise<unknown> {
    const answer = await this.rpc.rpcExtract('Browser.request', id, wanted, null, false, this.target);
    return fields<RequestEntry>(answer).entry;
  }

  #update(id: number, change: Partial<RequestDetail>): void {
    if (this.detail?.id !== id) return;
    this.detail = { ...this.detail, ...change };
    this.changed();
  }
}
