/** Icons of the conversation's tools. */

import { svg } from 'lit';
import { icon } from '../elements/icons.ts';

export const pin = icon(svg`<path d="M6 2.500h4l-.5 4.300L11.500 9h-7l2-2.200L6 2.500ZM8 9v4.500"/>`, 14);
export const pinned = icon(
  svg`<path d="M6 2.500h4l-.5 4.300L11.500 9h-7l2-2.200L6 2.500Z" fill="currentColor"/><path d="M8 9v4.500"/>`,
  14,
);
export const exclude = icon(svg`<circle cx="8" cy="8" r="5.500"/><path d="m4.200 4.200 7.600 7.600"/>`, 14);
export const more = icon(
  svg`<circle cx="3.500" cy="8" r=".8" fill="currentColor"/><circle cx="8" cy="8" r=".8" fill="currentColor"/><circle cx="12.500" cy="8" r=".8" fill="currentColor"/>`,
  14,
);
export const save = icon(svg`<path d="M8 2.500v7.500M4.800 7 8 10.200 11.200 7M3 13.500h10"/>`, 14);
