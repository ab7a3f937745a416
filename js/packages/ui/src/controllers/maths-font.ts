/**
 * The font of formulas: without one that is made for them, brackets and roots don't grow, and few systems have one.
 * A style sheet in a shadow root can't bring a font, so it is the document's.
 */

import { BUILD_HASH } from '@jupyter-ac/link';
import { fontFile } from '@jupyter-ac/page';
import { MATHS_FONT } from '../styles/prose.ts';

/**
 * The browser fetches it when a formula is drawn.
 *
 * @param home - where the UI came from, over HTTP: the font lies beside it
 */
export function addMathsFont(home: string): void {
  if ([...document.fonts].some(({ family }) => family.includes(MATHS_FONT))) return;
  const { href } = new URL(fontFile(BUILD_HASH), home);
  document.fonts.add(new FontFace(MATHS_FONT, `url("${href}")`, { display: 'swap' }));
}
