/** Store of what is new in the watched pages: offered to the next question, never added by itself. */

import type { ContextItemGiven, News, Rpc } from '@jupyter-ac/link/rpc';
import { toResult } from '../call-result.ts';
import type { ContextItemsStore } from '../context-items.ts';
import { Store } from '../store.ts';
import { fields, list, text } from '../wire.ts';
import type { Target } from './recorded-rows.ts';
import { shownLine } from './shown-text.ts';

export interface NewsItem {
  /** Unique among the offered ones; the same message of the same page has the same key. */
  readonly key: string;
  readonly kind: 'error' | 'request' | 'output' | 'element';
  readonly name: string;
  /** '' for an element, which is read when it is added. */
  readonly text: string;
  readonly source: string;
  readonly target: string;
}

export interface NewsPorts {
  /** The watched targets. */
  watched(): readonly Target[];
  /** A chosen element as it is added. */
  readElement(target: string, id: string, source: string): Promise<ContextItemGiven>;
}

/** More are not shown; the server's news has at most 1,500 tokens. */
const MAX_OFFERED = 30;
const MAX_REMEMBERED = 2000;

export class PageNewsStore extends Store {
  /** What the server says is new, and what was new before a reload. */
  #news: readonly NewsItem[] = [];
  #kept: readonly NewsItem[] = [];
  #elements: readonly NewsItem[] = [];
  /** Keys of what was added, left out, or belongs to an earlier question. */
  readonly #done = new Set<string>();
  /** Keys of all that was ever new. */
  readonly #seen = new Set<string>();
  #asked = 0;

  constructor(
    private readonly rpc: Rpc,
    private readonly context: ContextItemsStore,
    private readonly ports: NewsPorts,
  ) {
    super();
  }

  get offered(): readonly NewsItem[] {
    const watched = new Set(this.ports.watched().map(({ id }) => id));
    const all = new Map([...this.#kept, ...this.#news, ...this.#elements].map((item) => [item.key, item]));
    return [...all.values()]
      .filter(({ key, target }) => watched.has(target) && !this.#done.has(key))
      .slice(0, MAX_OFFERED);
  }

  /** Keys of all errors that there have been. */
  get seen(): ReadonlySet<string> {
    return new Set(this.#seen);
  }

  async refresh(): Promise<void> {
    this.#asked += 1;
    const mine = this.#asked;
    const watched = this.ports.watched();
    const found = await Promise.all(watched.map((target) => this.read(target, 'get_news')));
    if (mine !== this.#asked) return;
    this.#news = found.flatMap((items, at) => items ?? this.#of(this.#news, watched[at]));
    for (const { key } of this.#news) remember(this.#seen, key);
    this.changed();
  }

  /** The news of a target; null if they can't be read. */
  async read(target: Target, how: 'get_news' | 'take_news'): Promise<readonly NewsItem[] | null> {
    const { value, error } = await toResult(this.rpc.rpcExtract(`Browser.${how}`, target.id));
    return error ? null : list(fields<News>(value).items).flatMap((raw) => parseNews(raw, target));
  }

  /** Takes the news of a target as known; what was offered stays so. */
  async take(target: Target): Promise<boolean> {
    const taken = await this.read(target, 'take_news');
    for (const { key } of taken ?? []) remember(this.#seen, key);
    this.#kept = [...this.#kept, ...(taken ?? [])].slice(-MAX_OFFERED);
    return taken !== null;
  }

  /** A question was asked: what was offered to it is offered again only when it happens again. */
  async onQuestion(): Promise<void> {
    const old = new Set([...this.#kept, ...this.#news].map(({ key }) => key));
    for (const { key } of this.#elements) remember(this.#done, key);
    this.#kept = [];
    this.#news = [];
    this.#asked += 1;
    this.changed();
    await Promise.all(this.ports.watched().map((target) => this.take(target)));
    // What nobody has seen yet is offered to the next question.
    this.#kept = this.#kept.filter(({ key }) => !old.has(key));
    for (const key of old) this.#done.delete(key);
    await this.refresh();
  }

  #of(items: readonly NewsItem[], target: Target | undefined): readonly NewsItem[] {
    return items.filter((item) => item.target === target?.id);
  }

  /** Offers the elements that were chosen in the watched pages. */
  offerElements(): void {
    this.#elements = this.ports.watched().flatMap(({ id: target, url, selections }) =>
      selections.map(({ id, selector, tag }) => ({
        key: elementKey(target, id),
        kind: 'element' as const,
        name: shownLine(selector || tag || 'element', 60),
        text: '',
        source: url,
        target,
      })),
    );
    this.changed();
  }

  /** Adds an offered item to the next question. */
  async add(item: NewsItem): Promise<boolean> {
    remember(this.#done, item.key);
    this.changed();
    return this.context.add(item.kind, item.name, () => this.#given(item));
  }

  async addAll(items: readonly NewsItem[] = this.offered): Promise<boolean> {
    const added = await Promise.all(items.map((item) => this.add(item)));
    return added.every(Boolean);
  }

  /** Offers an item no more. */
  leaveOut(key: string): void {
    remember(this.#done, key);
    this.changed();
  }

  async #given({ kind, name, text: words, source, target, key }: NewsItem): Promise<ContextItemGiven> {
    if (kind !== 'element') return { kind, name, text: words, source };
    const id = key.slice(key.lastIndexOf(' ') + 1);
    return this.ports.readElement(target, id, source);
  }
}

/** Key of a chosen element among the offered ones. */
export function elementKey(target: string, id: string): string {
  return `${target} element ${id}`;
}

function parseNews(raw: unknown, { id: target, url }: Target): NewsItem[] {
  const item = fields(raw);
  const kind = item.kind === 'request' || item.kind === 'output' ? item.kind : 'error';
  const words = text(item.text);
  const name = shownLine(text(item.name), 80) || kind;
  if (!words) return [];
  const key = `${target} ${kind} ${text(item.key) || `${name} ${words}`}`;
  return [{ key, kind, name, text: words, source: text(item.source) || url, target }];
}

/** The oldest are forgotten: a page that is open for days has many. */
function remember(keys: Set<string>, key: string): void {
  keys.delete(key);
  keys.add(key);
  const [oldest] = keys;
  if (keys.size > MAX_REMEMBERED && oldest !== undefined) keys.delete(oldest);
}
