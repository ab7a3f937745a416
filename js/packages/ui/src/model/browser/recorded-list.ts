/** A list of what was recorded of a page, the newest first: fetched in growing parts, filtered here by a text. */

import { toResult } from '../call-result.ts';
import { Store } from '../store.ts';
import { list } from '../wire.ts';

const FIRST_LIMIT = 500;
const GROWTH = 4;
export const MAX_ROWS = 10_000;

export abstract class RecordedList<Row extends { readonly id: number }> extends Store {
  rows: readonly Row[] = [];
  isLoaded = false;
  /** One sentence on why the list could not be fetched; '' otherwise. */
  error = '';
  #query = '';
  #limit = FIRST_LIMIT;
  #target = '';
  #asked = 0;
  #shown: { readonly rows: readonly Row[]; readonly query: string; readonly found: readonly Row[] } | null =
    null;

  get target(): string {
    return this.#target;
  }

  get query(): string {
    return this.#query;
  }

  /** The rows that the text filter lets pass. */
  get shown(): readonly Row[] {
    const { rows } = this;
    const query = this.#query.trim().toLowerCase();
    if (this.#shown?.rows !== rows || this.#shown.query !== query) {
      const found = query ? rows.filter((row) => this.wordsOf(row).toLowerCase().includes(query)) : rows;
      this.#shown = { rows, query, found };
    }
    return this.#shown.found;
  }

  /** There may be more than was fetched. */
  get isCut(): boolean {
    return this.rows.length >= this.#limit;
  }

  get canGrow(): boolean {
    return this.isCut && this.#limit < MAX_ROWS;
  }

  search(query: string): void {
    this.#query = query;
    this.changed();
  }

  /** Shows another target; nothing of the last one stays. */
  show(target: string): void {
    if (target === this.#target) return;
    this.#target = target;
    this.#limit = FIRST_LIMIT;
    this.forget();
  }

  /** Forgets the rows, before others are fetched. */
  forget(): void {
    this.#asked += 1;
    this.rows = [];
    this.isLoaded = false;
    this.error = '';
    this.changed();
  }

  async refresh(): Promise<void> {
    if (!this.#target) return;
    this.#asked += 1;
    const mine = this.#asked;
    const { value, error } = await toResult(this.fetch(this.#target, this.#limit));
    if (mine !== this.#asked) return;
    this.error = error;
    this.isLoaded = true;
    if (!error) this.rows = this.parse(value);
    this.changed();
  }

  /** Fetches older rows, too. */
  async more(): Promise<void> {
    if (!this.canGrow) return;
    this.#limit = Math.min(MAX_ROWS, this.#limit * GROWTH);
    await this.refresh();
  }

  protected abstract fetch(target: string, limit: number): Promise<unknown>;
  protected abstract parse(value: unknown): readonly Row[];
  /** What the text filter looks into. */
  protected abstract wordsOf(row: Row): string;
}

/** The rows of an answer; those without an id can't be shown. */
export function parsedRows<Row extends { readonly id: number }>(
  raw: unknown,
  parse: (row: unknown) => Row,
): readonly Row[] {
  const rows = list(raw).map(parse);
  return rows.filter(({ id }) => id > 0);
}
