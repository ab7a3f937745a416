/** Entry of the bundle that shows runs of the agent, loaded on demand. */

import { define } from '@jupyter-ac/link';
import { AcAgentRun } from './agent-run.ts';
import { AcAgentSwitch } from './agent-switch.ts';
import { AcPanelCalls } from './panel-calls.ts';
import { AcToolCalls } from './tool-calls.ts';
import { AcToolQuestion } from './tool-question.ts';

const ELEMENTS: readonly [string, CustomElementConstructor][] = [
  ['ac-tool-question', AcToolQuestion],
  ['ac-tool-calls', AcToolCalls],
  ['ac-agent-run', AcAgentRun],
  ['ac-agent-switch', AcAgentSwitch],
  ['ac-panel-calls', AcPanelCalls],
];

/** Registers the elements; those that are in the page already are upgraded. Idempotent. */
export function registerAgent(): void {
  for (const [name, element] of ELEMENTS) define(name, element);
}
