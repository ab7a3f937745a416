/** Store of the rules for a page's requests, and of the decisions on requests that are paused. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import { toResult } from '../call-result.ts';
import { Store } from '../store.ts';
import type { ConsentStore } from './consent.ts';
import { NEW_RULE, type Rule, rowsToRules, ruleProblem, rulesToRows } from './fetch-rules.ts';
import type { PageState, Pausing, Target } from './recorded-rows.ts';

/** What becomes of a paused request: it goes, it fails, or it gets an answer. */
export type Decision = 'resume' | 'fail' | { readonly status: number; readonly body: string };

export class InterceptionStore extends Store {
  rows: readonly Rule[] = [];
  /** The rows differ from what is set in the page. */
  isChanged = false;
  isLoaded = false;
  isSaving = false;
  /** One sentence on why the rules can't be read or set; '' otherwise. */
  problem = '';
  #target = '';
  /** By target and epoch. */
  readonly #pausing = new Map<string, Pausing>();

  constructor(
    private readonly rpc: Rpc,
    private readonly consent: ConsentStore,
  ) {
    super();
  }

  /** Shows another target's rules. */
  async show(target: string): Promise<void> {
    if (target === this.#target && (this.isLoaded || !target)) return;
    this.#target = target;
    this.rows = [];
    this.isChanged = false;
    this.isLoaded = false;
    this.problem = '';
    this.changed();
    if (!target) return;
    const { value, error } = await toResult(this.rpc.rpcExtract('Browser.get_fetch_rules', target));
    if (target !== this.#target) return;
    this.isLoaded = !error;
    this.problem = error;
    if (!this.isChanged) this.rows = rulesToRows(value);
    this.changed();
  }

  add(): void {
    this.#edit([...this.rows, NEW_RULE]);
  }

  change(index: number, change: Partial<Rule>): void {
    this.#edit(this.rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  }

  remove(index: number): void {
    this.#edit(this.rows.filter((_row, at) => at !== index));
  }

  /** Sets the rules in the page; asks for consent where it is missing. */
  async save(): Promise<void> {
    const target = this.#target;
    this.problem = ruleProblem(this.rows);
    if (this.problem || this.isSaving || !target) return this.changed();
    const sent = this.rows;
    this.isSaving = true;
    this.changed();
    const { error } = await this.consent.act(target, () =>
      this.rpc.rpcExtract('Browser.set_fetch_rules', rowsToRules(sent), target),
    );
    this.isSaving = false;
    if (target === this.#target) {
      this.problem = error;
      if (!error && this.rows === sent) this.isChanged = false;
    }
    this.changed();
  }

  /** Lets a paused request go or fail, or answers it; resolves to one sentence on why not, or ''. */
  async decide(target: string, id: number, decision: Decision): Promise<string> {
    const { rpc } = this;
    const { error } = await this.consent.act(target, () => {
      if (decision === 'resume') return rpc.rpcExtract('Browser.fetch_resume', id, null, 0.5, null, target);
      if (decision === 'fail')
        return rpc.rpcExtract('Browser.fetch_fail', id, 'BlockedByClient', null, target);
      const { status, body } = decision;
      return rpc.rpcExtract('Browser.fetch_fulfill', id, status, null, body, null, target);
    });
    return error;
  }

  /** What is paused of a target; of one that isn't the connected page, as this panel has set it. */
  pausingOf({ id, epoch }: Target, page: PageState): Pausing {
    return page.page === id ? page.pausing : (this.#pausing.get(`${id} ${epoch}`) ?? 'nothing');
  }

  /** Pauses each request for a decision, or lets all go; resolves to one sentence on why not, or ''. */
  async setPausing({ id, epoch }: Target, pausing: Pausing): Promise<string> {
    const { error } = await this.consent.act(id, () =>
      pausing === 'nothing'
        ? this.rpc.rpcExtract('Browser.fetch_disable', id)
        : this.rpc.rpcExtract('Browser.fetch_enable', true, pausing === 'both', id),
    );
    if (!error) this.#pausing.set(`${id} ${epoch}`, pausing);
    this.changed();
    return error;
  }

  #edit(rows: readonly Rule[]): void {
    this.rows = rows;
    this.isChanged = true;
    this.problem = '';
    this.changed();
  }
}
