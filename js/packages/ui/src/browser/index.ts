/** Entry of the bundle of the view of browsers, loaded on demand. */

import { define } from '@jupyter-ac/link';
import { AcBrowserConsole } from './console-pane.ts';
import { AcBrowserFilters } from './filter-groups.ts';
import { AcBrowserInspect } from './inspect-pane.ts';
import { AcBrowserNetwork } from './network-pane.ts';
import { AcBrowserNews } from './news-chips.ts';
import { AcBrowserRules } from './rules-pane.ts';
import { AcBrowserTargets } from './targets-pane.ts';
import { AcBrowser } from './view.ts';

const ELEMENTS: readonly [string, CustomElementConstructor][] = [
  ['ac-browser-targets', AcBrowserTargets],
  ['ac-browser-console', AcBrowserConsole],
  ['ac-browser-network', AcBrowserNetwork],
  ['ac-browser-filters', AcBrowserFilters],
  ['ac-browser-rules', AcBrowserRules],
  ['ac-browser-inspect', AcBrowserInspect],
  ['ac-browser-news', AcBrowserNews],
  ['ac-browser', AcBrowser],
];

/** Registers the elements; those that are in the page already are upgraded. Idempotent. */
export function register(): void {
  for (const [name, element] of ELEMENTS) define(name, element);
}
