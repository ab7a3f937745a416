/** Store of what plans and their tasks change, as unified diffs that are fetched when asked for. */

import type { PlanDiff, Rpc } from '@jupyter-ac/link/rpc';
import { toResult } from '../call-result.ts';
import { Store } from '../store.ts';
import { type FileDiff, parseUnifiedDiff } from '../unified-diff.ts';
import { fields, text } from '../wire.ts';

export interface ShownDiff {
  readonly isLoading: boolean;
  readonly files: readonly FileDiff[];
  /** One sentence; '' for none. */
  readonly error: string;
}

export class PlanDiffs extends Store {
  readonly #shown = new Map<string, ShownDiff>();

  constructor(private readonly rpc: Rpc) {
    super();
  }

  /** The shown diff of a plan (task '') or of a task; null while it is hidden. */
  of(planId: string, taskId = ''): ShownDiff | null {
    return this.#shown.get(key(planId, taskId)) ?? null;
  }

  hide(planId: string, taskId = ''): void {
    this.#shown.delete(key(planId, taskId));
    this.changed();
  }

  /** Fetches a diff; a shown one stays until the new one has come. */
  async show(planId: string, taskId = ''): Promise<void> {
    const name = key(planId, taskId);
    const loading = { ...(this.#shown.get(name) ?? { files: [], error: '' }), isLoading: true };
    this.#shown.set(name, loading);
    this.changed();
    const { value, error } = await toResult(this.rpc.rpcExtract('Planner.get_plan_diff', planId, taskId));
    if (this.#shown.get(name) !== loading) return;
    const files = parseUnifiedDiff(text(fields<PlanDiff>(value).diff));
    this.#shown.set(name, { isLoading: false, files, error });
    this.changed();
  }
}

function key(planId: string, taskId: string): string {
  return JSON.stringify([planId, taskId]);
}
