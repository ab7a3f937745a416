/** Committing everything: in the user's words, or in those that the model finds for it. */

import type { CommitOutcome, Rpc } from '@jupyter-ac/link/rpc';
import { type Dispose, Store } from './store.ts';
import { told } from './told.ts';
import { type Fields, fields, strings, text } from './wire.ts';

export interface CommitPorts {
  say(kind: 'success' | 'warning' | 'error', message: string): void;
}

export class CommitStore extends Store {
  isBusy = false;
  /** Of the next commit, as far as it is written; stays until it has been used. */
  message = '';
  readonly #stopListening: Dispose;

  constructor(
    private readonly rpc: Rpc,
    private readonly ports: CommitPorts,
  ) {
    super();
    this.#stopListening = rpc.on('commitResult', (result) => this.#ended(fields<CommitOutcome>(result)));
  }

  get isOffered(): boolean {
    return this.rpc.offers('LLMService.commit_all');
  }

  /** Without a message the model finds the words. Goes on until `commitResult`. */
  async commit(): Promise<void> {
    if (this.isBusy) return;
    this.#busy(true);
    const words = this.message.trim() ? [this.message] : [];
    const { error } = await told(this.rpc.rpcExtract('LLMService.commit_all', ...words));
    if (!error) return;
    this.#busy(false);
    this.ports.say('error', error);
  }

  /** The connection is away: its end, if it comes to one, is in the conversation. */
  lose(): void {
    if (this.isBusy) this.#busy(false);
  }

  dispose(): void {
    this.#stopListening();
  }

  #ended(result: Fields<CommitOutcome>): void {
    const error = text(result.error);
    // Another panel's leaves what is written here.
    if (this.isBusy && !error) this.message = '';
    this.#busy(false);
    for (const notice of strings(result.notices)) this.ports.say('warning', notice);
    const [subject] = text(result.message).split('\n');
    const sha = text(result.short_sha, text(result.sha).slice(0, 7));
    if (error) this.ports.say('error', error);
    else {
      const hooks = strings(result.hooks);
      const ran = hooks.length ? ` (hooks: ${hooks.join(', ')})` : '';
      this.ports.say('success', `Committed ${sha}: ${subject}${ran}`);
    }
  }

  #busy(isBusy: boolean): void {
    this.isBusy = isBusy;
    this.changed();
  }
}
