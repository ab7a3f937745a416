/** Entry of the bundle of the tools above the files, loaded when the files are shown. */

import { define } from '@jupyter-ac/link';
import { AcPickerTools } from './tools.ts';

/** Registers the element; one that is in the page already is upgraded. Idempotent. */
export function register(): void {
  define('ac-picker-tools', AcPickerTools);
}
