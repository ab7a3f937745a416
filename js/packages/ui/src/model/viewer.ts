/** Store of the file viewer: location, versions of the file, definitions and references. */

import type { FileMapBlock, Rpc, RpcError } from '@jupyter-ac/link/rpc';
import { toResult } from './call-result.ts';
import { type FileLocation, isSameLocation, parseLspLocation } from './file-location.ts';
import { headingLine } from './headings.ts';
import { type Dispose, Store } from './store.ts';
import { fields, list, strings, text } from './wire.ts';

/** The file on disk, its diff to the last commit, the committed file, its part of the map. */
export type Tab = 'file' | 'diff' | 'head' | 'map';

export type Content =
  | { readonly kind: 'loading' }
  /**
   * `whole` is the full length when the text was cut, else 0. `language` is set for a notebook only;
   * that of other files follows from their name.
   */
  | { readonly kind: 'text'; readonly text: string; readonly whole: number; readonly language: string }
  | { readonly kind: 'missing' }
  /** It can't be read, or can't be shown as text. */
  | { readonly kind: 'refused'; readonly message: string };

export interface References {
  readonly isLoading: boolean;
  readonly locations: readonly FileLocation[];
  /** Number of further ones. */
  readonly more: number;
  /** Lines of the files that they are in, as far as they have been loaded. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
}

interface HistoryEntry {
  readonly location: FileLocation;
  readonly tab: Tab;
}

/** Longer files are cut: the page would become slow. */
export const MAX_CHARACTERS = 1_000_000;
const MAX_REFERENCES = 300;
/** Number of files whose lines are shown in the list of references. */
const MAX_FILES_READ = 12;
const MAX_HISTORY = 100;
const LOADING: Content = { kind: 'loading' };

export class ViewerStore extends Store {
  location: FileLocation = { path: '', line: 0, col: 0 };
  tab: Tab = 'file';
  working: Content = LOADING;
  head: Content = LOADING;
  map: Content = LOADING;
  /** References of the symbol at the cursor; null when none were requested. */
  references: References | null = null;
  /** One sentence about the last request; '' for none. */
  note = '';
  readonly #back: HistoryEntry[] = [];
  readonly #forward: HistoryEntry[] = [];
  #isHeadWanted = false;
  /** The committed text is shown because the file was deleted. */
  #isHeadFallback = false;
  /** Request counters: results of older requests are ignored. */
  #loads = 0;
  #questions = 0;
  #hovers = 0;
  readonly #stopListening: Dispose;

  constructor(private readonly rpc: Rpc) {
    super();
    this.#stopListening = rpc.on('filesModified', (paths) => {
      if (strings(paths).includes(this.location.path)) void this.#load();
    });
  }

  /** It shows the whole map, not a file. */
  get isMap(): boolean {
    return this.location.mapFor !== undefined;
  }

  get canGoBack(): boolean {
    return this.#back.length > 0;
  }

  get canGoForward(): boolean {
    return this.#forward.length > 0;
  }

  /** The content of the tab; for a diff, its newer side. */
  get shown(): Content {
    return this.tab === 'head' ? this.head : this.tab === 'map' ? this.map : this.working;
  }

  /** Whether definitions and references work in the shown text. */
  get isNavigable(): boolean {
    const isText = this.shown.kind === 'text' || this.shown.kind === 'loading';
    const isWorkingCopy = this.tab === 'file' || this.tab === 'diff';
    return isText && isWorkingCopy && this.rpc.offers('LLMService.lsp_get_definition');
  }

  get hasMap(): boolean {
    return this.rpc.offers('LLMService.get_file_map_block');
  }

  /** Opens a location; `from`, by default the current location, goes onto the back stack. */
  open(location: FileLocation, from: FileLocation = this.location): void {
    if (this.location.path || this.isMap) this.#back.push({ location: from, tab: this.tab });
    if (this.#back.length > MAX_HISTORY) this.#back.shift();
    this.#forward.length = 0;
    const tab = location.isDiff ? 'diff' : 'file';
    this.#go({ location, tab: location.mapFor === undefined ? tab : 'map' });
  }

  back(): void {
    this.#move(this.#back, this.#forward);
  }

  forward(): void {
    this.#move(this.#forward, this.#back);
  }

  show(tab: Tab): void {
    if (tab === this.tab) return;
    this.#isHeadFallback = false;
    this.tab = tab;
    this.note = '';
    this.#loadFor(tab);
    this.changed();
  }

  /** Hover text (Markdown) for the symbol at a position; '' for none, or when a newer request was made. */
  async hover(line: number, col: number): Promise<string> {
    if (!this.rpc.offers('LLMService.lsp_get_hover')) return '';
    this.#hovers += 1;
    const mine = this.#hovers;
    const { path } = this.location;
    const { value } = await toResult(this.rpc.rpcExtract('LLMService.lsp_get_hover', path, line, col));
    return mine === this.#hovers && path === this.location.path
      ? text(fields<{ contents: string }>(value).contents)
      : '';
  }

  /** Goes to the definition of the symbol at a position. */
  async goToDefinition(line: number, col: number): Promise<void> {
    const from = { path: this.location.path, line, col };
    const found = await this.#latest(
      this.rpc.rpcExtract('LLMService.lsp_get_definition', from.path, line, col),
    );
    if (!found) return;
    const location = parseLspLocation(found.value);
    if (location && !isSameLocation({ ...location, col: 0 }, { ...from, col: 0 }))
      return this.open(location, from);
    this.#setNote(
      found.error || (location ? 'This is where it is defined.' : 'No definition of it is known here.'),
    );
  }

  /** Lists the references of the symbol at a position. */
  async findReferences(line: number, col: number): Promise<void> {
    this.references = { isLoading: true, locations: [], more: 0, texts: new Map() };
    const { path } = this.location;
    const found = await this.#latest(this.rpc.rpcExtract('LLMService.lsp_get_references', path, line, col));
    if (!found) return;
    const locations = list(found.value).flatMap((raw) => parseLspLocation(raw) ?? []);
    const shown = locations.slice(0, MAX_REFERENCES);
    const more = locations.length - shown.length;
    this.references = locations.length
      ? { isLoading: false, locations: shown, more, texts: new Map() }
      : null;
    this.#setNote(found.error || (locations.length ? '' : 'No use of it is known.'));
    if (this.references) await this.#readReferences(this.references);
  }

  /** Loads the lines shown in the list, for the first files. */
  async #readReferences(uses: References): Promise<void> {
    const paths = [...new Set(uses.locations.map(({ path }) => path))].slice(0, MAX_FILES_READ);
    const texts = await Promise.all(
      paths.map(async (path): Promise<[string, string[]]> => {
        const content = await this.#read(path);
        return [path, content.kind === 'text' ? content.text.split('\n') : []];
      }),
    );
    if (this.references !== uses) return;
    this.references = { ...uses, texts: new Map(texts) };
    this.changed();
  }

  closeReferences(): void {
    this.#questions += 1;
    this.references = null;
    this.changed();
  }

  dispose(): void {
    this.#loads += 1;
    this.#questions += 1;
    this.#hovers += 1;
    this.#stopListening();
  }

  /** The result of a call; null when a newer request was made in the meantime. */
  async #latest(call: Promise<unknown>): Promise<{ value: unknown; error: string } | null> {
    this.#questions += 1;
    const mine = this.#questions;
    this.#setNote('');
    const found = await toResult(call);
    return mine === this.#questions ? found : null;
  }

  #setNote(note: string): void {
    this.note = note;
    this.changed();
  }

  #move(from: HistoryEntry[], to: HistoryEntry[]): void {
    const stop = from.pop();
    if (!stop) return;
    to.push({ location: this.location, tab: this.tab });
    this.#go(stop);
  }

  #go({ location, tab }: HistoryEntry): void {
    const isOther = location.path !== this.location.path || location.mapFor !== this.location.mapFor;
    this.#questions += 1;
    this.#isHeadFallback = false;
    this.location = location;
    this.tab = tab;
    this.note = '';
    if (isOther) {
      this.working = LOADING;
      this.head = LOADING;
      this.map = LOADING;
      this.#isHeadWanted = false;
      if (location.mapFor === undefined) void this.#load();
    }
    this.#findHeading();
    this.#loadFor(tab);
    this.changed();
  }

  /** Resolves a requested heading to its line, once the text is loaded. */
  #findHeading(): void {
    const { location, working } = this;
    if (!location.anchor || working.kind !== 'text') return;
    this.location = {
      path: location.path,
      line: headingLine(location.path, working.text, location.anchor),
      col: 0,
    };
  }

  #loadFor(tab: Tab): void {
    if (tab === 'map') void this.#loadMap();
    else if (tab !== 'file') void this.#loadHead();
  }

  /** Loads the map; not cached, since it changes with the files on disk. */
  async #loadMap(): Promise<void> {
    const { path, mapFor } = this.location;
    const call: Promise<unknown> =
      mapFor === undefined
        ? this.rpc.rpcExtract('LLMService.get_file_map_block', path)
        : this.rpc.rpcExtract('LLMService.get_sent_map', mapFor);
    const { value, error } = await toResult(call);
    if (path !== this.location.path) return;
    const content = text(mapFor === undefined ? fields<FileMapBlock>(value).content : value);
    const message = error || (content ? '' : 'The next request has no map.');
    this.map = message ? { kind: 'refused', message } : cut(content);
    this.changed();
  }

  /** Reads the file, also after a change on disk; the previous text stays until then. */
  async #load(): Promise<void> {
    this.#loads += 1;
    const mine = this.#loads;
    const wantsHead = this.#isHeadWanted;
    const { path } = this.location;
    const [working, head] = await Promise.all([
      this.#read(path),
      wantsHead ? this.#read(path, 'HEAD') : null,
    ]);
    if (mine !== this.#loads) return;
    this.working = working;
    this.#findHeading();
    if (head) this.head = head;
    this.changed();
    // For a deleted file, the committed text is shown.
    if (working.kind === 'missing') await this.#loadHead();
    if (mine === this.#loads) this.#followFile();
  }

  /** Shows the committed text of a deleted file, until the file exists again. */
  #followFile(): void {
    if (this.working.kind === 'missing' && this.head.kind === 'text') {
      if (this.tab === 'file') {
        this.show('head');
        this.#isHeadFallback = true;
      }
      this.#setNote('This file has been deleted; the last commit has this text.');
    } else if (this.#isHeadFallback && this.working.kind !== 'missing') this.show('file');
  }

  async #loadHead(): Promise<void> {
    if (this.#isHeadWanted) return;
    this.#isHeadWanted = true;
    const { path } = this.location;
    const head = await this.#read(path, 'HEAD');
    if (path !== this.location.path) return;
    this.head = head;
    this.changed();
  }

  async #read(path: string, version?: string): Promise<Content> {
    const args: [path: string, version?: string] = version === undefined ? [path] : [path, version];
    try {
      // A notebook that can't be parsed is shown as plain text.
      const cells = path.endsWith('.ipynb') ? await this.#readCells(args).catch(() => null) : null;
      return cells ?? cut(text(await this.rpc.rpcExtract('Repo.get_file_content', ...args)));
    } catch (error) {
      // Not `instanceof RpcError`: the error's class comes from another bundle.
      if (fields<RpcError>(error).type === 'not_found') return { kind: 'missing' };
      return { kind: 'refused', message: error instanceof Error ? error.message : String(error) };
    }
  }

  async #readCells(args: [path: string, version?: string]): Promise<Content> {
    const cells = this.rpc.rpcExtract('Repo.get_notebook_text', ...args);
    const { value } = await toResult(this.rpc.rpcExtract('Repo.get_notebook_language', ...args));
    return cut(text(await cells), text(value));
  }
}

/** Cuts a long text, at a line end if one is near. */
function cut(whole: string, language = ''): Content {
  if (whole.length <= MAX_CHARACTERS) return { kind: 'text', text: whole, whole: 0, language };
  const end = whole.lastIndexOf('\n', MAX_CHARACTERS) + 1;
  const shown = whole.slice(0, end > MAX_CHARACTERS / 2 ? end : MAX_CHARACTERS);
  return { kind: 'text', text: shown, whole: whole.length, language };
}
