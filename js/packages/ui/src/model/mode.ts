/** Store of the mode (code or documents), the cross-reference and the progress of the indexes. */

import type { CrossReference, ModeState, ModeSwitched, Rpc, TurnProgress } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { type Dispose, Store } from './store.ts';
import { type Fields, fields, number, text } from './wire.ts';

export type Mode = 'code' | 'doc';

export interface IndexProgress {
  readonly message: string;
  readonly percent: number;
}

export interface ModePorts {
  say(kind: 'info' | 'success' | 'warning' | 'error', message: string): void;
  /** Shows the progress of a task; null ends it. */
  progress(what: string, advance: IndexProgress | null): void;
  /** The next request has changed: its tokens are counted again. */
  recount(): Promise<void>;
}

/** Stage of `startupProgress` that doesn't block the panel. */
const INDEXING = 'indexing';
/** Polling interval while an index is built: a small index sends no events. */
const POLL_MS = 1500;
const ENRICHMENT = 'doc_enrichment';

export function isIndexing(stage: string): boolean {
  return stage === INDEXING;
}

export class ModeStore extends Store {
  mode: Mode = 'code';
  isCrossReferenced = false;
  /** The map of the other mode can be sent as well. */
  canCrossReference = false;
  isCodeReady = false;
  isDocReady = false;
  /** Why there is no index; '' when there is one or it is being built. */
  problem = '';
  /** Progress of the index; null while none is being built. */
  indexing: IndexProgress | null = null;
  isSwitching = false;
  #asked = 0;
  #timer: number | undefined;
  /** The index was being made when the server was last asked. */
  #wasBuilding = false;
  readonly #stopListening: Dispose[];

  constructor(
    private readonly rpc: Rpc,
    private readonly ports: ModePorts,
  ) {
    super();
    this.#stopListening = [
      rpc.on('startupProgress', (stage, message, percent) =>
        this.#onStartupProgress(text(stage), text(message), number(percent)),
      ),
      rpc.on('compactionEvent', (_id, event) => this.#onEnrichment(fields<TurnProgress>(event))),
    ];
  }

  get isOffered(): boolean {
    return this.rpc.offers('LLMService.set_cross_reference');
  }

  async refresh(): Promise<void> {
    if (!this.isOffered) return;
    this.#asked += 1;
    const mine = this.#asked;
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.get_mode'));
    if (error || mine !== this.#asked) return;
    const state = fields<ModeState>(value);
    this.#adopt(state);
    this.isCodeReady = state.symbol_index_ready === true;
    this.isDocReady = state.doc_index_ready === true;
    this.canCrossReference = state.cross_ref_ready === true;
    this.problem = text(state.message);
    const isBuilding = state.symbol_index_building === true || state.doc_index_building === true;
    clearTimeout(this.#timer);
    if (isBuilding) this.#timer = setTimeout(() => void this.refresh(), POLL_MS);
    if (!isBuilding) this.indexing = null;
    else this.indexing ??= { message: t('Indexing the repository …'), percent: 0 };
    this.changed();
    // The context was counted without the map of the index that is ready now.
    if (this.#wasBuilding && !isBuilding) void this.ports.recount();
    this.#wasBuilding = isBuilding;
  }

  async switchTo(mode: Mode): Promise<void> {
    if (mode === this.mode) return;
    await this.#change(this.rpc.rpcExtract('LLMService.switch_mode', mode), (value) => {
      const { building, message, keywords_message } = fields<ModeSwitched>(value);
      this.ports.say(building === true ? 'warning' : 'success', text(message));
      if (text(keywords_message)) this.ports.say('info', text(keywords_message));
    });
  }

  async setCrossReference(isOn: boolean): Promise<void> {
    await this.#change(this.rpc.rpcExtract('LLMService.set_cross_reference', isOn), (value) => {
      const { status, message } = fields<CrossReference>(value);
      const kinds = { not_ready: 'warning', error: 'error', no_change: 'info' } as const;
      this.ports.say(kinds[status as keyof typeof kinds] ?? 'success', text(message));
    });
  }

  dispose(): void {
    this.#asked += 1;
    clearTimeout(this.#timer);
    for (const stop of this.#stopListening) stop();
  }

  async #change(call: Promise<unknown>, report: (value: unknown) => void): Promise<void> {
    this.isSwitching = true;
    this.changed();
    const { value, error } = await toResult(call);
    this.isSwitching = false;
    if (error) this.ports.say('error', error);
    else {
      this.#adopt(fields<ModeSwitched>(value));
      report(value);
    }
    this.changed();
    await this.#refreshAll();
  }

  #adopt(state: Fields<{ mode: Mode; cross_ref_enabled: boolean }>): void {
    if (state.mode === 'code' || state.mode === 'doc') this.mode = state.mode;
    this.isCrossReferenced = state.cross_ref_enabled === true;
  }

  async #refreshAll(): Promise<void> {
    await Promise.all([this.refresh(), this.ports.recount()]);
  }

  #onStartupProgress(stage: string, message: string, percent: number): void {
    if (!isIndexing(stage)) return;
    this.indexing = percent >= 100 ? null : { message, percent };
    if (percent >= 100) void this.#refreshAll();
    this.changed();
  }

  /** Shows the progress of extracting keywords from documents. */
  #onEnrichment(event: Fields<TurnProgress>): void {
    const stage = text(event.stage);
    if (!stage.startsWith(ENRICHMENT)) return;
    const isOver = stage.endsWith('_complete') || stage.endsWith('_failed');
    const message = text(event.message, t('Looking for keywords of the documents …'));
    this.ports.progress(ENRICHMENT, isOver ? null : { message, percent: number(event.percent) });
    if (stage.endsWith('_failed')) this.ports.say('warning', text(event.message) || text(event.error));
    if (isOver) void this.refresh();
  }
}
