/** Store of the settings form: the settings of the files with a schema, each saved on its own. */

import type {
  ConfigInfo,
  Rpc,
  SettingsRefusal,
  SettingsSaved,
  SettingsToConfirm,
} from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { toResult } from './call-result.ts';
import { isSameValue, parseSettings, type Setting, settingKey } from './settings-schema.ts';
import { valueAt, withValue } from './settings-text.ts';
import { Store } from './store.ts';
import { fields, strings, text } from './wire.ts';

/** Headings of settings at the top level of their file. */
const SECTIONS: Readonly<Record<string, string>> = { litellm: t('Requests to models') };

/** State of one setting. */
export interface SettingState {
  readonly setting: Setting;
  readonly key: string;
  /** As the file has it, or the default. */
  readonly value: unknown;
  /** Whether the file has another value than the default. */
  readonly isChanged: boolean;
  readonly isLocked: boolean;
}

export interface SettingsSection {
  readonly title: string;
  readonly rows: readonly SettingState[];
}

interface File {
  readonly content: string;
  /** null for a text that is not JSON. */
  readonly values: unknown;
}

const NO_FILE: File = { content: '', values: {} };

/** A change that waits for the user's consent. */
export interface PendingChange {
  readonly key: string;
  readonly changes: readonly string[];
}

export class SettingsFormStore extends Store {
  query = '';
  onlyChanged = false;
  isLoaded = false;
  /** Why the settings could not be loaded. */
  error = '';
  /** Sentences on values in the files that are not in force. */
  warnings: readonly string[] = [];
  /** Key of the setting that is being saved; '' for none. */
  saving = '';
  pending: PendingChange | null = null;
  /** Result of the last change of a setting: its key and sentences. */
  result: { readonly key: string; readonly sentences: readonly string[] } | null = null;
  #settings: readonly Setting[] = [];
  #files: Readonly<Record<string, File>> = {};
  #locked: readonly string[] = [];
  readonly #problems = new Map<string, string>();
  /** Values that were entered and are not saved, by key. */
  readonly #drafts = new Map<string, unknown>();
  #asked = 0;

  constructor(private readonly rpc: Rpc) {
    super();
  }

  /** Types of files whose text is broken, so that they can only be edited as text. */
  get broken(): string[] {
    return Object.keys(this.#files).filter((type) => this.#files[type]?.values === null);
  }

  get count(): number {
    return this.#settings.length;
  }

  get changedCount(): number {
    return this.#settings.filter((setting) => this.#state(setting).isChanged).length;
  }

  /** The settings that match the search, by section. */
  get sections(): SettingsSection[] {
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    const found = new Map<string, SettingState[]>();
    for (const setting of this.#settings) {
      const state = this.#state(setting);
      if (this.onlyChanged && !state.isChanged) continue;
      const title = sectionOf(setting);
      const { schema } = setting;
      const letters = [title, schema.title, schema.description, state.key].join(' ').toLowerCase();
      if (!words.every((word) => letters.includes(word))) continue;
      found.set(title, [...(found.get(title) ?? []), state]);
    }
    return [...found].map(([title, rows]) => ({ title, rows }));
  }

  problem(key: string): string {
    return this.#problems.get(key) ?? '';
  }

  hasDraft(key: string): boolean {
    return this.#drafts.has(key);
  }

  /** The value that the form shows: what was entered, else what the file has. */
  shown({ key, value }: Pick<SettingState, 'key' | 'value'>): unknown {
    return this.#drafts.has(key) ? this.#drafts.get(key) : value;
  }

  search(query: string): void {
    this.query = query;
    this.changed();
  }

  showOnlyChanged(on: boolean): void {
    this.onlyChanged = on;
    this.changed();
  }

  async load(): Promise<void> {
    this.#asked += 1;
    const mine = this.#asked;
    const [schemas, info] = await Promise.all([
      toResult(this.rpc.rpcExtract('Settings.get_schemas')),
      toResult(this.rpc.rpcExtract('Settings.get_config_info')),
    ]);
    const found = fields(fields(schemas.value).schemas);
    const { locked, unwritten, notices } = fields<ConfigInfo>(info.value);
    const contents = await Promise.all(
      Object.keys(found).map((type) => this.#read(type, strings(unwritten).includes(type))),
    );
    if (mine !== this.#asked) return;
    this.error = [schemas, info, ...contents].find(({ error }) => error)?.error ?? '';
    this.isLoaded = !schemas.error;
    this.#settings = Object.entries(found).flatMap(([type, schema]) => parseSettings(type, schema));
    this.#files = Object.fromEntries(contents.map(({ type, file }) => [type, file]));
    this.#locked = strings(locked);
    this.warnings = strings(notices);
    this.changed();
  }

  async follow(): Promise<void> {
    if (this.isLoaded && !this.saving) await this.load();
  }

  /** Keeps an entered value until it is saved. */
  draft(key: string, value: unknown): void {
    this.#drafts.set(key, value);
    this.#forget(key);
    this.changed();
  }

  /** Forgets an entered value, and the question about it. */
  discard(key: string): void {
    this.#drafts.delete(key);
    this.#forget(key);
    this.changed();
  }

  /** Forgets entered values that may contain keys. */
  discardSecrets(): void {
    for (const setting of this.#settings) if (setting.schema.isSecret) this.discard(settingKey(setting));
  }

  /** Takes the value out of the file, so that the default applies. */
  async reset(setting: Setting): Promise<void> {
    await this.set(setting, setting.schema.default);
  }

  /**
   * Saves one value; the default is taken out of the file instead.
   *
   * @param isConfirmed the user has agreed to what `pending` says
   */
  async set(setting: Setting, value: unknown, isConfirmed = false): Promise<void> {
    if (this.saving) return;
    const key = settingKey(setting);
    this.#drafts.set(key, value);
    this.#forget(key);
    this.saving = key;
    this.changed();
    const problem = await this.#save(setting, value, isConfirmed);
    this.saving = '';
    if (problem) this.#problems.set(key, problem);
    this.changed();
  }

  async #save(setting: Setting, value: unknown, isConfirmed: boolean): Promise<string> {
    const { type, schema } = setting;
    const key = settingKey(setting);
    // The file may have changed since it was shown.
    const [read, info] = await Promise.all([
      toResult(this.rpc.rpcExtract('Settings.get_config_content', type)),
      toResult(this.rpc.rpcExtract('Settings.get_config_info')),
    ]);
    if (read.error || info.error) return read.error || info.error;
    const isUnwritten = strings(fields<ConfigInfo>(info.value).unwritten).includes(type);
    const content = changedText(isUnwritten ? '' : text(read.value), setting, value);
    if (content === null)
      return t('This file says it in a way that only its text can change: edit it as text.');
    const { value: answer, error } = await toResult(
      this.rpc.rpcExtract('Settings.save_config_content', type, content, isConfirmed),
    );
    if (error) return error;
    const saved = fields<SettingsSaved | SettingsToConfirm | SettingsRefusal>(answer);
    if (saved.status === 'confirm') {
      this.pending = { key, changes: strings(saved.changes) };
      return '';
    }
    this.#drafts.delete(key);
    const isDefault = isSameValue(value, schema.default);
    this.result = { key, sentences: [isDefault ? t('Reset.') : t('Saved.'), ...strings(saved.notices)] };
    await this.load();
    return '';
  }

  async #read(type: string, isUnwritten: boolean): Promise<{ type: string; file: File; error: string }> {
    if (isUnwritten) return { type, file: NO_FILE, error: '' };
    const { value, error } = await toResult(this.rpc.rpcExtract('Settings.get_config_content', type));
    const content = text(value);
    return { type, file: { content, values: error ? null : parsed(content) }, error };
  }

  #state(setting: Setting): SettingState {
    const { type, path, alias, schema } = setting;
    const key = settingKey(setting);
    const values = this.#files[type]?.values;
    const written = valueAt(values, path) ?? (alias ? valueAt(values, alias) : undefined);
    return {
      setting,
      key,
      value: written ?? schema.default,
      isChanged: written !== undefined && !isSameValue(written, schema.default),
      isLocked: this.#isLocked(type, path),
    };
  }

  #isLocked(type: string, path: readonly string[]): boolean {
    const names = [type, ...path].map((_, index) => [type, ...path].slice(0, index + 1).join('.'));
    return names.some((name) => this.#locked.includes(name)) || this.#files[type]?.values === null;
  }

  #forget(key: string): void {
    this.#problems.delete(key);
    if (this.pending?.key === key) this.pending = null;
    this.result = null;
  }
}

function sectionOf({ section, type, schema, path }: Setting): string {
  if (section) return section;
  return type === 'app' && path.length === 1 ? schema.title : (SECTIONS[type] ?? type);
}

function changedText(content: string, { path, alias, schema }: Setting, value: unknown): string | null {
  const isDefault = isSameValue(value, schema.default);
  try {
    const hasAlias = alias !== null && valueAt(JSON.parse(content || '{}'), alias) !== undefined;
    const plain = hasAlias ? withValue(content, alias, undefined) : content;
    return plain === null ? null : withValue(plain, path, isDefault ? undefined : value);
  } catch {
    return null;
  }
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content.trim() || '{}');
  } catch {
    return null;
  }
}
