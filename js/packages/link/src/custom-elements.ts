/** Registers custom elements under tags with the build hash: bundles of two versions may share a page. */

declare const __AC_HASH__: string;

/** First six hex digits over all sources (js/tools/hash.mjs). */
export const BUILD_HASH: string = __AC_HASH__;

/** `ac-app` → `ac-app-1a2b3c`. */
export function tagOf(name: string): string {
  return `${name}-${BUILD_HASH}`;
}

/** Registers `element` under the hashed tag unless the same build is already on the page. */
export function define(name: string, element: CustomElementConstructor): void {
  const tag = tagOf(name);
  if (!customElements.get(tag)) customElements.define(tag, element);
}
