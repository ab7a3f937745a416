/** Store of the web pages: addresses found in the input, and the pages of the conversation, which all panels share. */

import type { Rpc, SettingsChange, UrlContent } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { type CallResult, toResult } from './call-result.ts';
import { type Dispose, Store } from './store.ts';
import { addressPieces, mergeChips, parseFoundUrls, parseUrlRows, type UrlChip } from './url-chips.ts';
import { fields, strings, text } from './wire.ts';

/** Debounce: after this pause in typing, addresses are looked for. */
const TYPING_MS = 300;
/** The server takes a text of this many characters. */
const MAX_CHARACTERS = 1_000_000;

export interface UrlsPorts {
  say(kind: 'error', message: string): void;
  /** Other pages are sent with the next request: its tokens are counted again. */
  recount(): void;
}

/** A page as the model reads it. */
export interface PageText {
  readonly title: string;
  readonly text: string;
  /** Address after redirects. */
  readonly finalUrl: string;
  /** Host and port of the proxy that it came through; '' for none. */
  readonly proxy: string;
  /** ISO 8601; '' if it was never fetched. */
  readonly fetchedAt: string;
  /** Why there is no text; '' if there is. */
  readonly error: string;
}

export class UrlsStore extends Store {
  chips: readonly UrlChip[] = [];
  /** One sentence about the last fetch of this panel, for screen readers. */
  announcement = '';
  #rows: readonly UrlChip[] = [];
  #found: readonly UrlChip[] = [];
  /** Found addresses that the user has removed; forgotten once they are no longer in the input. */
  #dismissed: ReadonlySet<string> = new Set();
  /** Addresses that the user has removed from the input's chips, until they are offered again. */
  readonly #withheld = new Set<string>();
  /** The setting `urls.fetch`. */
  #mode = 'ask';
  readonly #fetching = new Set<string>();
  readonly #removing = new Set<string>();
  readonly #included = new Map<string, boolean>();
  #sending: Promise<void> | null = null;
  #unsent = false;
  /** The pieces of the input that may contain addresses. */
  #pieces = '';
  #isDetected = true;
  #detections = 0;
  #typing: ReturnType<typeof setTimeout> | undefined;
  readonly #stopListening: Dispose[];

  constructor(
    private readonly rpc: Rpc,
    private readonly ports: UrlsPorts,
  ) {
    super();
    this.#stopListening = [
      rpc.on('urlsChanged', (rows) => this.#setRows(parseUrlRows(rows))),
      rpc.on('settingsChanged', (change) => this.#setMode(text(fields<SettingsChange>(change).urls_fetch))),
    ];
  }

  /** Pages may be fetched: the setting `urls.fetch` isn't `never`. */
  get isFetchAllowed(): boolean {
    return this.#mode !== 'never';
  }

  /** Addresses in the input are fetched with the question: the setting `urls.fetch` is `auto`. */
  get isFetchedBySending(): boolean {
    return this.#mode === 'auto';
  }

  chip(url: string): UrlChip | undefined {
    return this.chips.find((chip) => chip.url === url);
  }

  isIncluded(url: string): boolean {
    return this.chip(url)?.isIncluded === true;
  }

  /**
   * The pages to leave out of a question, for a server that fetches the addresses in it: those that are left out,
   * and the addresses that the user has removed from the chips. null if there are none of these.
   */
  excludedFrom(question: string): readonly string[] | null {
    const withheld = [...this.#withheld].filter((url) => question.includes(url));
    if (!this.isFetchedBySending || !withheld.length) return null;
    return [...this.#rows.filter(({ isIncluded }) => !isIncluded).map(({ url }) => url), ...withheld];
  }

  /** Shows the pages of the server's state. */
  adopt(raw: unknown, mode = 'ask'): void {
    this.#setMode(mode);
    this.#setRows(parseUrlRows(raw));
    if (!this.#isDetected) void this.#detect();
  }

  /** Looks for addresses in the text of the input. Debounced; fetches nothing. */
  setText(input: string): void {
    const pieces = addressPieces(input);
    if (pieces === this.#pieces) return;
    this.#pieces = pieces;
    this.#isDetected = pieces === '';
    this.#detections += 1;
    clearTimeout(this.#typing);
    if (pieces) this.#typing = setTimeout(() => void this.#detect(), TYPING_MS);
    else this.#setFound([]);
  }

  /**
   * Fetches a page and includes it; the rows that the server sends meanwhile show how it goes.
   *
   * @param isAnew fetch it from the web, even if the cache has it
   */
  async fetch(url: string, isAnew = false): Promise<void> {
    const name = this.chip(url)?.name ?? url;
    if (this.#fetching.has(url)) return;
    this.#fetching.add(url);
    this.#update();
    const result = await toResult(this.rpc.rpcExtract('LLMService.fetch_url', url, !isAnew));
    this.#fetching.delete(url);
    this.announcement = result.error
      ? t('%1 could not be fetched: %2', name, result.error)
      : t('%1 is fetched.', name);
    this.#reportFailure(url, name, result);
    this.#update();
  }

  /** Includes a page in the context, or leaves it out. */
  include(url: string, isIncluded: boolean): void {
    if (this.chip(url)?.state !== 'ready') return;
    this.#included.set(url, isIncluded);
    this.#unsent = true;
    this.#update();
    this.#sending ??= this.#sendIncluded();
  }

  /** Resolves when the server knows which pages are included. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  /** Removes a page from the conversation, or a found address from the chips. */
  async remove(url: string): Promise<void> {
    if (this.chip(url)?.state === 'fetching') return;
    if (this.#found.some((chip) => chip.url === url)) {
      this.#dismissed = new Set([...this.#dismissed, url]);
      this.#withheld.add(url);
    }
    if (!this.#rows.some((row) => row.url === url)) return this.#update();
    this.#removing.add(url);
    this.#update();
    const { error } = await toResult(this.rpc.rpcExtract('LLMService.remove_fetched_url', url));
    this.#removing.delete(url);
    if (error) this.ports.say('error', t('The page could not be removed: %1', error));
    this.#setRows(error ? this.#rows : this.#rows.filter((row) => row.url !== url));
  }

  /** The text of a page that was fetched. */
  async read(url: string): Promise<PageText> {
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.get_url_content', url));
    const page = fields<UrlContent>(value);
    const body = text(page.summary) || text(page.readme) || text(page.content);
    return {
      title: text(page.title),
      text: [text(page.description), body, text(page.symbol_map)].filter(Boolean).join('\n\n'),
      finalUrl: text(page.final_url),
      proxy: text(page.proxy),
      fetchedAt: text(page.fetched_at),
      error,
    };
  }

  dispose(): void {
    this.#detections += 1;
    clearTimeout(this.#typing);
    for (const stop of this.#stopListening) stop();
  }

  async #detect(): Promise<void> {
    if (!this.rpc.offers('LLMService.detect_urls')) return;
    this.#detections += 1;
    const mine = this.#detections;
    const pieces = this.#pieces.slice(0, MAX_CHARACTERS);
    const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.detect_urls', pieces));
    if (mine !== this.#detections || error) return;
    this.#isDetected = true;
    this.#setFound(parseFoundUrls(value));
  }

  #setFound(found: readonly UrlChip[]): void {
    this.#found = found;
    const urls = found.map(({ url }) => url);
    this.#dismissed = new Set(urls.filter((url) => this.#dismissed.has(url)));
    for (const url of urls) if (!this.#dismissed.has(url)) this.#withheld.delete(url);
    this.#update();
  }

  #setMode(mode: string): void {
    this.#mode = mode;
    this.#update();
  }

  #setRows(rows: readonly UrlChip[]): void {
    const sent = sentPages(this.#rows);
    this.#rows = rows;
    this.#update();
    if (sentPages(rows) !== sent) this.ports.recount();
  }

  #update(): void {
    const found = this.isFetchAllowed ? this.#found : [];
    this.chips = mergeChips(this.#rows, found, this.#dismissed, {
      fetching: this.#fetching,
      removing: this.#removing,
      included: this.#included,
    });
    this.changed();
  }

  /** Reports a failure that no chip shows: the chip of a failed page shows its reason. */
  #reportFailure(url: string, name: string, { value, error }: CallResult): void {
    const row = this.#rows.find((row) => row.url === url);
    // After a timeout of the call, the fetch goes on.
    if (!error || (value === null && row?.state === 'fetching')) return;
    if (row?.state === 'ready') {
      this.ports.say('error', t('%1 could not be fetched again, its earlier text stays: %2', name, error));
    } else if (row?.state !== 'failed')
      this.ports.say('error', t('%1 could not be fetched: %2', name, error));
  }

  async #sendIncluded(): Promise<void> {
    while (this.#unsent) {
      this.#unsent = false;
      const excluded = this.#rows.filter((row) => !(this.#included.get(row.url) ?? row.isIncluded));
      const urls = excluded.map(({ url }) => url);
      const { value, error } = await toResult(this.rpc.rpcExtract('LLMService.set_excluded_urls', urls));
      if (error) this.ports.say('error', t('The choice of pages could not be sent: %1', error));
      if (this.#unsent && !error) continue;
      this.#unsent = false;
      this.#included.clear();
      this.#setRows(error ? this.#rows : leftOut(this.#rows, new Set(strings(value))));
    }
    this.#sending = null;
  }
}

/** Identifies the pages that are sent, and their versions. */
function sentPages(rows: readonly UrlChip[]): string {
  const sent = rows.filter(({ state, isIncluded }) => state === 'ready' && isIncluded);
  return JSON.stringify(sent.map(({ url, fetchedAt }) => [url, fetchedAt]));
}

function leftOut(rows: readonly UrlChip[], excluded: ReadonlySet<string>): UrlChip[] {
  return rows.map((row) => ({ ...row, isIncluded: !excluded.has(row.url) }));
}
