/** Entry of the bundle of panels whose plugins run elsewhere, loaded on demand. */

import { define } from '@jupyter-ac/link';
import { ComponentRegistry } from './components.ts';
import { DATA_TABLE, dataTable } from './data-table.ts';
import { AcPluginPanel } from './panel.ts';
import { VIRTUAL_LIST, virtualList } from './virtual-list.ts';

export { frameThrottle } from '../controllers/frame-throttle.ts';
export type { PanelConnection, PluginToHost } from '../model/panels/connection.ts';
export { HostController } from '../model/panels/host-controller.ts';
export type { AcPluginPanel } from './panel.ts';
export { ComponentRegistry };

/** Registers the element; those that are in the page already are upgraded. Idempotent. */
export function register(): void {
  define('ac-plugin-panel', AcPluginPanel);
}

/** The components that every panel has. */
export function usualComponents(): ComponentRegistry {
  const components = new ComponentRegistry();
  components.register('DataTable', dataTable, DATA_TABLE);
  components.register('VirtualList', virtualList, VIRTUAL_LIST);
  return components;
}
