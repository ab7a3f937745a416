/** Store of "search everywhere": files by path, symbols by name, lines by text. */

import type { FileMatches, Match, Rpc } from '@jupyter-ac/link/rpc';
import { t, tn } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { escapeInvisible, type FileLocation, locationLabel } from './file-location.ts';
import type { FilesStore } from './files.ts';
import type { ModeStore } from './mode.ts';
import { PathRanking } from './path-ranking.ts';
import { type Dispose, Store } from './store.ts';
import { parseSymbols } from './symbols.ts';
import { inSlices } from './time-slicing.ts';
import { type Fields, fields, list, number, text } from './wire.ts';

export type Kind = 'files' | 'symbols' | 'text';

export interface Result {
  readonly kind: Kind;
  readonly location: FileLocation;
  /** The matched text. */
  readonly title: string;
  /** Shown after the title where there is room; '' for nothing. */
  readonly more: string;
  /** Its location, or its kind. */
  readonly detail: string;
  /** The title is a remark about the file, not a match. */
  readonly isRemark?: boolean;
}

export interface Group {
  readonly kind: Kind;
  readonly results: readonly Result[];
  /** There are more results than shown. */
  readonly isCut: boolean;
  readonly isSearching: boolean;
  readonly error: string;
}

const TYPING_MS = 200;
const MAX_RESULTS: Readonly<Record<Kind, number>> = { files: 12, symbols: 20, text: 40 };
/** Shorter queries match nearly every line. */
const MIN_TEXT_QUERY = 2;
/** Characters of a line shown before the match, and in all. */
const BEFORE = 20;
const LINE = 160;

export class SearchStore extends Store {
  query = '';
  groups: readonly Group[] = [];
  /** Index in `results` of the active option. */
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
    // Results are incomplete until the index and the list of files are ready.
    this.#stopListening = [
      this.#searchAgainWhen(mode, () => mode.isCodeReady),
      this.#searchAgainWhen(files, () => files.isLoaded),
    ];
  }

  #searchAgainWhen(source: Store, isReady: () => boolean): Dispose {
    let wasReady = isReady();
    return source.subscribe(() => {
      if (isReady() && !wasReady && this.groups.length) this.search(this.query);
      wasReady = isReady();
    });
  }

  get results(): readonly Result[] {
    return this.groups.flatMap(({ results }) => results);
  }

  /** The results belong to an earlier query. */
  get isStale(): boolean {
    return this.#typing !== undefined;
  }

  /** The best result; undefined while a better one may still arrive, or when there is none. */
  get best(): Result | undefined {
    return this.groups.find(({ results, isSearching }) => results.length || isSearching)?.results[0];
  }

  get isSymbolsOffered(): boolean {
    return this.rpc.offers('LLMService.search_symbols');
  }

  /** Searches after a pause in typing; the previous results stay until then. */
  search(query: string): void {
    this.query = query;
    this.#asked += 1;
    this.#stopTyping();
    this.#stopFiles();
    if (query.trim()) this.#typing = setTimeout(() => this.searchNow(), TYPING_MS);
    else this.#clear();
    this.changed();
  }

  /** Searches at once. */
  searchNow(): void {
    this.#stopTyping();
    this.#find(this.query.trim());
  }

  move(by: number): void {
    const last = this.results.length - 1;
    this.active = Math.max(0, Math.min(last, this.active + by));
    this.changed();
  }

  /** Ticks or unticks the file that a result is in. */
  tick({ location: { path } }: Result): void {
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
    if (query.length >= MIN_TEXT_QUERY) kinds.push('text');
    this.active = 0;
    this.groups = kinds.map((kind) => ({ kind, results: [], isCut: false, isSearching: true, error: '' }));
    this.#findFiles(query);
    if (kinds.includes('symbols')) {
      const call = this.rpc.rpcExtract('LLMService.search_symbols', query, MAX_RESULTS.symbols + 1);
      void this.#fetch('symbols', call, symbolResults);
    }
    if (kinds.includes('text')) {
      const call = this.rpc.rpcExtract('Repo.search_files', query, false, false, true, 0);
      void this.#fetch('text', call, (value) => textResults(value, query));
    }
    this.changed();
  }

  #findFiles(query: string): void {
    const ranking = new PathRanking(query, MAX_RESULTS.files + 1);
    this.#stopFiles = inSlices(
      this.files.tree.files.keys(),
      (path) => ranking.add(path),
      () => {
        const results = ranking.best.map((path) => fileResult(path));
        // Literal matches come before subsequence matches.
        if (ranking.isFuzzy) this.groups = [...this.groups.slice(1), ...this.groups.slice(0, 1)];
        this.#setResults('files', results, '');
      },
    );
  }

  async #fetch(kind: Kind, call: Promise<unknown>, parse: (value: unknown) => Result[]): Promise<void> {
    const mine = this.#asked;
    const { value, error } = await toResult(call);
    if (mine === this.#asked) this.#setResults(kind, error ? [] : parse(value), error);
  }

  #setResults(kind: Kind, found: readonly Result[], error: string): void {
    const results = found.slice(0, MAX_RESULTS[kind]);
    const isCut = found.length > results.length;
    // The active result stays active when results are inserted before it.
    const on = this.active ? this.results[this.active] : undefined;
    this.groups = this.groups.map((group) =>
      group.kind === kind ? { kind, results, isCut, isSearching: false, error } : group,
    );
    if (on) this.active = Math.max(0, this.results.indexOf(on));
    this.changed();
  }
}

function fileResult(path: string): Result {
  const cut = path.lastIndexOf('/') + 1;
  return {
    kind: 'files',
    location: { path, line: 0, col: 0 },
    title: escapeInvisible(path.slice(cut)),
    more: '',
    detail: escapeInvisible(path.slice(0, cut)),
  };
}

function symbolResults(raw: unknown): Result[] {
  return parseSymbols(raw).map(({ name, kind, container, signature, location }) => ({
    kind: 'symbols',
    location,
    title: `${container ? `${container}.` : ''}${name}`,
    more: signature,
    detail: `${kind} · ${locationLabel(location)}`,
  }));
}

function textResults(raw: unknown, query: string): Result[] {
  return list(raw)
    .map(fields<FileMatches>)
    .flatMap(({ file, matches, skipped, elsewhere }) => {
      const path = text(file);
      if (text(skipped)) return [remarkResult(path, t('Not searched: %1', text(skipped)))];
      const others = number(elsewhere);
      return [
        ...textMatches(path, matches, query),
        ...(others ? [remarkResult(path, elsewhereSentence(others))] : []),
      ];
    });
}

function elsewhereSentence(count: number): string {
  return tn(
    'Another line matches in its outputs or metadata.',
    '%1 other lines match in its outputs or metadata.',
    count,
  );
}

/** A row that says something about a file. */
function remarkResult(path: string, remark: string): Result {
  return {
    kind: 'text',
    location: { path, line: 0, col: 0 },
    title: remark,
    more: '',
    detail: escapeInvisible(path),
    isRemark: true,
  };
}

function textMatches(path: string, matches: unknown, query: string): Result[] {
  return list(matches)
    .map(fields<Match>)
    .map((match): Result => {
      const line = text(match.line);
      const at = Math.max(0, line.toLowerCase().indexOf(query.toLowerCase()));
      const location = matchLocation(path, match, at);
      const cell = number(match.cell);
      const detail = cell
        ? t('%1, cell %2, line %3', escapeInvisible(path), cell, number(match.cell_line))
        : locationLabel(location);
      return { kind: 'text', location, title: around(line, at), more: '', detail };
    });
}

/** A notebook is shown as the text of its cells, whose line numbers differ from the file's. */
function matchLocation(path: string, match: Fields<Match>, at: number): FileLocation {
  if (!path.endsWith('.ipynb')) return { path, line: number(match.line_num), col: at + 1 };
  const line = number(match.text_line);
  return { path, line, col: line ? at + 1 : 0 };
}

/** The part of a line around the match. */
function around(line: string, at: number): string {
  const indent = line.length - line.trimStart().length;
  const start = Math.max(at - BEFORE, indent);
  return `${start > indent ? '…' : ''}${line.slice(start, start + LINE).trimEnd()}`;
}
