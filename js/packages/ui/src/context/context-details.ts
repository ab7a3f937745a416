/** What the drawing needs beside the breakdown: tokens by symbol and spending by day; loaded while it is shown. */

import type { DaySpend, FileSymbolTokens, Rpc } from '@jupyter-ac/link/rpc';
import { toResult } from '../model/call-result.ts';
import { Store } from '../model/store.ts';
import { type Fields, fields, list, number, numberOrNull, text } from '../model/wire.ts';
import type { SymbolsByPath } from './request-parts.ts';

/** As many files as the server counts in one call: the largest ones. */
export const MAX_FILES = 50;
export const DAYS = 30;

export interface DayTotal {
  /** ISO 8601. */
  readonly day: string;
  readonly answers: number;
  readonly tokens: number;
  readonly cached: number;
  /** US dollars; null when the price isn't known. */
  readonly usd: number | null;
}

export class ContextDetails extends Store {
  symbols: SymbolsByPath = new Map();
  /** Days with answers, oldest first; null until they are loaded. */
  days: readonly DayTotal[] | null = null;
  error = '';
  #files = '';
  #asked = 0;

  constructor(private readonly rpc: Rpc) {
    super();
  }

  /**
   * Counts files by symbol, unless just these were counted last, or couldn't be.
   *
   * @param files the files, largest first, with their tokens: other tokens mean another text
   * @param mapTokens of the map in the request: there is none while the server's index isn't ready, and no symbols
   */
  async countSymbols(
    files: readonly { readonly path: string; readonly tokens: number }[],
    mapTokens: number,
  ): Promise<void> {
    if (!this.rpc.offers('LLMService.get_symbol_tokens')) return;
    const shown = files.slice(0, MAX_FILES);
    const key = JSON.stringify([mapTokens > 0, shown.map(({ path, tokens }) => [path, tokens])]);
    if (key === this.#files) return;
    this.#files = key;
    this.#asked += 1;
    const mine = this.#asked;
    const paths = shown.map(({ path }) => path);
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.get_symbol_tokens', paths));
    if (mine !== this.#asked) return;
    this.error = error;
    if (!error)
      this.symbols = new Map(
        list(value)
          .map(parseFile)
          .map((file) => [file.path, file]),
      );
    this.changed();
  }

  async loadDays(): Promise<void> {
    if (!this.rpc.offers('LLMService.get_spend_by_day')) return;
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.get_spend_by_day', DAYS));
    this.error = error;
    if (!error)
      this.days = list(value)
        .map(fields<DaySpend>)
        .map(parseDay);
    this.changed();
  }
}

function parseFile(raw: unknown): FileSymbolTokens {
  const file = fields<FileSymbolTokens>(raw);
  const symbols = list(file.symbols).map((each) => {
    const symbol = fields<FileSymbolTokens['symbols'][number]>(each);
    return {
      ...{ name: text(symbol.name), kind: text(symbol.kind), line: number(symbol.line) },
      ...{
        last_line: number(symbol.last_line),
        parent: number(symbol.parent),
        tokens: number(symbol.tokens),
      },
    };
  });
  return { path: text(file.path), symbols, rest: number(file.rest) };
}

function parseDay(raw: Fields<DaySpend>): DayTotal {
  return {
    day: text(raw.day),
    answers: number(raw.answers),
    tokens: number(raw.input_tokens) + number(raw.output_tokens),
    cached: number(raw.cached_tokens),
    usd: numberOrNull(raw.usd),
  };
}

/** One entry for each of the last `count` days up to the day of `now`, with the totals where there are any. */
export function everyDay(days: readonly DayTotal[], now: Date, count = DAYS): DayTotal[] {
  const known = new Map(days.map((day) => [day.day, day]));
  return Array.from({ length: count }, (_, at) => {
    const date = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (count - 1 - at), 12);
    const pad = (part: number): string => String(part).padStart(2, '0');
    const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
    return known.get(day) ?? { day, answers: 0, tokens: 0, cached: 0, usd: null };
  });
}
