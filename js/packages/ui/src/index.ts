/** Public API of the UI bundle, imported by the entries (widget, side panel, page). */

export { BUILD_HASH } from '@jupyter-ac/link';
export { mountPanel, type Panel, type PanelOptions, type PanelState } from './panel.ts';
export { VERSION } from './version.ts';
