/** What the settings overlay works on. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import { ConfigStore } from './config.ts';
import { KeysStore } from './keys.ts';
import { ModelsStore } from './models.ts';

export type SettingsTab = 'models' | 'keys' | 'config';

export class Settings {
  readonly models: ModelsStore;
  readonly keys: KeysStore;
  readonly config: ConfigStore;

  constructor(rpc: Rpc) {
    this.models = new ModelsStore(rpc);
    this.keys = new KeysStore(rpc, this.models);
    this.config = new ConfigStore(rpc);
  }

  /** What this server lets a page see and change, in the order of the tabs. */
  get tabs(): SettingsTab[] {
    const all: SettingsTab[] = ['models', 'keys', 'config'];
    return all.filter((tab) => this[tab].isOffered);
  }

  /** Another page, or a file on disk, has changed something. */
  async renew(): Promise<void> {
    await Promise.all([this.models.renew(), this.config.renew()]);
  }

  /** Runs `next` once nothing is left unsaved. */
  leave(next: () => void): void {
    this.config.leave(() => {
      this.keys.cancel();
      this.models.forget();
      next();
    });
  }
}
