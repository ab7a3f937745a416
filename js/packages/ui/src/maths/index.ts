/**
 * Formulas of TeX as MathML, which the browser sets with a font of its own: no style sheet, no font
 * files. A bundle of its own, loaded at the first formula.
 */

import katex from 'katex';

/** A definition may use itself; what needs more steps than this is no formula that somebody reads. */
const MOST_STEPS = 1000;
const MOST_STEPS_OF_OWN = 50;
/** In em; the text of an answer is some 60 wide. */
const LARGEST = 50;
const DEFINES = /\\(?:[gex]?def|(?:re|provide)?newcommand|providecommand|let|futurelet)(?![a-zA-Z])/;

/**
 * HTML with one `math` element, which has yet to pass `sanitizeMaths`.
 *
 * @throws when TeX doesn't understand it
 */
export function formula(tex: string, isDisplay: boolean): string {
  return katex.renderToString(tex, {
    displayMode: isDisplay,
    output: 'mathml',
    throwOnError: true,
    strict: 'ignore',
    // No `\href`, `\includegraphics`, `\htmlStyle` and their like.
    trust: false,
    maxExpand: DEFINES.test(tex) ? MOST_STEPS_OF_OWN : MOST_STEPS,
    maxSize: LARGEST,
  });
}
