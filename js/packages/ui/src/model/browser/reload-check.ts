/** Store of the offer to reload a page after edits, and of the errors that are new then. */

import type { CompletionResult, EditResult, EditsChange, Rpc } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import type { QuestionQueue } from '../question-queue.ts';
import { Store } from '../store.ts';
import { type Fields, fields, list } from '../wire.ts';
import type { ConsentStore } from './consent.ts';
import type { NewsItem, PageNewsStore } from './page-news.ts';
import type { Target } from './recorded-rows.ts';

export type ReloadStep = 'none' | 'offered' | 'checking' | 'done' | 'failed';

export interface ReloadPorts {
  readonly news: PageNewsStore;
  readonly consent: ConsentStore;
  /** The page that is watched and may be reloaded; null if there is none. */
  page(): Target | null;
  /** Whether no answer is running. */
  isIdle(): boolean;
  readonly questions: Pick<QuestionQueue, 'send'>;
  wait(ms: number): Promise<void>;
}

export const FIX_QUESTION = 'Fix these new errors of the page.';
const LOAD_MS = 2000;

export class ReloadCheckStore extends Store {
  step: ReloadStep = 'none';
  /** Errors that weren't there before. */
  fresh: readonly NewsItem[] = [];
  /** How many errors of before have come again. */
  again = 0;
  problem = '';
  /** Title and address of the page. */
  page: Target | null = null;

  constructor(
    private readonly rpc: Rpc,
    private readonly ports: ReloadPorts,
  ) {
    super();
  }

  /** An answer's edits have changed files, or the user has accepted some. */
  onEdits(change: Fields<CompletionResult | EditsChange>): void {
    const hasApplied = list(change.edit_results).some((raw) => fields<EditResult>(raw).status === 'applied');
    const page = this.ports.page();
    if (!hasApplied || !page || this.step === 'checking') return;
    this.page = page;
    this.#show('offered');
  }

  dismiss(): void {
    this.#show('none');
  }

  /** Reloads the page and looks for errors that are new. */
  async check(): Promise<void> {
    const page = this.ports.page();
    if (!page || this.step === 'checking') return;
    const { news, consent, wait } = this.ports;
    this.page = page;
    this.#show('checking');
    if (!(await news.take(page))) return this.#fail(t('What is known of the page could not be read.'));
    const known = news.seen;
    const { error } = await consent.act(page.id, () => this.rpc.rpcExtract('Browser.reload', false, page.id));
    if (error) return this.#fail(error);
    await wait(LOAD_MS);
    const found = await news.read(page, 'get_news');
    if (!found) return this.#fail(t('What is new in the page could not be read.'));
    // What a page only says may be another text each time, and is no error.
    const errors = found.filter(({ kind }) => kind === 'error' || kind === 'request');
    this.fresh = errors.filter(({ key }) => !known.has(key));
    this.again = errors.length - this.fresh.length;
    this.#show('done', this.fresh);
    await news.refresh();
  }

  /** Adds the new errors to a question that asks to fix them, and sends it. */
  async fix(): Promise<void> {
    const { news, questions, isIdle } = this.ports;
    if (!isIdle()) {
      this.problem = t('An answer is running; wait for its end.');
      return this.changed();
    }
    const { fresh } = this;
    this.#show('none');
    if (await news.addAll(fresh)) await questions.send(FIX_QUESTION);
  }

  #fail(problem: string): void {
    this.#show('failed');
    this.problem = problem;
    this.changed();
  }

  #show(step: ReloadStep, fresh: readonly NewsItem[] = []): void {
    this.step = step;
    this.fresh = fresh;
    this.problem = '';
    this.changed();
  }
}
