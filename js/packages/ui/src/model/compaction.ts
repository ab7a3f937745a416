/** Store of the history's size: the tokens sent with each question, compaction and trimming. */

import type { HistoryStatus, Rpc, Trimmed, TurnProgress } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { tokens } from './format.ts';
import { type Dispose, Store } from './store.ts';
import { type Fields, fields, number, text } from './wire.ts';

export interface HistorySize {
  readonly tokens: number;
  /** Limit from which the history is compacted; 0 when it isn't known. */
  readonly max: number;
  /** Percentage of the limit, at most 999. */
  readonly percent: number;
  readonly isCompacting: boolean;
  /** Why the last summary failed, as a sentence; '' if it did not. */
  readonly failure: string;
  /** The history must be longer before it is tried again by itself; 0 without a failure. */
  readonly retryTokens: number;
}

export interface CompactionPorts {
  say(kind: 'info' | 'success' | 'error', message: string): void;
  /** The next request has changed: its tokens are counted again. */
  recount(): Promise<void>;
}

export class CompactionStore extends Store {
  /** null until it is known. */
  size: HistorySize | null = null;
  readonly #stopListening: Dispose[];
  #asked = 0;

  constructor(
    private readonly rpc: Rpc,
    private readonly ports: CompactionPorts,
  ) {
    super();
    const again = () => void this.refresh();
    this.#stopListening = [
      rpc.on('compactionEvent', (_id, event) => this.#onProgress(fields<TurnProgress>(event))),
      rpc.on('streamComplete', again),
      rpc.on('sessionChanged', again),
    ];
  }

  get canCompact(): boolean {
    return this.rpc.offers('LLMService.compact_now');
  }

  get canTrim(): boolean {
    return this.rpc.offers('LLMService.trim_context');
  }

  async refresh(): Promise<void> {
    if (!this.rpc.offers('LLMService.get_history_status')) return;
    this.#asked += 1;
    const mine = this.#asked;
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.get_history_status'));
    if (error || mine !== this.#asked) return;
    const status = fields<HistoryStatus>(value);
    this.size = {
      tokens: number(status.tokens),
      max: number(status.max),
      percent: number(status.percent),
      isCompacting: status.is_compacting === true,
      failure: text(status.failure),
      retryTokens: number(status.retry_tokens),
    };
    this.changed();
  }

  async compact(): Promise<void> {
    const { error } = await toResult(this.rpc.rpcExtract('LLMService.compact_now'));
    if (error) this.ports.say('error', error);
    else await this.refresh();
  }

  /** Removes copies of files from the history that is sent. */
  async trim(paths: readonly string[] | null): Promise<void> {
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.trim_context', paths));
    if (error) return this.ports.say('error', error);
    const freed = number(fields<Trimmed>(value).tokens_freed);
    this.ports.say('success', t('%1 fewer tokens are sent', tokens(freed)));
    await this.ports.recount();
  }

  /** Removes the copies of all files that aren't ticked. */
  trimUnticked(): Promise<void> {
    return this.trim(null);
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
  }

  #onProgress(event: Fields<TurnProgress>): void {
    const stage = text(event.stage);
    if (!stage.startsWith('compact')) return;
    const isError = stage === 'compaction_error';
    if (text(event.message)) this.ports.say(isError ? 'error' : 'info', text(event.message));
    void this.refresh();
    if (stage === 'compaction_complete' || stage === 'compacted') void this.ports.recount();
  }
}
