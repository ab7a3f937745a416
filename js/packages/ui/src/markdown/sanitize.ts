/** HTML sanitizer (DOMPurify): allowed tags and attributes; reveals misleading links. */

import createPurifier from 'dompurify';
import { isImageData } from './images.ts';
import { describeLinks } from './link-address.ts';
import { showTargets } from './link-targets.ts';
import { isAllowedLink } from './render.ts';

const TAGS = (
  'p br hr h1 h2 h3 h4 h5 h6 strong em s del code pre blockquote ul ol li ' +
  'table thead tbody tr th td a span div details summary sup img'
).split(' ');

const purifier = createPurifier(window);
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.hasAttribute('href') && !isAllowedLink(node.getAttribute('href') ?? ''))
    node.removeAttribute('href');
  if (node.tagName === 'IMG' && !isImageData(node.getAttribute('src') ?? '')) node.remove();
  if (!node.hasAttribute('href')) return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer nofollow');
});

/** MathML elements generated from TeX; no links, no styles. */
const MATHS_TAGS = (
  'math semantics annotation mrow mi mo mn ms mspace mtext merror mfrac msqrt mroot mstyle mpadded ' +
  'mphantom menclose msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable ' +
  'mtr mtd'
).split(' ');
const MATHS_ATTRIBUTES = (
  'display displaystyle scriptlevel mathvariant mathsize mathcolor mathbackground stretchy fence form ' +
  'separator accent accentunder largeop movablelimits symmetric minsize maxsize lspace rspace width ' +
  'height depth voffset linethickness columnalign columnspacing columnlines rowspacing rowlines ' +
  'notation'
).split(' ');

/** Sanitizes a formula, and removes the TeX source that KaTeX adds to it. */
export function sanitizeMaths(html: string): DocumentFragment {
  const nodes = purifier.sanitize(html, {
    ALLOWED_TAGS: MATHS_TAGS,
    ALLOWED_ATTR: MATHS_ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const source of nodes.querySelectorAll('annotation')) source.remove();
  return nodes;
}

/** Sanitizes HTML and returns its nodes. */
export function sanitize(html: string): DocumentFragment {
  const nodes = purifier.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'target', 'rel', 'class', 'start', 'title', 'open', 'src', 'alt'],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  showTargets(nodes);
  describeLinks(nodes);
  return nodes;
}
