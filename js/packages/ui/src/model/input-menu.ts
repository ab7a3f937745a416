/** Store of the menu at the input: what `@` finds in the repository, and the commands after `/`. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import { t, tn } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { escapeInvisible, locationLabel } from './file-location.ts';
import type { FilesStore } from './files.ts';
import { PathRanking } from './path-ranking.ts';
import type { SelectionStore } from './selection.ts';
import type { Snippet, SnippetsStore } from './snippets.ts';
import { type Dispose, Store } from './store.ts';
import { parseSymbols } from './symbols.ts';
import { inSlices } from './time-slicing.ts';
import type { UrlsStore } from './urls.ts';

export type Scope = 'file' | 'folder' | 'symbol' | 'url' | 'var';

/** What is being typed that opens the menu, and where it stands in the text. */
export interface Trigger {
  readonly kind: '@' | '/';
  /** After `@file:` and the like; null for all. */
  readonly scope: Scope | null;
  readonly query: string;
  readonly start: number;
  readonly end: number;
}

export interface Command {
  readonly name: string;
  readonly description: string;
  /** Why it can't be used now; '' if it can. */
  readonly obstacle: string;
  run(): void;
}

export interface MenuItem {
  readonly kind: Scope | 'command' | 'snippet' | 'notebook' | 'kernel';
  readonly title: string;
  readonly detail: string;
  /** Why it can't be chosen; '' if it can. */
  readonly obstacle: string;
  /** The menu stays open when it is chosen. */
  readonly isKept?: boolean;
  /** Does what choosing it means, and returns the text that replaces the trigger. */
  choose(): string;
}

export interface InputMenuParts {
  readonly rpc: Rpc;
  readonly files: FilesStore;
  readonly selection: SelectionStore;
  readonly urls: UrlsStore;
  readonly snippets: SnippetsStore;
  /** The commands that the server offers. */
  commands(): readonly Command[];
  /** What the notebook beside the panel has; `renew` is called when there is more. */
  notebookItems(trigger: Trigger, renew: () => void): readonly MenuItem[];
}

const MENTION = /(?:^|\s)@(?:(file|folder|symbol|url|var):)?([^\s@]{0,200})$/;
const COMMAND = /^\/([\p{L}-]{0,30})$/u;
const MAX_EACH: Readonly<Record<Scope, number>> = { file: 8, folder: 3, symbol: 6, url: 4, var: 0 };
/** With a scope there is room for more. */
const MAX_SCOPED = 12;
/** A folder with more files is ticked in the picker, where the number is seen. */
const MAX_FOLDER_FILES = 50;
/** Shorter queries would find nearly every symbol. */
const MIN_SYMBOL_QUERY = 2;

/** The trigger that ends at the cursor; null for none. A text that begins with `/` and goes on is no command. */
export function triggerAt(text: string, cursor: number): Trigger | null {
  if (cursor < 0) return null;
  const before = text.slice(Math.max(0, cursor - 220), cursor);
  const command = cursor === text.length ? COMMAND.exec(text) : null;
  if (command) return { kind: '/', scope: null, query: command[1] ?? '', start: 0, end: cursor };
  const mention = MENTION.exec(before);
  if (!mention || /^\S/.test(text.slice(cursor))) return null;
  const [whole, scope, query = ''] = mention;
  const start = cursor - whole.trimStart().length;
  return { kind: '@', scope: (scope as Scope | undefined) ?? null, query, start, end: cursor };
}

export class InputMenuStore extends Store {
  items: readonly MenuItem[] = [];
  active = 0;
  #trigger: Trigger | null = null;
  /** The start of a trigger that was closed: it stays closed while it is typed on. */
  #closedAt = -1;
  #asked = 0;
  #symbols: readonly MenuItem[] = [];
  /** Ends the search of the paths. */
  #stop: Dispose = () => {};

  constructor(private readonly parts: InputMenuParts) {
    super();
    // What was typed before the list of files was there is searched when it comes.
    let wasLoaded = parts.files.isLoaded;
    parts.files.subscribe(() => {
      if (parts.files.isLoaded && !wasLoaded && this.#trigger) this.#find(this.#trigger);
      wasLoaded = parts.files.isLoaded;
    });
  }

  get isOpen(): boolean {
    return this.items.length > 0;
  }

  get trigger(): Trigger | null {
    return this.#trigger;
  }

  /** Call it after each change of the text or the cursor. */
  update(text: string, cursor: number): void {
    const found = triggerAt(text, cursor);
    if (found?.start !== this.#closedAt) this.#closedAt = -1;
    const trigger = this.#closedAt >= 0 ? null : found;
    if (trigger && this.#trigger && isSame(trigger, this.#trigger)) return;
    if (!trigger && !this.#trigger) return;
    this.#trigger = trigger;
    this.active = 0;
    this.#asked += 1;
    this.#stop();
    this.#symbols = [];
    this.items = [];
    if (trigger) this.#find(trigger);
    if (trigger?.kind === '@' && (trigger.scope ?? 'symbol') === 'symbol') void this.#findSymbols(trigger);
    this.changed();
  }

  move(by: number): void {
    const count = this.items.length;
    this.active = (this.active + by + count) % count;
    this.changed();
  }

  close(): void {
    this.#closedAt = this.#trigger?.start ?? -1;
    this.#trigger = null;
    this.#asked += 1;
    this.#stop();
    this.items = [];
    this.changed();
  }

  #find(trigger: Trigger): void {
    const { kind, scope, query } = trigger;
    if (kind === '/') {
      this.items = this.#commands(query);
      return;
    }
    this.#stop();
    const nearby = this.parts.notebookItems(trigger, () => {
      if (trigger === this.#trigger) this.#find(trigger);
    });
    const wants = (one: Scope) => scope === null || scope === one;
    const addresses = wants('url') ? this.#addresses(query, mostOf(scope, 'url')) : [];
    const paths = new PathRanking(query, mostOf(scope, 'file'));
    const folders = new Set<string>();
    // The first slice runs at once: in most repositories there is no other one.
    this.#stop = inSlices(
      this.parts.files.tree.files.keys(),
      (path) => {
        if (wants('file')) paths.add(path);
        if (wants('folder')) addFolders(folders, path);
      },
      () => {
        const found = query || scope ? best(folders, query, mostOf(scope, 'folder')) : [];
        this.items = [
          ...nearby,
          ...paths.best.map((path) => this.#file(path)),
          ...found.map((path) => this.#folder(path)),
          ...addresses,
          ...this.#symbols,
        ];
        this.changed();
      },
    );
  }

  #file(path: string): MenuItem {
    const { selection, files } = this.parts;
    const isSendable = files.tree.files.get(path)?.isSendable === true;
    return {
      kind: 'file',
      title: escapeInvisible(path),
      detail: selection.has(path) ? 'ticked' : t('tick this file'),
      obstacle: isSendable ? '' : t('This file can not be sent.'),
      choose: () => {
        selection.mark([path], true);
        return asCode(path);
      },
    };
  }

  #folder(path: string): MenuItem {
    const inside = [...this.parts.files.tree.files].flatMap(([name, file]) =>
      name.startsWith(`${path}/`) && file.isSendable ? [name] : [],
    );
    return {
      kind: 'folder',
      title: `${escapeInvisible(path)}/`,
      detail: tn('tick %1 file', 'tick %1 files', inside.length),
      obstacle: inside.length > MAX_FOLDER_FILES ? t('Tick so many files in the list of files.') : '',
      choose: () => {
        this.parts.selection.mark(inside, true);
        return asCode(`${path}/`);
      },
    };
  }

  #addresses(query: string, most: number): MenuItem[] {
    const wanted = query.toLowerCase();
    const chips = this.parts.urls.chips.filter(({ url, title }) =>
      `${url} ${title}`.toLowerCase().includes(wanted),
    );
    return chips.slice(0, most).map(({ url, name, title, state, isIncluded }) => ({
      kind: 'url',
      title: title || name,
      detail: state === 'ready' ? (isIncluded ? 'included' : t('include this page')) : t('fetch this page'),
      obstacle: state === 'fetching' ? t('It is being fetched.') : '',
      choose: () => {
        if (state === 'ready') this.parts.urls.include(url, true);
        else void this.parts.urls.fetch(url);
        return `${url} `;
      },
    }));
  }

  #commands(query: string): MenuItem[] {
    const wanted = query.toLowerCase();
    const commands = this.parts
      .commands()
      .filter(({ name }) => name.startsWith(wanted))
      .map(
        ({ name, description, obstacle, run }): MenuItem => ({
          kind: 'command',
          title: `/${name}`,
          detail: description,
          obstacle,
          choose: () => {
            run();
            return '';
          },
        }),
      );
    const matches = ({ tooltip, message }: Snippet) =>
      `${tooltip} ${message}`
        .toLowerCase()
        .split(/\s+/)
        .some((word) => word.startsWith(wanted));
    const snippets = this.parts.snippets.snippets.filter(matches).map(
      ({ icon, tooltip, message }): MenuItem => ({
        kind: 'snippet',
        title: `${icon} ${tooltip || message}`,
        detail: t('insert this text'),
        obstacle: '',
        choose: () => message,
      }),
    );
    return [...commands, ...snippets];
  }

  /** Adds symbols when the server has found them. */
  async #findSymbols({ query, scope }: Trigger): Promise<void> {
    const { rpc, selection } = this.parts;
    if (query.length < MIN_SYMBOL_QUERY || !rpc.offers('LLMService.search_symbols')) return;
    const mine = this.#asked;
    const most = mostOf(scope, 'symbol');
    const { value, error } = await toResult(rpc.rpcExtract('LLMService.search_symbols', query, most));
    if (error || mine !== this.#asked) return;
    const symbols = parseSymbols(value).map(({ name, container, location }): MenuItem => {
      const whole = `${container ? `${container}.` : ''}${name}`;
      return {
        kind: 'symbol',
        title: whole,
        detail: locationLabel(location),
        obstacle: '',
        choose: () => {
          selection.mark([location.path], true);
          return asCode(whole);
        },
      };
    });
    this.#symbols = symbols.slice(0, most);
    this.items = [...this.items, ...this.#symbols];
    this.changed();
  }
}

function mostOf(scope: Scope | null, kind: Scope): number {
  return scope === null ? MAX_EACH[kind] : MAX_SCOPED;
}

function addFolders(folders: Set<string>, path: string): void {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    const folder = path.slice(0, end);
    if (folders.has(folder)) return;
    folders.add(folder);
  }
}

function best(paths: Iterable<string>, query: string, most: number): readonly string[] {
  const ranking = new PathRanking(query, most);
  for (const path of paths) ranking.add(path);
  return ranking.best;
}

function asCode(name: string): string {
  return name.includes('`') ? `${name} ` : `\`${name}\` `;
}

function isSame(one: Trigger, other: Trigger): boolean {
  return (
    one.kind === other.kind && one.start === other.start && one.end === other.end && one.query === other.query
  );
}
