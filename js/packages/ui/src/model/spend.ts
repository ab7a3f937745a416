/** Store of the costs so far, summed by the server over the history. */

import type * as wire from '@jupyter-ac/link/rpc';
import { toResult } from './call-result.ts';
import { Store } from './store.ts';
import { fields, number, numberOrNull } from './wire.ts';

export interface Spend {
  /** US dollars each; null when no answer had a known price. */
  readonly session: number | null;
  readonly today: number | null;
  readonly repository: number | null;
  /** Answers whose price isn't known. */
  readonly unpriced: number;
}

export function parseSpend(raw: unknown): Spend {
  const answer = fields<wire.Spend>(raw);
  return {
    session: numberOrNull(answer.session_usd),
    today: numberOrNull(answer.today_usd),
    repository: numberOrNull(answer.repo_usd),
    unpriced: number(answer.unpriced_turns),
  };
}

export class SpendStore extends Store {
  /** null until it is loaded, and with a server that doesn't support it. */
  spend: Spend | null = null;
  #asked = 0;

  constructor(private readonly rpc: wire.Rpc) {
    super();
  }

  async refresh(): Promise<void> {
    if (!this.rpc.offers('LLMService.get_spend')) return;
    this.#asked += 1;
    const mine = this.#asked;
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.get_spend'));
    if (error || mine !== this.#asked) return;
    this.spend = parseSpend(value);
    this.changed();
  }
}
