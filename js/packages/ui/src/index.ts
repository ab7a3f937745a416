/** Public API of the UI bundle, imported by the entries (widget, side panel, page). */

export { BUILD_HASH } from '@jupyter-ac/link';
export type {
  Activity,
  ActivityKind,
  ConversationRef,
  EndedActivity,
  HostedPanel,
  HostPorts,
  PanelCommandName,
  PanelReport,
} from './host/ports.ts';
export type { MountedViewer } from './host/viewer-tab.ts';
export type { FileLocation } from './model/file-location.ts';
export {
  mountPanel,
  mountViewer,
  type Panel,
  type PanelOptions,
  type PanelState,
  type ViewerOptions,
} from './panel.ts';
export { VERSION } from './version.ts';
