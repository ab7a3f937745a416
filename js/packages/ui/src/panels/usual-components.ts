/** The components that every panel has. */

import { ComponentRegistry } from './components.ts';
import { DATA_TABLE, dataTable } from './data-table.ts';
import { VIRTUAL_LIST, virtualList } from './virtual-list.ts';

export function usualComponents(): ComponentRegistry {
  const components = new ComponentRegistry();
  components.register('DataTable', dataTable, DATA_TABLE);
  components.register('VirtualList', virtualList, VIRTUAL_LIST);
  return components;
}
