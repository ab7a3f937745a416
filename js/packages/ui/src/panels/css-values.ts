/** Styles of a plugin that load nothing: functions of CSS values are allowed by name. */

import type { JsonObject, JsonValue } from '../model/panels/protocol.ts';

const MAX_VALUE = 2000;

/** No `url`, `image-set`, `src`, `element`, `paint`: what they name would be fetched or copied from the page. */
const FUNCTIONS: ReadonlySet<string> = new Set(
  (
    'rgb rgba hsl hsla hwb lab lch oklab oklch color color-mix light-dark calc min max clamp var minmax repeat ' +
    'fit-content linear-gradient radial-gradient conic-gradient repeating-linear-gradient ' +
    'repeating-radial-gradient repeating-conic-gradient translate translatex translatey translate3d scale scalex ' +
    'scaley rotate skew skewx skewy matrix blur brightness contrast drop-shadow grayscale hue-rotate invert ' +
    'opacity saturate sepia cubic-bezier steps inset circle ellipse polygon'
  ).split(' '),
);

/** They act outside the element's box, or on the whole page. */
const REFUSED = /^(?:view-transition|anchor|position-|overlay|-moz-binding|behavior)/;

/** Properties whose numbers have no unit. */
const UNITLESS: ReadonlySet<string> = new Set(
  (
    'animation-iteration-count aspect-ratio column-count columns fill-opacity flex flex-grow flex-shrink ' +
    'font-weight grid-area grid-column grid-column-end grid-column-start grid-row grid-row-end grid-row-start ' +
    'line-height opacity order orphans scale tab-size widows z-index zoom'
  ).split(' '),
);

/** `backgroundColor` → `background-color`, `WebkitLineClamp` → `-webkit-line-clamp`. */
export function cssName(name: string): string {
  return name.startsWith('--') ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Text of a CSS value; null for one that is refused. */
export function cssValue(name: string, value: JsonValue): string | null {
  if (typeof value === 'number') return value === 0 || UNITLESS.has(name) ? `${value}` : `${value}px`;
  if (typeof value !== 'string' || value.length > MAX_VALUE) return null;
  // Escapes and comments could hide a function's name.
  if (value.includes('\\') || value.includes('/*')) return null;
  for (const [, called = ''] of value.matchAll(/([\w-]{0,40})\(/g)) {
    if (called && !FUNCTIONS.has(called.toLowerCase())) return null;
  }
  return name === 'position' && value.trim().toLowerCase() === 'fixed' ? null : value;
}

/** Allowed declarations of a style object, by CSS name. */
export function declarations(style: JsonObject): Map<string, string> {
  const allowed = new Map<string, string>();
  for (const [given, value] of Object.entries(style)) {
    const name = cssName(given);
    if (!/^-{0,2}[a-z][\w-]{0,99}$/.test(name) || REFUSED.test(name)) continue;
    const text = cssValue(name, value);
    if (text !== null) allowed.set(name, text);
  }
  return allowed;
}
