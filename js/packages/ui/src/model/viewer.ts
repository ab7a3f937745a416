/** What the viewer of files shows: a place, the file's texts, and where the names in it lead. */

import type { FileMapBlock, Rpc, RpcError } from '@jupyter-ac/link/rpc';
import { headingLine } from './headings.ts';
import { type Place, parseTarget, samePlace } from './places.ts';
import { type Dispose, Store } from './store.ts';
import { told } from './told.ts';
import { fields, list, strings, text } from './wire.ts';

/** The file on disk, what has changed in it since the last commit, the file as committed, the map. */
export type Tab = 'file' | 'diff' | 'head' | 'map';

export type Content =
  | { readonly kind: 'loading' }
  /**
   * `whole` is the length of all of it, when the text was cut; 0 else. `language` is a notebook's;
   * that of others is told by their name.
   */
  | { readonly kind: 'text'; readonly text: string; readonly whole: number; readonly language: string }
  | { readonly kind: 'missing' }
  /** It can't be shown as text, or not at all. */
  | { readonly kind: 'refused'; readonly message: string };

export interface Uses {
  readonly isLoading: boolean;
  readonly places: readonly Place[];
  /** How many there are beside those. */
  readonly more: number;
  /** The files that they are in, as far as they have been read. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
}

interface Stop {
  readonly place: Place;
  readonly tab: Tab;
}

/** More of a file isn't shown: the page would be slow. */
export const MOST_CHARACTERS = 1_000_000;
const MOST_USES = 300;
/** Files whose lines the list of uses shows. */
const MOST_READ = 12;
const MOST_STOPS = 100;
const LOADING: Content = { kind: 'loading' };

export class ViewerStore extends Store {
  place: Place = { path: '', line: 0, col: 0 };
  tab: Tab = 'file';
  working: Content = LOADING;
  head: Content = LOADING;
  map: Content = LOADING;
  /** Where what the cursor was on is used; null while nobody has asked. */
  uses: Uses | null = null;
  /** One sentence about what was asked for last; '' for none. */
  note = '';
  readonly #back: Stop[] = [];
  readonly #forward: Stop[] = [];
  #isHeadWanted = false;
  /** The last commit is shown since there is no file. */
  #isInsteadOfFile = false;
  /** Counts what was asked for: an answer to an older question is dropped. */
  #loads = 0;
  #questions = 0;
  #hovers = 0;
  readonly #stopListening: Dispose;

  constructor(private readonly rpc: Rpc) {
    super();
    this.#stopListening = rpc.on('filesModified', (paths) => {
      if (strings(paths).includes(this.place.path)) void this.#load();
    });
  }

  /** It shows the map as a whole, not a file. */
  get isMap(): boolean {
    return this.place.mapFor !== undefined;
  }

  get canGoBack(): boolean {
    return this.#back.length > 0;
  }

  get canGoForward(): boolean {
    return this.#forward.length > 0;
  }

  /** The text of the tab; of the diff's newer side. */
  get shown(): Content {
    return this.tab === 'head' ? this.head : this.tab === 'map' ? this.map : this.working;
  }

  /** Whether the names in the text on show lead anywhere. */
  get hasNames(): boolean {
    const isText = this.shown.kind === 'text' || this.shown.kind === 'loading';
    const isWorkingCopy = this.tab === 'file' || this.tab === 'diff';
    return isText && isWorkingCopy && this.rpc.offers('LLMService.lsp_get_definition');
  }

  get hasMap(): boolean {
    return this.rpc.offers('LLMService.get_file_map_block');
  }

  /** Shows another place; the way back leads to `from`, or to where the viewer was. */
  open(place: Place, from: Place = this.place): void {
    if (this.place.path || this.isMap) this.#back.push({ place: from, tab: this.tab });
    if (this.#back.length > MOST_STOPS) this.#back.shift();
    this.#forward.length = 0;
    const tab = place.isDiff ? 'diff' : 'file';
    this.#go({ place, tab: place.mapFor === undefined ? tab : 'map' });
  }

  back(): void {
    this.#move(this.#back, this.#forward);
  }

  forward(): void {
    this.#move(this.#forward, this.#back);
  }

  show(tab: Tab): void {
    if (tab === this.tab) return;
    this.#isInsteadOfFile = false;
    this.tab = tab;
    this.note = '';
    this.#loadFor(tab);
    this.changed();
  }

  /** Markdown about the name at a place of the file on disk; '' when there is nothing to say, or it comes too late. */
  async hover(line: number, col: number): Promise<string> {
    if (!this.rpc.offers('LLMService.lsp_get_hover')) return '';
    this.#hovers += 1;
    const mine = this.#hovers;
    const { path } = this.place;
    const { value } = await told(this.rpc.rpcExtract('LLMService.lsp_get_hover', path, line, col));
    return mine === this.#hovers && path === this.place.path
      ? text(fields<{ contents: string }>(value).contents)
      : '';
  }

  /** Goes to where the name at a place is defined. */
  async define(line: number, col: number): Promise<void> {
    const from = { path: this.place.path, line, col };
    const found = await this.#asked(
      this.rpc.rpcExtract('LLMService.lsp_get_definition', from.path, line, col),
    );
    if (!found) return;
    const place = parseTarget(found.value);
    if (place && !samePlace({ ...place, col: 0 }, { ...from, col: 0 })) return this.open(place, from);
    this.#say(found.error || (place ? 'This is where it is defined.' : 'No definition of it is known here.'));
  }

  /** Lists where the name at a place is used. */
  async findUses(line: number, col: number): Promise<void> {
    this.uses = { isLoading: true, places: [], more: 0, texts: new Map() };
    const { path } = this.place;
    const found = await this.#asked(this.rpc.rpcExtract('LLMService.lsp_get_references', path, line, col));
    if (!found) return;
    const places = list(found.value).flatMap((raw) => parseTarget(raw) ?? []);
    const shown = places.slice(0, MOST_USES);
    const more = places.length - shown.length;
    this.uses = places.length ? { isLoading: false, places: shown, more, texts: new Map() } : null;
    this.#say(found.error || (places.length ? '' : 'No use of it is known.'));
    if (this.uses) await this.#readUses(this.uses);
  }

  /** The lines that the list shows, of the first files. */
  async #readUses(uses: Uses): Promise<void> {
    const paths = [...new Set(uses.places.map(({ path }) => path))].slice(0, MOST_READ);
    const texts = await Promise.all(
      paths.map(async (path): Promise<[string, string[]]> => {
        const content = await this.#read(path);
        return [path, content.kind === 'text' ? content.text.split('\n') : []];
      }),
    );
    if (this.uses !== uses) return;
    this.uses = { ...uses, texts: new Map(texts) };
    this.changed();
  }

  closeUses(): void {
    this.#questions += 1;
    this.uses = null;
    this.changed();
  }

  dispose(): void {
    this.#loads += 1;
    this.#questions += 1;
    this.#hovers += 1;
    this.#stopListening();
  }

  /** The answer, unless something else was asked for meanwhile. */
  async #asked(call: Promise<unknown>): Promise<{ value: unknown; error: string } | null> {
    this.#questions += 1;
    const mine = this.#questions;
    this.#say('');
    const found = await told(call);
    return mine === this.#questions ? found : null;
  }

  #say(note: string): void {
    this.note = note;
    this.changed();
  }

  #move(from: Stop[], to: Stop[]): void {
    const stop = from.pop();
    if (!stop) return;
    to.push({ place: this.place, tab: this.tab });
    this.#go(stop);
  }

  #go({ place, tab }: Stop): void {
    const isOther = place.path !== this.place.path || place.mapFor !== this.place.mapFor;
    this.#questions += 1;
    this.#isInsteadOfFile = false;
    this.place = place;
    this.tab = tab;
    this.note = '';
    if (isOther) {
      this.working = LOADING;
      this.head = LOADING;
      this.map = LOADING;
      this.#isHeadWanted = false;
      if (place.mapFor === undefined) void this.#load();
    }
    this.#findHeading();
    this.#loadFor(tab);
    this.changed();
  }

  /** Once there is a text, a heading that was asked for has a line. */
  #findHeading(): void {
    const { place, working } = this;
    if (!place.anchor || working.kind !== 'text') return;
    this.place = { path: place.path, line: headingLine(place.path, working.text, place.anchor), col: 0 };
  }

  #loadFor(tab: Tab): void {
    if (tab === 'map') void this.#loadMap();
    else if (tab !== 'file') void this.#loadHead();
  }

  /** The map changes with what is on disk, so it is asked for each time. */
  async #loadMap(): Promise<void> {
    const { path, mapFor } = this.place;
    const call: Promise<unknown> =
      mapFor === undefined
        ? this.rpc.rpcExtract('LLMService.get_file_map_block', path)
        : this.rpc.rpcExtract('LLMService.get_sent_map', mapFor);
    const { value, error } = await told(call);
    if (path !== this.place.path) return;
    const content = text(mapFor === undefined ? fields<FileMapBlock>(value).content : value);
    const message = error || (content ? '' : 'The next request has no map.');
    this.map = message ? { kind: 'refused', message } : cut(content);
    this.changed();
  }

  /** Reads the file, also when it has changed on disk; what was read before stays on show until then. */
  async #load(): Promise<void> {
    this.#loads += 1;
    const mine = this.#loads;
    const wantsHead = this.#isHeadWanted;
    const { path } = this.place;
    const [working, head] = await Promise.all([
      this.#read(path),
      wantsHead ? this.#read(path, 'HEAD') : null,
    ]);
    if (mine !== this.#loads) return;
    this.working = working;
    this.#findHeading();
    if (head) this.head = head;
    this.changed();
    // Of a deleted file there is the text that was committed.
    if (working.kind === 'missing') await this.#loadHead();
    if (mine === this.#loads) this.#followFile();
  }

  /** Of a deleted file the last commit is shown, until it is there again. */
  #followFile(): void {
    if (this.working.kind === 'missing' && this.head.kind === 'text') {
      if (this.tab === 'file') {
        this.show('head');
        this.#isInsteadOfFile = true;
      }
      this.#say('This file has been deleted; the last commit has this text.');
    } else if (this.#isInsteadOfFile && this.working.kind !== 'missing') this.show('file');
  }

  async #loadHead(): Promise<void> {
    if (this.#isHeadWanted) return;
    this.#isHeadWanted = true;
    const { path } = this.place;
    const head = await this.#read(path, 'HEAD');
    if (path !== this.place.path) return;
    this.head = head;
    this.changed();
  }

  async #read(path: string, version?: string): Promise<Content> {
    const args: [path: string, version?: string] = version === undefined ? [path] : [path, version];
    try {
      // One that can't be read as a notebook is text all the same.
      const cells = path.endsWith('.ipynb') ? await this.#readCells(args).catch(() => null) : null;
      return cells ?? cut(text(await this.rpc.rpcExtract('Repo.get_file_content', ...args)));
    } catch (error) {
      // Not by its class: the error comes from another bundle.
      if (fields<RpcError>(error).type === 'not_found') return { kind: 'missing' };
      return { kind: 'refused', message: error instanceof Error ? error.message : String(error) };
    }
  }

  async #readCells(args: [path: string, version?: string]): Promise<Content> {
    const cells = this.rpc.rpcExtract('Repo.get_notebook_text', ...args);
    const { value } = await told(this.rpc.rpcExtract('Repo.get_notebook_language', ...args));
    return cut(text(await cells), text(value));
  }
}

/** What there is room for, to the end of a line where one ends near. */
function cut(whole: string, language = ''): Content {
  if (whole.length <= MOST_CHARACTERS) return { kind: 'text', text: whole, whole: 0, language };
  const end = whole.lastIndexOf('\n', MOST_CHARACTERS) + 1;
  const shown = whole.slice(0, end > MOST_CHARACTERS / 2 ? end : MOST_CHARACTERS);
  return { kind: 'text', text: shown, whole: whole.length, language };
}
