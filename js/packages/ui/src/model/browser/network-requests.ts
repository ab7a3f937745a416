/** Store of the requests of a page: the list with its filters, and the detail of one request. */

import type { RequestEntry, RequestList, Rpc } from '@jupyter-ac/link/rpc';
import { type CallResult, toResult } from '../call-result.ts';
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

export interface RequestDetail {
  readonly id: number;
  /** HAR-shaped; null while it is loading. */
  readonly entry: unknown;
  readonly error: string;
  readonly isBodyLoading: boolean;
  /** Its secrets are shown to the user; nothing else has them. */
  readonly isRevealed: boolean;
}

export class NetworkRequestsStore extends RecordedList<NetworkRow> {
  /** '' for all. */
  state = '';
  type = '';
  /** Also what the groups of filters hide. */
  isAllShown = false;
  /** null while no request is open. */
  detail: RequestDetail | null = null;
  #opened = 0;

  constructor(private readonly rpc: Rpc) {
    super();
  }

  override show(target: string): void {
    if (target !== this.target) this.close();
    super.show(target);
  }

  async filter(change: { state?: string; type?: string; isAllShown?: boolean }): Promise<void> {
    this.state = change.state ?? this.state;
    this.type = change.type ?? this.type;
    this.isAllShown = change.isAllShown ?? this.isAllShown;
    this.forget();
    await this.refresh();
  }

  /** Opens a request: all of it but its bodies, with its secrets masked unless the user has asked for them. */
  async open(id: number, isRevealed = false): Promise<void> {
    this.#opened += 1;
    const mine = this.#opened;
    this.detail = { id, entry: null, error: '', isBodyLoading: false, isRevealed };
    this.changed();
    const { value, error } = await toResult(this.#entry(id, ['*'], isRevealed));
    this.#update(mine, { entry: value, error });
  }

  /** Shows the secrets of the open request, or masks them again. */
  async reveal(isRevealed: boolean): Promise<void> {
    const { detail } = this;
    if (!detail) return;
    const hadBody = bodyOf(detail.entry) !== null;
    await this.open(detail.id, isRevealed);
    const error = this.detail?.error ?? '';
    if (error && isRevealed) {
      await this.open(detail.id);
      this.#update(this.#opened, { error });
    }
    if (hadBody && this.detail?.id === detail.id) await this.loadBody();
  }

  close(): void {
    this.#opened += 1;
    this.detail = null;
    this.changed();
  }

  async loadBody(): Promise<void> {
    const { detail } = this;
    if (!detail || detail.isBodyLoading) return;
    const mine = this.#opened;
    this.#update(mine, { isBodyLoading: true, error: '' });
    const { value, error } = await toResult(this.#entry(detail.id, ['response.content'], detail.isRevealed));
    const body = bodyOf(value);
    const entry = fields(this.detail?.entry);
    const content = fields(fields(value).response).content;
    this.#update(mine, {
      isBodyLoading: false,
      error: error || (body ? '' : 'The browser has no body of it.'),
      entry: body ? { ...entry, response: { ...fields(entry.response), content } } : entry,
    });
  }

  /** All recorded requests as a HAR document, secrets masked. */
  async har(): Promise<CallResult> {
    return toResult(this.rpc.rpcExtract('Browser.get_har', false, this.target));
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

  async #entry(id: number, wanted: readonly string[], isRevealed = false): Promise<unknown> {
    const answer = await this.rpc.rpcExtract('Browser.request', id, wanted, null, isRevealed, this.target);
    return fields<RequestEntry>(answer).entry;
  }

  /** @param opened - the opening that the change belongs to; one of an earlier opening comes too late */
  #update(opened: number, change: Partial<RequestDetail>): void {
    if (!this.detail || opened !== this.#opened) return;
    this.detail = { ...this.detail, ...change };
    this.changed();
  }
}
