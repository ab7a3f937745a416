/** Store of the context breakdown: the tokens of the next request by category, and their price. */

import type {
  ContextBreakdown,
  ContextDetail,
  FileDetail,
  LastRequestTokens,
  PromptBlock,
  PromptContent,
  Refusal,
  ReviewDetail,
  Rpc,
  SessionTotals,
  TokensByCategory,
  ToolDetail,
  UrlDetail,
} from '@jupyter-ac/link/rpc';
import { type Dispose, Store } from './store.ts';
import { type Fields, fields, list, number, numberOrNull, strings, text } from './wire.ts';

/** Debounce: after this pause in typing the tokens are counted again. */
const TYPING_MS = 400;

export type Category =
  | 'system'
  | 'legend'
  | 'map'
  | 'files'
  | 'urls'
  | 'review'
  | 'context'
  | 'tools'
  | 'history'
  | 'question'
  | 'overhead';

/** A file or a web page in the next request. */
export interface ItemShare {
  /** Path of a file, address of a web page. */
  readonly path: string;
  /** The path, or the title of a web page. */
  readonly name: string;
  readonly tokens: number;
  /** It is sent because an earlier request contains it, though it isn't ticked or included any more. */
  readonly isLeftOver: boolean;
}

export interface Share {
  readonly category: Category;
  readonly tokens: number;
  /** Number of files, pages or messages in it. */
  readonly count: number;
  readonly items: readonly ItemShare[];
}

export interface LastRequest {
  readonly input: number;
  readonly cached: number;
  /** Tokens that the provider has written to its cache. */
  readonly written: number;
  /** Whether the provider's cache served a part of it; null when the provider didn't say. */
  readonly isHit: boolean | null;
}

/** One text block of the next request. */
export interface TierItem {
  readonly name: string;
  /** '' when it isn't about exactly one file. */
  readonly path: string;
  readonly tokens: number;
  /** In how many requests it has been sent. */
  readonly age: number;
  /** The age at which it moves to the next tier; null in the last one. */
  readonly threshold: number | null;
  readonly isCached: boolean;
  /** The beginning of a question, or a whole summary; '' for others. */
  readonly text: string;
}

/** Consecutive blocks of about the same age: how many requests they have been sent in. */
export interface Tier {
  readonly tier: string;
  readonly name: string;
  readonly tokens: number;
  readonly cachedTokens: number;
  readonly items: readonly TierItem[];
}

export interface Breakdown {
  readonly total: number;
  /** The model's limit for a request; 0 when it isn't known. */
  readonly max: number;
  readonly shares: readonly Share[];
  readonly tokenizer: string;
  readonly isEstimate: boolean;
  /** US dollars for the input of the next request; null when the price isn't known. */
  readonly cost: number | null;
  /** The same with the likely cache hits priced as such. */
  readonly expectedCost: number | null;
  /** Tokens that the provider will probably read from its cache. */
  readonly cached: number;
  /** Tokens of the last turn's requests, as the provider counted them; null before the first. */
  readonly last: LastRequest | null;
  /** The next request by the age of its blocks, in the order in which they are sent. */
  readonly tiers: readonly Tier[];
  /** Sentences on the blocks that changed tier since the last request. */
  readonly promotions: readonly string[];
  readonly demotions: readonly string[];
  /** An estimate for the images of the question, which the total doesn't include. */
  readonly imageTokens: number;
  /** Warns that the next request will probably be expensive; '' for no warning. */
  readonly warning: string;
  /** Sentences about ticked files: likely secrets, and files that can't be sent, or only in part. */
  readonly notices: readonly string[];
  readonly session: { readonly total: number; readonly cost: number | null };
  /** The server's answer, for parts of the UI that are loaded on demand. */
  readonly raw: Fields<ContextBreakdown>;
}

/** Parses the result of `get_context_breakdown`. */
export function parseBreakdown(raw: unknown): Breakdown {
  const answer = fields<ContextBreakdown>(raw);
  const parts = fields<TokensByCategory>(answer.breakdown);
  const totals = fields<SessionTotals>(answer.session_totals);
  const overhead = number(parts.overhead) || number(answer.message_overhead) * number(answer.messages);
  const share = (category: Category, tokens: number, count = 0, items: ItemShare[] = []): Share => ({
    category,
    tokens,
    count,
    items,
  });
  const pages = pageShares(parts);
  const review = reviewShares(parts);
  const context = contextShares(parts);
  const tools = toolShares(parts);
  return {
    total: number(answer.total_tokens),
    max: number(answer.max_input_tokens),
    shares: [
      share('system', number(parts.system)),
      share('legend', number(parts.legend)),
      share('map', number(parts.symbol_map), number(parts.symbol_map_files)),
      share('files', number(parts.files), number(parts.file_count), fileShares(parts)),
      share('urls', number(parts.urls), pages.length, pages),
      share('review', number(parts.review), review.length, review),
      share('context', number(parts.context), context.length, context),
      share('tools', number(parts.tools), tools.length, tools),
      share('history', number(parts.history), number(parts.history_messages)),
      share('question', number(parts.question)),
      share('overhead', overhead, number(answer.messages)),
    ],
    tokenizer: text(answer.tokenizer),
    isEstimate: answer.estimate === true,
    cost: numberOrNull(answer.cost_usd),
    expectedCost: numberOrNull(answer.expected_cost_usd),
    cached: number(answer.cached_tokens),
    last: answer.last_request ? lastRequest(fields<LastRequestTokens>(answer.last_request)) : null,
    tiers: list(answer.blocks)
      .map(fields<PromptBlock>)
      .map(parseTier),
    promotions: strings(answer.promotions),
    demotions: strings(answer.demotions),
    imageTokens: number(answer.image_tokens),
    warning: text(answer.warning),
    notices: strings(answer.notices),
    session: {
      total: number(totals.total),
      cost: number(totals.priced_request_count) > 0 ? numberOrNull(totals.cost_usd) : null,
    },
    raw: answer,
  };
}

function lastRequest(raw: Fields<LastRequestTokens>): LastRequest {
  const isHit = raw.cache === 'hit' ? true : raw.cache === 'miss' ? false : null;
  return {
    input: number(raw.input_tokens),
    cached: number(raw.cache_read_tokens),
    written: number(raw.cache_write_tokens),
    isHit,
  };
}

function parseTier(raw: Fields<PromptBlock>): Tier {
  return {
    tier: text(raw.tier),
    name: text(raw.name),
    tokens: number(raw.tokens),
    cachedTokens: number(raw.cached_tokens),
    items: list(raw.contents)
      .map(fields<PromptContent>)
      .map((item) => ({
        name: text(item.name),
        path: text(item.path),
        tokens: number(item.tokens),
        age: number(item.n),
        threshold: numberOrNull(item.threshold),
        isCached: item.cached === true,
        text: text(item.text),
      })),
  };
}

function fileShares(parts: Fields<TokensByCategory>): ItemShare[] {
  const files = list(parts.file_details)
    .map(fields<FileDetail>)
    .map((file): ItemShare => {
      const path = text(file.path, text(file.name));
      const isLeftOver = file.in_log === true && file.selected === false;
      return { path, name: path, tokens: number(file.tokens), isLeftOver };
    });
  return files.sort(byTokens);
}

function pageShares(parts: Fields<TokensByCategory>): ItemShare[] {
  const pages = list(parts.url_details)
    .map(fields<UrlDetail>)
    .map((page): ItemShare => {
      const path = text(page.url, text(page.path));
      const isLeftOver = page.in_log === true && page.included === false;
      return { path, name: text(page.name) || path, tokens: number(page.tokens), isLeftOver };
    });
  return pages.sort(byTokens);
}

function reviewShares(parts: Fields<TokensByCategory>): ItemShare[] {
  const shares = list(parts.review_details)
    .map(fields<ReviewDetail>)
    .map((part): ItemShare => {
      const isLeftOver = part.in_log === true && part.selected === false;
      return { path: text(part.path), name: text(part.name), tokens: number(part.tokens), isLeftOver };
    });
  return shares.sort(byTokens);
}

function contextShares(parts: Fields<TokensByCategory>): ItemShare[] {
  return list(parts.context_details)
    .map(fields<ContextDetail>)
    .map(
      (item): ItemShare => ({
        ...{ path: text(item.path), name: text(item.name), tokens: number(item.tokens) },
        isLeftOver: item.in_log === true,
      }),
    );
}

function toolShares(parts: Fields<TokensByCategory>): ItemShare[] {
  return list(parts.tool_details)
    .map(fields<ToolDetail>)
    .map((part): ItemShare => {
      const sizes = { path: text(part.path), name: text(part.name), tokens: number(part.tokens) };
      return { ...sizes, isLeftOver: false };
    });
}

function byTokens(one: ItemShare, other: ItemShare): number {
  return other.tokens - one.tokens || (one.path < other.path ? -1 : 1);
}

export class BreakdownStore extends Store {
  breakdown: Breakdown | null = null;
  error = '';
  /** The question being typed. */
  question = '';
  #images = 0;
  #isAsking = false;
  #askAgain = false;
  #typing: number | undefined;
  readonly #stopListening: Dispose[];

  constructor(private readonly rpc: Rpc) {
    super();
    this.#stopListening = (
      ['filesChanged', 'streamComplete', 'sessionChanged', 'postResponseComplete'] as const
    ).map((event) => rpc.on(event, () => void this.refresh()));
  }

  /** Sets the question being typed, so that the total includes it. Debounced. */
  setQuestion(question: string, images = 0): void {
    if (question === this.question && images === this.#images) return;
    this.question = question;
    this.#images = images;
    clearTimeout(this.#typing);
    this.#typing = setTimeout(() => void this.refresh(), TYPING_MS);
  }

  /** Asks the server. Calls during a request are combined into one request after it. */
  async refresh(): Promise<void> {
    if (!this.rpc.connected) return;
    if (this.#isAsking) {
      this.#askAgain = true;
      return;
    }
    this.#isAsking = true;
    do {
      this.#askAgain = false;
      await this.#ask();
    } while (this.#askAgain && this.rpc.connected);
    this.#isAsking = false;
  }

  dispose(): void {
    clearTimeout(this.#typing);
    for (const stop of this.#stopListening) stop();
  }

  async #ask(): Promise<void> {
    try {
      const images = this.#images ? ([this.#images] as const) : ([] as const);
      const answer = await this.rpc.rpcExtract(
        'LLMService.get_context_breakdown',
        null,
        this.question,
        ...images,
      );
      const refusal = text(fields<ContextBreakdown | Refusal>(answer).error);
      if (!refusal) this.breakdown = parseBreakdown(answer);
      this.error = refusal;
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
    }
    this.changed();
  }
}
