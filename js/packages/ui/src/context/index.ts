/** Entry of the bundle of the drawing of the context, loaded when the context is shown. */

import { define } from '@jupyter-ac/link';
import { AcIcicle } from './icicle.ts';
import { AcMarkedTurns } from './marked-turns.ts';
import { AcRequestSections } from './request-sections.ts';
import { AcContextView } from './view.ts';

const ELEMENTS: readonly [string, CustomElementConstructor][] = [
  ['ac-icicle', AcIcicle],
  ['ac-marked-turns', AcMarkedTurns],
  ['ac-request-sections', AcRequestSections],
  ['ac-context-view', AcContextView],
];

/** Registers the elements; those that are in the page already are upgraded. Idempotent. */
export function register(): void {
  for (const [name, element] of ELEMENTS) define(name, element);
}
