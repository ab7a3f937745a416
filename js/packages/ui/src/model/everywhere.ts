/** One search for everything: files by their path, symbols by their name, lines by their text. */

import type { FileMatches, Match, Rpc } from '@jupyter-ac/link/rpc';
import type { FilesStore } from './files.ts';
import type { ModeStore } from './mode.ts';
import { legible, type Place, placeWords } from './places.ts';
import { Ranking } from './ranking.ts';
import { type Dispose, Store } from './store.ts';
import { parseSymbols } from './symbols.ts';
import { inSlices } from './time-slicing.ts';
import { told } from './told.ts';
import { fields, list, number, text } from './wire.ts';

export type Kind = 'files' | 'symbols' | 'text';

export interface Result {
  readonly kind: Kind;
  readonly place: Place;
  /** What it is found by. */
  readonly title: string;
  /** Behind the title where there is room; '' for nothing. */
  readonly more: string;
  /** Where it is, or what kind of thing. */
  readonly detail: string;
  /** The title is a sentence about the file, not what was found in it. */
  readonly isRemark?: boolean;
}

export interface Group {
  readonly kind: Kind;
  readonly results: readonly Result[];
  /** There is more than is shown. */
  readonly isCut: boolean;
  readonly isLooking: boolean;
  readonly error: string;
}

const TYPING_MS = 200;
const MOST: Readonly<Record<Kind, number>> = { files: 12, symbols: 20, text: 40 };
/** Fewer letters are in nearly every line. */
const LEAST_OF_TEXT = 2;
/** Of a line, before the place where it was found and in all. */
const BEFORE = 20;
const LINE = 160;

export class EverywhereStore extends Store {
  query = '';
  groups: readonly Group[] = [];
  /** Index among `results` of the one that the keyboard is on. */
  active = 0;
  #typing: number | undefined;
  #asked = 0;
  #stopFiles: Dispose = () => {};
  readonly #stopListening: readonly Dispose[];

  constructor(
    private readonly rpc: Rpc,
    private readonly files: FilesStore,
    mode: ModeStore,
  ) {
    super();
    // What an index, or a list of files, that wasn't ready didn't find.
    this.#stopListening = [
      this.#againOnce(mode, () => mode.isCodeReady),
      this.#againOnce(files, () => files.isLoaded),
    ];
  }

  #againOnce(source: Store, isReady: () => boolean): Dispose {
    let wasReady = isReady();
    return source.subscribe(() => {
      if (isReady() && !wasReady && this.groups.length) this.search(this.query);
      wasReady = isReady();
    });
  }

  get results(): readonly Result[] {
    return this.groups.flatMap(({ results }) => results);
  }

  /** What is on show was found for another text than the one that is written. */
  get isStale(): boolean {
    return this.#typing !== undefined;
  }

  /** The best result; undefined while a better one may come, and when there is none. */
  get best(): Result | undefined {
    return this.groups.find(({ results, isLooking }) => results.length || isLooking)?.results[0];
  }

  get isSymbolsOffered(): boolean {
    return this.rpc.offers('LLMService.search_symbols');
  }

  /** Searches after a pause in typing; what was found last stays on show until then. */
  search(query: string): void {
    this.query = query;
    this.#asked += 1;
    this.#stopTyping();
    this.#stopFiles();
    if (query.trim()) this.#typing = setTimeout(() => this.hurry(), TYPING_MS);
    else this.#clear();
    this.changed();
  }

  /** Searches at once for what is written. */
  hurry(): void {
    this.#stopTyping();
    this.#find(this.query.trim());
  }

  move(by: number): void {
    const last = this.results.length - 1;
    this.active = Math.max(0, Math.min(last, this.active + by));
    this.changed();
  }

  /** Ticks or unticks the file that a result is in. */
  tick({ place: { path } }: Result): void {
    const { selection, tree } = this.files;
    if (!selection.has(path) && !tree.files.get(path)?.isSendable) return;
    selection.mark([path], !selection.has(path));
    this.changed();
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
    this.#asked += 1;
    this.#stopTyping();
    this.#stopFiles();
  }

  #stopTyping(): void {
    clearTimeout(this.#typing);
    this.#typing = undefined;
  }

  #clear(): void {
    this.groups = [];
    this.active = 0;
  }

  #find(query: string): void {
    const kinds: Kind[] = ['files'];
    if (this.isSymbolsOffered) kinds.push('symbols');
    if (query.length >= LEAST_OF_TEXT) kinds.push('text');
    this.active = 0;
    this.groups = kinds.map((kind) => ({ kind, results: [], isCut: false, isLooking: true, error: '' }));
    this.#findFiles(query);
    if (kinds.includes('symbols')) {
      const call = this.rpc.rpcExtract('LLMService.search_symbols', query, MOST.symbols + 1);
      void this.#take('symbols', call, symbolResults);
    }
    if (kinds.includes('text')) {
      const call = this.rpc.rpcExtract('Repo.search_files', query, false, false, true, 0);
      void this.#take('text', call, (value) => textResults(value, query));
    }
    this.changed();
  }

  #findFiles(query: string): void {
    const ranking = new Ranking(query, MOST.files + 1);
    this.#stopFiles = inSlices(
      this.files.tree.files.keys(),
      (path) => ranking.look(path),
      () => {
        const results = ranking.best.map((path) => fileResult(path));
        // What has the query as it is written comes before what has only its letters.
        if (ranking.isVague) this.groups = [...this.groups.slice(1), ...this.groups.slice(0, 1)];
        this.#put('files', results, '');
      },
    );
  }

  async #take(kind: Kind, call: Promise<unknown>, parse: (value: unknown) => Result[]): Promise<void> {
    const mine = this.#asked;
    const { value, error } = await told(call);
    if (mine === this.#asked) this.#put(kind, error ? [] : parse(value), error);
  }

  #put(kind: Kind, found: readonly Result[], error: string): void {
    const results = found.slice(0, MOST[kind]);
    const isCut = found.length > results.length;
    // The keyboard stays on the result that it is on, though others come in before it.
    const on = this.active ? this.results[this.active] : undefined;
    this.groups = this.groups.map((group) =>
      group.kind === kind ? { kind, results, isCut, isLooking: false, error } : group,
    );
    if (on) this.active = Math.max(0, this.results.indexOf(on));
    this.changed();
  }
}

function fileResult(path: string): Result {
  const cut = path.lastIndexOf('/') + 1;
  return {
    kind: 'files',
    place: { path, line: 0, col: 0 },
    title: legible(path.slice(cut)),
    more: '',
    detail: legible(path.slice(0, cut)),
  };
}

function symbolResults(raw: unknown): Result[] {
  return parseSymbols(raw).map(({ name, kind, container, signature, place }) => ({
    kind: 'symbols',
    place,
    title: `${container ? `${container}.` : ''}${name}`,
    more: signature,
    detail: `${kind} · ${placeWords(place)}`,
  }));
}

function textResults(raw: unknown, query: string): Result[] {
  return list(raw)
    .map(fields<FileMatches>)
    .flatMap(({ file, matches, skipped }) =>
      text(skipped) ? [skippedResult(text(file), text(skipped))] : textMatches(text(file), matches, query),
    );
}

/** A file that was not searched: it is named, with the reason. */
function skippedResult(path: string, reason: string): Result {
  return {
    kind: 'text',
    place: { path, line: 0, col: 0 },
    title: `Not searched: ${reason}`,
    more: '',
    detail: legible(path),
    isRemark: true,
  };
}

function textMatches(path: string, matches: unknown, query: string): Result[] {
  return list(matches)
    .map(fields<Match>)
    .map((match): Result => {
      const line = text(match.line);
      const at = Math.max(0, line.toLowerCase().indexOf(query.toLowerCase()));
      // A notebook is shown as its cells, which have other lines than its file.
      const isSame = !path.endsWith('.ipynb');
      const place = isSame ? { path, line: number(match.line_num), col: at + 1 } : { path, line: 0, col: 0 };
      return { kind: 'text', place, title: around(line, at), more: '', detail: placeWords(place) };
    });
}

/** The part of a line that has what was found. */
function around(line: string, at: number): string {
  const indent = line.length - line.trimStart().length;
  const start = Math.max(at - BEFORE, indent);
  return `${start > indent ? '…' : ''}${line.slice(start, start + LINE).trimEnd()}`;
}
