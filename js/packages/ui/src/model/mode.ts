/** What the conversation is about, code or documents, and how far the indexes of them are. */

import type { CrossReference, ModeState, ModeSwitched, Rpc, TurnProgress } from '@jupyter-ac/link/rpc';
import { type Dispose, Store } from './store.ts';
import { told } from './told.ts';
import { type Fields, fields, number, text } from './wire.ts';

export type Mode = 'code' | 'doc';

export interface Advance {
  readonly message: string;
  readonly percent: number;
}

export interface ModePorts {
  say(kind: 'info' | 'success' | 'warning' | 'error', message: string): void;
  /** Shows how far something is until it is told that it has ended, by null. */
  progress(what: string, advance: Advance | null): void;
  /** The next request has another shape. */
  recount(): Promise<void>;
}

/** Of `startupProgress`: what goes on behind a panel that can be used. */
const INDEXING = 'indexing';
/** While an index is made it is asked how far it is: a small one has no events. */
const LOOK_MS = 1500;
const ENRICHMENT = 'doc_enrichment';

export function isIndexing(stage: string): boolean {
  return stage === INDEXING;
}

export class ModeStore extends Store {
  mode: Mode = 'code';
  isCrossed = false;
  /** The other mode's map can be sent as well. */
  canCross = false;
  isCodeReady = false;
  isDocReady = false;
  /** Why there is no index; '' when there is one or will be. */
  trouble = '';
  /** How far the index is; null while it isn't worked on. */
  indexing: Advance | null = null;
  isSwitching = false;
  #asked = 0;
  #timer: number | undefined;
  readonly #stopListening: Dispose[];

  constructor(
    private readonly rpc: Rpc,
    private readonly ports: ModePorts,
  ) {
    super();
    this.#stopListening = [
      rpc.on('startupProgress', (stage, message, percent) =>
        this.#advance(text(stage), text(message), number(percent)),
      ),
      rpc.on('compactionEvent', (_id, event) => this.#enrich(fields<TurnProgress>(event))),
    ];
  }

  get isOffered(): boolean {
    return this.rpc.offers('LLMService.set_cross_reference');
  }

  async refresh(): Promise<void> {
    if (!this.isOffered) return;
    this.#asked += 1;
    const mine = this.#asked;
    const { value, error } = await told(this.rpc.rpcExtract('LLMService.get_mode'));
    if (error || mine !== this.#asked) return;
    const state = fields<ModeState>(value);
    this.#adopt(state);
    this.isCodeReady = state.symbol_index_ready === true;
    this.isDocReady = state.doc_index_ready === true;
    this.canCross = state.cross_ref_ready === true;
    this.trouble = text(state.message);
    const isBuilding = state.symbol_index_building === true || state.doc_index_building === true;
    clearTimeout(this.#timer);
    if (isBuilding) this.#timer = setTimeout(() => void this.refresh(), LOOK_MS);
    if (!isBuilding) this.indexing = null;
    else this.indexing ??= { message: 'Indexing the repository …', percent: 0 };
    this.changed();
  }

  async switchTo(mode: Mode): Promise<void> {
    if (mode === this.mode) return;
    await this.#change(this.rpc.rpcExtract('LLMService.switch_mode', mode), (value) => {
      const { building, message, keywords_message } = fields<ModeSwitched>(value);
      this.ports.say(building === true ? 'warning' : 'success', text(message));
      if (text(keywords_message)) this.ports.say('info', text(keywords_message));
    });
  }

  async cross(isOn: boolean): Promise<void> {
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

  async #change(call: Promise<unknown>, tell: (value: unknown) => void): Promise<void> {
    this.isSwitching = true;
    this.changed();
    const { value, error } = await told(call);
    this.isSwitching = false;
    if (error) this.ports.say('error', error);
    else {
      this.#adopt(fields<ModeSwitched>(value));
      tell(value);
    }
    this.changed();
    await this.#renew();
  }

  #adopt(state: Fields<{ mode: Mode; cross_ref_enabled: boolean }>): void {
    if (state.mode === 'code' || state.mode === 'doc') this.mode = state.mode;
    this.isCrossed = state.cross_ref_enabled === true;
  }

  async #renew(): Promise<void> {
    await Promise.all([this.refresh(), this.ports.recount()]);
  }

  #advance(stage: string, message: string, percent: number): void {
    if (!isIndexing(stage)) return;
    this.indexing = percent >= 100 ? null : { message, percent };
    if (percent >= 100) void this.#renew();
    this.changed();
  }

  /** Keywords of documents: told until they are all there. */
  #enrich(event: Fields<TurnProgress>): void {
    const stage = text(event.stage);
    if (!stage.startsWith(ENRICHMENT)) return;
    const isOver = stage.endsWith('_complete') || stage.endsWith('_failed');
    const message = text(event.message, 'Looking for keywords of the documents …');
    this.ports.progress(ENRICHMENT, isOver ? null : { message, percent: number(event.percent) });
    if (stage.endsWith('_failed')) this.ports.say('warning', text(event.message) || text(event.error));
    if (isOver) void this.refresh();
  }
}
