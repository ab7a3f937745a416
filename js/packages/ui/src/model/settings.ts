/** What the settings dialog can show; the stores of its pages are made when they are first shown. */

import type { MethodName, Rpc } from '@jupyter-ac/link/rpc';

export type SettingsTab = 'form' | 'models' | 'keys' | 'config';

/** Store of a page of the settings. */
export interface SettingsPart {
  /** Loads again after a change on another page or on disk, if it was loaded before. */
  follow?(): Promise<void>;
  /** Runs `next` once nothing is unsaved. */
  leave?(next: () => void): void;
  /** The page was left. */
  left?(): void;
}

const NEEDS: Readonly<Record<SettingsTab, readonly MethodName[]>> = {
  form: ['Settings.get_schemas', 'Settings.get_config_content', 'Settings.save_config_content'],
  models: ['Settings.list_models', 'Settings.choose_model'],
  keys: ['Settings.list_models', 'Settings.choose_model', 'Settings.set_key'],
  config: ['Settings.get_config_content', 'Settings.save_config_content'],
};

export class Settings {
  readonly #parts = new Map<string, SettingsPart>();

  constructor(private readonly rpc: Rpc) {}

  /** Whether the server has what a tab needs. */
  offers(tab: SettingsTab): boolean {
    return NEEDS[tab].every((method) => this.rpc.offers(method));
  }

  /** The tabs that this server supports, in display order. */
  get tabs(): SettingsTab[] {
    const all: SettingsTab[] = ['form', 'models', 'keys', 'config'];
    return all.filter((tab) => this.offers(tab));
  }

  /** Tab that the settings open with; null if there is none. */
  get firstTab(): SettingsTab | null {
    return (['form', 'config'] as const).find((tab) => this.offers(tab)) ?? this.tabs[0] ?? null;
  }

  /** The store of a page; made at the first call. */
  part<Part extends SettingsPart>(name: string, make: (rpc: Rpc) => Part): Part {
    const part = (this.#parts.get(name) as Part | undefined) ?? make(this.rpc);
    this.#parts.set(name, part);
    return part;
  }

  /** Refreshes what was shown after a change on another page or on disk. */
  async refresh(): Promise<void> {
    await Promise.all([...this.#parts.values()].map((part) => part.follow?.()));
  }

  /** Runs `next` once there are no unsaved changes. */
  leave(next: () => void): void {
    const parts = [...this.#parts.values()];
    const done = () => {
      for (const part of parts) part.left?.();
      next();
    };
    parts.reduce((go, part) => (part.leave ? () => part.leave?.(go) : go), done)();
  }
}
