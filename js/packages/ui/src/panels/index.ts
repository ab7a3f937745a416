/** Entry of the bundle of panels whose plugins run elsewhere, loaded on demand. */

import { define } from '@jupyter-ac/link';
import { ComponentRegistry } from './components.ts';
import { AcPanelLog } from './log-pane.ts';
import { AcPluginPanel } from './panel.ts';
import { usualComponents } from './usual-components.ts';
import { AcPanels } from './view.ts';

export { frameThrottle } from '../controllers/frame-throttle.ts';
export type { PanelConnection, PluginToHost } from '../model/panels/connection.ts';
export { HostController } from '../model/panels/host-controller.ts';
export { showKernelPanel } from './kernel-panel.ts';
export type { AcPluginPanel } from './panel.ts';
export { ComponentRegistry, usualComponents };

const ELEMENTS: readonly [string, CustomElementConstructor][] = [
  ['ac-plugin-panel', AcPluginPanel],
  ['ac-panel-log', AcPanelLog],
  ['ac-panels', AcPanels],
];

/** Registers the elements; those that are in the page already are upgraded. Idempotent. */
export function register(): void {
  for (const [name, element] of ELEMENTS) define(name, element);
}
