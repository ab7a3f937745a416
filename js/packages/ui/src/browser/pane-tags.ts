/** Element tags of the panes, with the build hash. */

import { tagOf } from '@jupyter-ac/link';
import { unsafeStatic } from 'lit/static-html.js';

export const paneTag = {
  targets: unsafeStatic(tagOf('ac-browser-targets')),
  console: unsafeStatic(tagOf('ac-browser-console')),
  network: unsafeStatic(tagOf('ac-browser-network')),
  filters: unsafeStatic(tagOf('ac-browser-filters')),
  rules: unsafeStatic(tagOf('ac-browser-rules')),
  inspect: unsafeStatic(tagOf('ac-browser-inspect')),
} as const;
