/** The stores of the settings dialog. */

import { ApiKeysStore } from './api-keys.ts';
import { ConfigStore } from './config.ts';
import { EndpointStore } from './endpoint.ts';
import { ModelsStore } from './models.ts';
import type { Settings } from './settings.ts';
import { SettingsFormStore } from './settings-form.ts';

export function formOf(settings: Settings): SettingsFormStore {
  return settings.part('form', (rpc) => new SettingsFormStore(rpc));
}

export function modelsOf(settings: Settings): ModelsStore {
  return settings.part('models', (rpc) => new ModelsStore(rpc));
}

export function keysOf(settings: Settings): ApiKeysStore {
  return settings.part('keys', (rpc) => new ApiKeysStore(rpc, modelsOf(settings)));
}

export function configOf(settings: Settings): ConfigStore {
  return settings.part('config', (rpc) => new ConfigStore(rpc));
}

export function endpointOf(settings: Settings): EndpointStore {
  return settings.part('endpoint', (rpc) => new EndpointStore(rpc));
}
