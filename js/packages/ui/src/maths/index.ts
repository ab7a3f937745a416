/**
 * TeX to MathML with KaTeX; the browser renders MathML without KaTeX's style sheet and fonts. A separate bundle,
 * loaded at the first formula.
 */

import { t } from '@jupyter-ac/messages';
import katex from 'katex';

/** Limits of macro expansions: a definition may be recursive. */
const MAX_STEPS = 1000;
const MAX_STEPS_WITH_DEFINITIONS = 50;
/** In em; the text of an answer is about 60 em wide. */
const MAX_SIZE_EM = 50;
const DEFINES = /\\(?:[gex]?def|(?:re|provide)?newcommand|providecommand|let|futurelet)(?![a-zA-Z])/;

/**
 * Returns unsafe HTML with one `math` element: pass it through `sanitizeMaths`.
 *
 * @throws for invalid TeX
 */
export function formula(tex: string, isDisplay: boolean): string {
  const markup = katex.renderToString(tex, {
    displayMode: isDisplay,
    output: 'mathml',
    throwOnError: true,
    strict: 'ignore',
    trust: refuse,
    maxExpand: DEFINES.test(tex) ? MAX_STEPS_WITH_DEFINITIONS : MAX_STEPS,
    maxSize: MAX_SIZE_EM,
  });
  return withGroups(markup);
}

/** For `\href`, `\includegraphics`, `\htmlStyle` and their like. */
function refuse({ command }: { command: string }): never {
  throw new Error(t('%1 is not shown.', command));
}

/**
 * Makes groups of the operators and letters that hold elements: KaTeX writes `\overset`, `\underset`,
 * `\bmod` and their like so, and a parser of HTML drops what such an element holds.
 */
function withGroups(markup: string): string {
  const page = new DOMParser().parseFromString(markup, 'application/xml');
  for (const token of [...page.querySelectorAll('mo, mi')].filter(({ children }) => children.length)) {
    const group = page.createElementNS(token.namespaceURI, 'mrow');
    group.append(space('lspace'), ...token.childNodes, space('rspace'));
    token.replaceWith(group);

    function space(side: string): Element | string {
      const width = token.getAttribute(side);
      if (!width) return '';
      const blank = page.createElementNS(token.namespaceURI, 'mspace');
      blank.setAttribute('width', width);
      return blank;
    }
  }
  return new XMLSerializer().serializeToString(page);
}
