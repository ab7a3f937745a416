/** The stores of the settings dialog. */

import type { Rpc } from '@jupyter-ac/link/rpc';
import { ApiKeysStore } from './api-keys.ts';
import { ConfigStore } from './config.ts';
import { ModelsStore } from './models.ts';

export type SettingsTab = 'models' | 'keys' | 'config';

export class Settings {
  readonly models: ModelsStore;
  readonly keys: ApiKeysStore;
  readonly config: ConfigStore;

  constructor(rpc: Rpc) {
    this.models = new ModelsStore(rpc);
    this.keys = new ApiKeysStore(rpc, this.models);
    this.config = new ConfigStore(rpc);
  }

  /** The tabs that this server supports, in display order. */
  get tabs(): SettingsTab[] {
    const all: SettingsTab[] = ['models', 'keys', 'config'];
    return all.filter((tab) => this[tab].isOffered);
  }

  /** Refreshes after a change on another page or on disk. */
  async refresh(): Promise<void> {
    await Promise.all([this.models.refreshIfLoaded(), this.config.refreshIfClean()]);
  }

  /** Runs `next` once there are no unsaved changes. */
  leave(next: () => void): void {
    this.config.leave(() => {
      this.keys.cancel();
      this.models.reset();
      next();
    });
  }
}
