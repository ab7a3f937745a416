/** Icons of the tools above the files. */

import { html, svg, type TemplateResult } from 'lit';

export { branch as branchIcon } from '../elements/icons.ts';

function icon(shape: TemplateResult): TemplateResult {
  return html`<svg width="14" height="14" viewBox="0 0 16 16" fill="none" stroke="currentColor"
    stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg>`;
}

export const sortIcon = icon(
  svg`<path d="M4.500 3v9.500M2 10l2.500 2.500L7 10M8.500 4h5.500M8.500 8h4M8.500 12h2.500"/>`,
);
export const filePlus = icon(
  svg`<path d="M9 2H4.500A1.500 1.500 0 0 0 3 3.500v9A1.500 1.500 0 0 0 4.500 14H8M9 2l4 4v2M9 2v4h4M12 10v4M10 12h4"/>`,
);
export const setsIcon = icon(
  svg`<path d="M5.500 3h8M5.500 8h8M5.500 13h4M2 3l.800.800L4 2.500M2 8l.800.800L4 7.500"/>`,
);
