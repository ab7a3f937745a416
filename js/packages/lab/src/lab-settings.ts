/** Settings of the extension in JupyterLab's settings editor; those of the panel itself are kept by its server. */

import type { ISettingRegistry, RawSettings } from '@jupyterlab/settingregistry';

export const SETTINGS_ID = 'jupyter-ac:panel';

export interface SettingValues {
  /** Side bar that the panel is in. */
  readonly side: 'left' | 'right';
  readonly statusBar: boolean;
  readonly notifications: boolean;
  /** Work that takes less time ends without a notification. */
  readonly notificationSeconds: number;
  /** Where a link to a file opens. */
  readonly fileLinks: 'editor' | 'viewer';
  /** Where the viewer of files and differences opens. */
  readonly viewer: 'tab' | 'panel';
  /** Show the repository of the active document. */
  readonly followDocument: boolean;
}

export type SettingName = keyof SettingValues;

export const DEFAULTS: SettingValues = {
  side: 'right',
  statusBar: true,
  notifications: true,
  notificationSeconds: 10,
  fileLinks: 'editor',
  viewer: 'tab',
  followDocument: true,
};

const CHOICES: Readonly<Partial<Record<SettingName, readonly unknown[]>>> = {
  side: ['left', 'right'],
  fileLinks: ['editor', 'viewer'],
  viewer: ['tab', 'panel'],
};

export class LabSettings {
  #raw: RawSettings | null = null;
  readonly #listeners = new Set<() => void>();

  /** Loads the settings; resolves without them, to the defaults, where they are missing. */
  async load(registry: ISettingRegistry | null): Promise<void> {
    // It rejects where an administrator has left the schema out.
    this.#raw = (await registry?.load(SETTINGS_ID).catch(() => null)) ?? null;
    if (!this.#raw) return;
    this.#raw.changed.connect(() => this.#notify());
    this.#notify();
  }

  get values(): SettingValues {
    const given = this.#raw?.composite ?? {};
    const names = Object.keys(DEFAULTS) as SettingName[];
    const valid = names.filter((name) => isValid(name, given[name]));
    return { ...DEFAULTS, ...Object.fromEntries(valid.map((name) => [name, given[name]])) };
  }

  /** Whether settings can be changed and kept. */
  get canSet(): boolean {
    return this.#raw !== null;
  }

  async set<Name extends SettingName>(name: Name, value: SettingValues[Name]): Promise<void> {
    await this.#raw?.set(name, value);
  }

  /** Calls the listener when the settings are loaded, and after each change. */
  subscribe(listener: () => void): void {
    this.#listeners.add(listener);
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function isValid(name: SettingName, value: unknown): boolean {
  const choices = CHOICES[name];
  return choices ? choices.includes(value) : typeof value === typeof DEFAULTS[name];
}
