/** Store of the trust in conversations that don't carry this user's signature, and of trusting them. */

import type { HistoryTrustState, Rpc } from '@jupyter-ac/link/rpc';
import { toResult } from './call-result.ts';
import { Store } from './store.ts';
import { fields, number, text } from './wire.ts';

export interface TrustPorts {
  /** Shows the conversation that the server has switched to. */
  resync(): Promise<void>;
}

export class TrustStore extends Store {
  /** Sentence for the user; '' when the whole history carries their signature. */
  message = '';
  /** The current conversation is read-only. */
  isReadOnly = false;
  /** The confirmation is shown. */
  isAsking = false;
  isBusy = false;
  error = '';
  /** Number of untrusted conversations when the notice was closed. */
  #dismissedCount = 0;
  #count = 0;

  constructor(
    private readonly rpc: Rpc,
    private readonly ports: TrustPorts,
  ) {
    super();
  }

  /** The notice stays for a read-only conversation; otherwise it can be closed until there are more. */
  get isShown(): boolean {
    return this.message !== '' && (this.isReadOnly || this.#count > this.#dismissedCount);
  }

  async refresh(): Promise<void> {
    if (!this.rpc.offers('LLMService.get_history_trust')) return;
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.get_history_trust'));
    if (error) return;
    const state = fields<HistoryTrustState>(value);
    this.message = text(state.message);
    this.isReadOnly = state.current_trusted === false;
    this.#count = number(state.foreign_sessions);
    if (!this.message) this.isAsking = false;
    this.changed();
  }

  ask(isAsking: boolean): void {
    this.isAsking = isAsking;
    this.error = '';
    this.changed();
  }

  close(): void {
    this.#dismissedCount = this.#count;
    this.ask(false);
  }

  async trust(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.changed();
    const { error } = await toResult(this.rpc.rpcExtract('LLMService.trust_history'));
    this.isBusy = false;
    this.error = error;
    this.isAsking = error !== '';
    this.changed();
    if (!error) await Promise.all([this.ports.resync(), this.refresh()]);
  }
}
