/** Store of the settings-file editor: one file at a time, saved once the server has validated it. */

import type {
  ConfigInfo,
  Rpc,
  SettingsRefusal,
  SettingsReloaded,
  SettingsSaved,
  SettingsToConfirm,
} from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { Store } from './store.ts';
import { fields, numberOrNull, strings, text } from './wire.ts';

export interface Problem {
  readonly message: string;
  /** From 1; null when it isn't about one line. */
  readonly line: number | null;
}

/** Types of settings in display order, each with its file and purpose. */
const KNOWN: readonly (readonly [type: string, file: string, purpose: string])[] = [
  ['litellm', 'llm.json', t('Model, provider, keys')],
  ['app', 'app.json', t('Edits, history, caches')],
  ['snippets', 'snippets.json', t('Texts for the input')],
  ['system', 'system.md', t('Instructions for the model')],
  ['system_extra', 'system_extra.md', t('Added to the instructions')],
  ['system_doc', 'system_doc.md', t('Instructions for documents')],
  ['compaction', 'compaction.md', t('How history is summed up')],
  ['review', 'review.md', t('Instructions for reviews')],
  ['commit', 'commit.md', t('How commit messages are written')],
];

export interface SettingsFile {
  readonly type: string;
  readonly file: string;
  readonly purpose: string;
}

export class ConfigStore extends Store {
  files: readonly SettingsFile[] = [];
  /** Settings that the administrator has locked: `type` or `type.key`. */
  locked: readonly string[] = [];
  /** Types that have no file yet. */
  #unwritten: readonly string[] = [];
  /** Folder that contains the files. */
  folder = '';
  /** Whether the server stores keys in the system's keyring. */
  hasKeyring = false;
  type = '';
  text = '';
  isLoading = false;
  isSaving = false;
  problem: Problem | null = null;
  /** Changes that the server wants confirmed before it saves. */
  changes: readonly string[] = [];
  /** Sentences on values in the files that are ignored, and why. */
  warnings: readonly string[] = [];
  /** Result of the last save, and the server's remarks on it. */
  notices: readonly string[] = [];
  /** Continuation that waits until the unsaved changes are discarded; null for none. */
  #next: (() => void) | null = null;
  #saved = '';
  #asked = 0;

  constructor(private readonly rpc: Rpc) {
    super();
  }

  get isDirty(): boolean {
    return this.text !== this.#saved;
  }

  get isLeaving(): boolean {
    return this.#next !== null;
  }

  get isLocked(): boolean {
    return this.locked.includes(this.type);
  }

  /** Whether the text is the default, and no file exists. */
  get isDefault(): boolean {
    return this.#unwritten.includes(this.type) && !this.isDirty && this.text !== '';
  }

  /** Names of the locked settings in the open file. */
  get lockedKeys(): string[] {
    const head = `${this.type}.`;
    return this.locked.flatMap((name) => (name.startsWith(head) ? name.slice(head.length) : []));
  }

  get file(): string {
    return this.files.find(({ type }) => type === this.type)?.file ?? this.type;
  }

  /** Loads the list of files, and the one that was open last. */
  async load(): Promise<void> {
    this.isLoading = true;
    const error = await this.loadInfo();
    await this.#read(this.type || (this.files[0]?.type ?? ''));
    if (error) this.problem = { message: error, line: null };
  }

  /** Fetches the types of settings and their folder; returns the error, '' on success. */
  async loadInfo(): Promise<string> {
    const { value, error } = await toResult(this.rpc.rpcExtract('Settings.get_config_info'));
    const info = fields<ConfigInfo>(value);
    const types = strings(info.types);
    const order = KNOWN.filter(([type]) => types.length === 0 || types.includes(type));
    const others = types.filter((type) => !KNOWN.some(([known]) => known === type));
    this.files = [
      ...order.map(([type, file, purpose]) => ({ type, file, purpose })),
      ...others.map((type) => ({ type, file: type, purpose: '' })),
    ];
    this.locked = strings(info.locked);
    this.#unwritten = strings(info.unwritten);
    this.folder = text(info.config_dir);
    this.hasKeyring = info.keyring === true;
    this.warnings = strings(info.notices);
    this.changed();
    return error;
  }

  /** Opens another file; asks first when there are unsaved changes. */
  open(type: string): void {
    if (type !== this.type) this.leave(() => void this.#read(type));
  }

  edit(content: string): void {
    this.text = content;
    this.changes = [];
    this.notices = [];
    this.changed();
  }

  /** Saves. A change that sends keys or code to another address needs `isConfirmed`. */
  async save(isConfirmed = false): Promise<void> {
    if (this.isSaving || this.isLoading || this.isLocked) return;
    const { type, text: content } = this;
    this.isSaving = true;
    this.changed();
    const { value, error } = await toResult(
      this.rpc.rpcExtract('Settings.save_config_content', type, content, isConfirmed),
    );
    this.isSaving = false;
    if (type !== this.type) return;
    const answer = fields<SettingsSaved | SettingsToConfirm | SettingsRefusal>(value);
    this.changes = !error && answer.status === 'confirm' ? strings(answer.changes) : [];
    this.problem = error ? { message: error, line: numberOrNull(answer.line) } : null;
    this.changed();
    if (error || answer.status === 'confirm') return;
    this.#saved = content;
    const hasNewer = this.text !== content;
    const notices = [t('Saved.'), ...strings(answer.notices)];
    // The saved text may come back changed: keys are masked.
    if (!hasNewer) await Promise.all([this.#read(type), this.loadInfo()]);
    this.notices = notices;
    this.changed();
  }

  /** Reads the file from disk again; asks first when there are unsaved changes. */
  reload(): void {
    if (!this.isLoading) this.leave(() => void this.#reread());
  }

  /** Reads the file again after a change elsewhere; does nothing while there are unsaved changes. */
  async follow(): Promise<void> {
    if (!this.type || this.isDirty || this.isSaving || this.isLoading) return;
    const { notices, text: before } = this;
    await Promise.all([this.#read(this.type), this.loadInfo()]);
    // This also runs after our own save: its notices stay.
    if (this.text === before) this.notices = notices;
    this.changed();
  }

  /** Runs `next` at once, or when the user has discarded the unsaved changes. */
  leave(next: () => void): void {
    if (this.isDirty) this.#next = next;
    else next();
    this.changed();
  }

  stay(): void {
    this.#next = null;
    this.changes = [];
    this.changed();
  }

  discard(): void {
    const next = this.#next;
    this.#next = null;
    this.text = this.#saved;
    this.problem = null;
    this.changes = [];
    this.changed();
    next?.();
  }

  async #reread(): Promise<void> {
    const method = this.type === 'litellm' ? 'Settings.reload_llm_config' : 'Settings.reload_app_config';
    const { value, error } = this.rpc.offers(method) ? await toResult(this.rpc.rpcExtract(method)) : NOTHING;
    await this.#read(this.type);
    const answer = fields<SettingsReloaded | SettingsRefusal>(value);
    if (error) this.problem = { message: error, line: numberOrNull(answer.line) };
    else this.notices = [t('Read from disk.'), ...strings(answer.notices)];
    this.changed();
  }

  async #read(type: string): Promise<void> {
    this.#asked += 1;
    const mine = this.#asked;
    const isOther = type !== this.type;
    this.type = type;
    this.isLoading = true;
    if (isOther) this.#show('');
    this.changed();
    const { value, error } = await toResult(this.rpc.rpcExtract('Settings.get_config_content', type));
    if (mine !== this.#asked) return;
    this.isLoading = false;
    this.#show(text(value));
    if (error) this.problem = { message: error, line: null };
    this.changed();
  }

  #show(content: string): void {
    this.#saved = content;
    this.text = content;
    this.problem = null;
    this.changes = [];
    this.notices = [];
  }
}

const NOTHING = { value: null, error: '' } as const;

/** Offsets of a line's start and end; the line counts from 1 and is clamped to the text. */
export function lineRange(content: string, line: number): [start: number, end: number] {
  const lines = content.split('\n');
  const index = Math.min(Math.max(1, line), lines.length) - 1;
  const start = lines.slice(0, index).reduce((sum, text) => sum + text.length + 1, 0);
  return [start, start + (lines[index]?.length ?? 0)];
}
