/**
 * Loads a font with a MATH table: without one, brackets and roots don't stretch, and few systems have one.
 * Fonts can't be declared inside a shadow root, so it is added to the document.
 */

import { BUILD_HASH } from '@jupyter-ac/link';
import { fontFile } from '@jupyter-ac/page';
import { MATHS_FONT } from '../styles/prose.ts';

/**
 * Registers the font; the browser fetches it with the first formula.
 *
 * @param home - HTTP URL of the UI's bundle; the font is beside it
 */
export function addMathsFont(home: string): void {
  if ([...document.fonts].some(({ family }) => family.includes(MATHS_FONT))) return;
  const { href } = new URL(fontFile(BUILD_HASH), home);
  document.fonts.add(new FontFace(MATHS_FONT, `url("${href}")`, { display: 'swap' }));
}
