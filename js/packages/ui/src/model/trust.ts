/** Conversations that the person has not kept here: what that means, and trusting them. */

import type { HistoryTrustState, Rpc } from '@jupyter-ac/link/rpc';
import { Store } from './store.ts';
import { told } from './told.ts';
import { fields, number, text } from './wire.ts';

export interface TrustPorts {
  /** Shows the conversation that the server has taken up. */
  resync(): Promise<void>;
}

export class TrustStore extends Store {
  /** For the person; '' when all is their own. */
  message = '';
  /** The conversation on show is only shown. */
  isReadOnly = false;
  /** The person is asked whether they mean it. */
  isAsking = false;
  isBusy = false;
  error = '';
  /** How many there were when the notice was put away. */
  #seen = 0;
  #count = 0;

  constructor(
    private readonly rpc: Rpc,
    private readonly ports: TrustPorts,
  ) {
    super();
  }

  /** A conversation that can't be gone on with says so; the others once. */
  get isShown(): boolean {
    return this.message !== '' && (this.isReadOnly || this.#count > this.#seen);
  }

  async refresh(): Promise<void> {
    if (!this.rpc.offers('LLMService.get_history_trust')) return;
    const { value, error } = await told(this.rpc.rpcExtract('LLMService.get_history_trust'));
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
    this.#seen = this.#count;
    this.ask(false);
  }

  async trust(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    this.changed();
    const { error } = await told(this.rpc.rpcExtract('LLMService.trust_history'));
    this.isBusy = false;
    this.error = error;
    this.isAsking = error !== '';
    this.changed();
    if (!error) await Promise.all([this.ports.resync(), this.refresh()]);
  }
}
