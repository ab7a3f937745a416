/** The UI bundle's surface: what the entries (widget, side panel, page) import. */

export { BUILD_HASH } from '@jupyter-ac/link';
export { mountPanel, type Panel, type PanelOptions, type PanelState } from './panel.ts';
export { VERSION } from './version.ts';
