/** Line icons on a 16 px grid, in the colour of the text. */

import { html, svg, type TemplateResult } from 'lit';

export function icon(shape: TemplateResult, size = 16): TemplateResult {
  return html`<svg width=${size} height=${size} viewBox="0 0 16 16" fill="none" stroke="currentColor"
    stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shape}</svg>`;
}

export const chevronRight = icon(svg`<path d="M6 3.5 10.5 8 6 12.5"/>`, 12);
export const chevronLeft = icon(svg`<path d="M10 3.5 5.500 8l4.500 4.500"/>`, 12);
export const chevronDown = icon(svg`<path d="M3.5 6 8 10.5 12.5 6"/>`, 12);
export const search = icon(svg`<circle cx="7" cy="7" r="4.2"/><path d="m10.2 10.2 3.3 3.3"/>`, 14);
export const ban = icon(svg`<circle cx="8" cy="8" r="5.500"/><path d="m4.200 4.200 7.600 7.600"/>`, 12);
export const refresh = icon(svg`<path d="M13 8a5 5 0 1 1-1.5-3.6M13 2.5v3h-3"/>`, 14);
export const close = icon(svg`<path d="m4 4 8 8M12 4l-8 8"/>`, 14);
export const newChat = icon(
  svg`<path d="M8.5 3H4a1.5 1.5 0 0 0-1.5 1.5v6A1.5 1.5 0 0 0 4 12h1v2.2L7.8 12H12a1.5 1.5 0 0 0 1.5-1.5V8M12 1.8v4.4M9.8 4h4.4"/>`,
);
export const send = icon(svg`<path d="M8 13V3.5M4 7.2l4-4 4 4"/>`);
export const stop = icon(svg`<rect x="4" y="4" width="8" height="8" rx="1.2" fill="currentColor"/>`);
export const openInTab = icon(svg`<path d="M9 3h4v4M13 3 7.5 8.5M11 9.5V13H3V5h3.5"/>`, 14);
export const plus = icon(svg`<path d="M8 3v10M3 8h10"/>`);
export const warning = icon(svg`<path d="M8 2.3 14.4 13.2H1.6L8 2.3ZM8 6.6v3M8 11.4v.1"/>`);
export const info = icon(svg`<circle cx="8" cy="8" r="6"/><path d="M8 7.4v3.4M8 5.2v.1"/>`);
export const check = icon(svg`<path d="m3.4 8.6 3 3 6.2-7"/>`);
export const offline = icon(
  svg`<path d="M2 2l12 12M4 6.6a6.4 6.4 0 0 1 1.6-1M8 5c1.600 0 3.1.6 4.200 1.600M6.200 9.200A3 3 0 0 1 8 8.600M8 12v.1"/>`,
);
export const branch = icon(
  svg`<circle cx="4.500" cy="3.500" r="1.600"/><circle cx="4.500" cy="12.500" r="1.600"/><circle cx="11.500" cy="5" r="1.600"/><path d="M4.500 5.100v5.800M11.500 6.600c0 2.400-2.600 2.600-4.600 3.100"/>`,
  12,
);
export const arrowDown = icon(svg`<path d="M8 3v9.500M4 8.800l4 4 4-4"/>`, 14);
export const arrowUp = icon(svg`<path d="M8 13V3.500M4 7.200l4-4 4 4"/>`, 14);
export const edit = icon(
  svg`<path d="m3 13 .6-2.800L10.400 3.400a1.300 1.300 0 0 1 1.900 0l.300.300a1.300 1.300 0 0 1 0 1.900L5.800 12.400 3 13ZM9.200 4.600l2.200 2.200"/>`,
  14,
);
export const more = icon(svg`<path d="M3.500 8v.1M8 8v.1M12.500 8v.1" stroke-width="2.200"/>`, 14);
export const copy = icon(
  svg`<rect x="5.500" y="5.500" width="8" height="8" rx="1.300"/><path d="M10.500 5.500v-2A1.200 1.200 0 0 0 9.300 2.300H3.700A1.200 1.200 0 0 0 2.500 3.500v5.600a1.200 1.200 0 0 0 1.200 1.200h1.800"/>`,
  14,
);
export const retry = icon(
  svg`<path d="M3.500 6.500h6a3.300 3.300 0 0 1 0 6.600H7M6 3.800 3.300 6.500 6 9.200"/>`,
  14,
);
export const history = icon(
  svg`<path d="M2.600 8a5.400 5.400 0 1 0 1.700-3.900M2.600 2.300v2.600h2.600M8 5.200V8l2.100 1.400"/>`,
);
export const settings = icon(
  svg`<path d="M2.300 4.700h6M12 4.700h1.700M2.300 11.300h1.700M7.700 11.300h6"/><circle cx="10.200" cy="4.700" r="1.800"/><circle cx="5.800" cy="11.300" r="1.800"/>`,
);
export const browser = icon(
  svg`<rect x="2" y="2.500" width="12" height="11" rx="1.500"/><path d="M2 6h12M4.500 4.300v.1"/>`,
);
export const panels = icon(
  svg`<rect x="2" y="2.500" width="12" height="11" rx="1.500"/><path d="M2 6.500h12M7 6.500v7"/>`,
);
export const plug = icon(svg`<path d="M5.800 2v3M10.200 2v3M4 5h8v2.200a4 4 0 0 1-8 0V5ZM8 11.200V14"/>`, 14);
export const lock = icon(
  svg`<rect x="3.500" y="7" width="9" height="6.500" rx="1.300"/><path d="M5.500 7V5a2.500 2.500 0 0 1 5 0v2"/>`,
  14,
);
export const snippets = icon(svg`<path d="M8.800 1.800 3.500 9h4l-.8 5.200L12.500 7h-4l.3-5.200Z"/>`);
export const trash = icon(
  svg`<path d="M3 4.500h10M6.500 4.500V3h3v1.500M4.500 4.500l.500 8.500h6l.500-8.500M6.800 7v3.500M9.200 7v3.500"/>`,
  14,
);
export const commit = icon(svg`<circle cx="8" cy="8" r="2.800"/><path d="M1.500 8h3.700M10.800 8h3.700"/>`);
export const review = icon(
  svg`<circle cx="4" cy="3.500" r="1.600"/><circle cx="4" cy="12.500" r="1.600"/><circle cx="10.500" cy="9.500" r="2.400"/><path d="M4 5.100v5.800M12.200 11.200l1.800 1.800M4 6.500c0-1.500 2-2 4-2h4"/>`,
);
export const changes = icon(svg`<path d="M8 2.500v6M5 5.500h6M5 12.500h6"/>`);
export const microphone = icon(
  svg`<rect x="6" y="1.800" width="4" height="7.400" rx="2"/><path d="M3.500 7.500a4.500 4.500 0 0 0 9 0M8 12v2.200"/>`,
);
export const image = icon(
  svg`<rect x="2" y="3" width="12" height="10" rx="1.500"/><circle cx="5.700" cy="6.500" r="1.100"/><path d="m2.500 11.500 3.500-3 2.500 2 2.500-2.500 2.700 2.500"/>`,
);
export const spinner = html`<span class="spin" aria-hidden="true">${icon(svg`<path d="M14 8a6 6 0 1 1-3.200-5.300"/>`, 14)}</span>`;
