/** Store of the file viewer: location, versions of the file, definitions and references. */

import type { FileMapBlock, Rpc } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { type Content, cut, LOADING, NOTHING, readContent } from './file-content.ts';
import { type FileLocation, isSameLocation, parseLspLocation } from './file-location.ts';
import { headingLine } from './headings.ts';
import type { ReviewStore } from './review.ts';
import type { ReviewedFile } from './review-changes.ts';
import { type Dispose, Store } from './store.ts';
import { fields, list, strings, text } from './wire.ts';

/** The file on disk, its diffs by the review and to the last commit, the committed file, its part of the map. */
export type Tab = 'file' | 'review' | 'diff' | 'head' | 'map';

export interface References {
  readonly isLoading: boolean;
  readonly locations: readonly FileLocation[];
  /** Number of further ones. */
  readonly more: number;
  /** Lines of the files that they are in, as far as they have been loaded. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
}

/** A file before and after the changes of the review. */
export interface ReviewedVersions {
  readonly path: string;
  /** `missing` for a new file. */
  readonly before: Content;
  /** `missing` for a deleted file. */
  readonly after: Content;
}

interface HistoryEntry {
  readonly location: FileLocation;
  readonly tab: Tab;
}

const MAX_REFERENCES = 300;
/** Number of files whose lines are shown in the list of references. */
const MAX_FILES_READ = 12;
const MAX_HISTORY = 100;

export class ViewerStore extends Store {
  location: FileLocation = { path: '', line: 0, col: 0 };
  tab: Tab = 'file';
  working: Content = LOADING;
  head: Content = LOADING;
  map: Content = LOADING;
  versions: ReviewedVersions = { path: '', before: LOADING, after: LOADING };
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

  constructor(
    private readonly rpc: Rpc,
    private readonly review: ReviewStore,
  ) {
    super();
    const stops = [
      rpc.on('filesModified', (paths) => {
        if (strings(paths).includes(this.location.path)) void this.#load();
      }),
      review.subscribe(() => this.#onReviewChanged()),
    ];
    this.#stopListening = () => {
      for (const stop of stops) stop();
    };
  }

  /** The changed file of the review that is shown; undefined when the review doesn't change it. */
  get reviewedFile(): ReviewedFile | undefined {
    return this.review.file(this.location.path);
  }

  /** Goes to the next (1) or previous (-1) changed file of the review. */
  moveToFile(direction: 1 | -1): void {
    const { changes } = this.review;
    const at = changes.findIndex(({ path }) => path === this.location.path);
    const next = changes[at + direction];
    if (at >= 0 && next) this.open({ path: next.path, line: 0, col: 0, isReview: true });
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
    if (this.tab === 'review') return this.#reviewed;
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
    const tab = location.isReview ? 'review' : location.isDiff ? 'diff' : 'file';
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
      found.error || (location ? t('This is where it is defined.') : t('No definition of it is known here.')),
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
    this.#setNote(found.error || (locations.length ? '' : t('No use of it is known.')));
    if (this.references) await this.#readReferences(this.references);
  }

  /** Loads the lines shown in the list, for the first files. */
  async #readReferences(uses: References): Promise<void> {
    const paths = [...new Set(uses.locations.map(({ path }) => path))].slice(0, MAX_FILES_READ);
    const texts = await Promise.all(
      paths.map(async (path): Promise<[string, string[]]> => {
        const content = await readContent(this.rpc, path);
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

  /** Shows one sentence above the text. */
  say(sentence: string): void {
    this.#setNote(sentence);
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
    else if (tab === 'review') void this.#loadReview();
    else if (tab !== 'file') void this.#loadHead();
  }

  /** What the review's tab shows; a deleted file has an empty newer side. */
  get #reviewed(): Content {
    const { before, after } = this.versions;
    if (before.kind === 'loading' || after.kind === 'loading') return LOADING;
    if (before.kind === 'refused') return before;
    return after.kind === 'missing' && before.kind === 'text' ? NOTHING : after;
  }

  /** Reads the file before and after the changes of the review. */
  async #loadReview(): Promise<void> {
    const { open } = this.review;
    const file = this.reviewedFile;
    if (!open || !file || this.versions.path === file.path) return;
    this.versions = { path: file.path, before: LOADING, after: LOADING };
    const [before, after] = await Promise.all([
      readContent(this.rpc, file.oldPath || file.path, open.parent),
      readContent(this.rpc, file.path, open.tip),
    ]);
    if (this.versions.path !== file.path || this.review.open?.tip !== open.tip) return;
    this.versions = { path: file.path, before, after };
    this.changed();
  }

  /** The files of a review became known, or it ended: its tab isn't shown any more then. */
  #onReviewChanged(): void {
    if (!this.review.open) this.versions = { path: '', before: LOADING, after: LOADING };
    if (!this.review.open && this.tab === 'review') this.show('file');
    else if (this.tab === 'review') this.#loadFor('review');
    this.changed();
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
    const message = error || (content ? '' : t('The next request has no map.'));
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
      readContent(this.rpc, path),
      wantsHead ? readContent(this.rpc, path, 'HEAD') : null,
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
      this.#setNote(t('This file has been deleted; the last commit has this text.'));
    } else if (this.#isHeadFallback && this.working.kind !== 'missing') this.show('file');
  }

  async #loadHead(): Promise<void> {
    if (this.#isHeadWanted) return;
    this.#isHeadWanted = true;
    const { path } = this.location;
    const head = await readContent(this.rpc, path, 'HEAD');
    if (path !== this.location.path) return;
    this.head = head;
    this.changed();
  }
}
