/** Makes links of what an answer's text names: files that there are, and symbols that are known. */

import { placeLink, searchLink } from '../elements/open-place.ts';
import { type KnownFiles, type Mention, mentionsIn, resolved, symbolName } from '../model/mentions.ts';
import type { KnownSymbol } from '../model/symbols.ts';

/** What is known of a name; undefined when nobody has asked yet. */
export type Peek = (name: string) => readonly KnownSymbol[] | undefined;

/** Code in blocks, formulas and what is a link already stay as they are. */
const LEFT_ALONE = 'pre, code, a, button, .math';

/**
 * May be called again when more is known.
 *
 * @param root - an answer's text, drawn for good
 * @returns the names that may be symbols, of which nothing is known yet
 */
export function linkAnswer(root: HTMLElement, files: KnownFiles, peek: Peek): string[] {
  linkTargets(root, files);
  linkTexts(root, files);
  return linkCode(root, files, peek);
}

/** `[text](src/a.py)`. */
function linkTargets(root: HTMLElement, files: KnownFiles): void {
  for (const target of root.querySelectorAll<HTMLElement>('a[title]:not([href], [role])')) {
    const place = resolved(target.title, files);
    if (!place) continue;
    const link = placeLink(place);
    link.append(...target.childNodes);
    target.replaceWith(link);
  }
}

function linkCode(root: HTMLElement, files: KnownFiles, peek: Peek): string[] {
  const unknown: string[] = [];
  for (const code of root.querySelectorAll('code')) {
    if (code.parentElement?.closest(LEFT_ALONE)) continue;
    const written = code.textContent ?? '';
    const place = resolved(written, files);
    const name = place ? '' : symbolName(written);
    const known = name ? peek(name) : [];
    if (known === undefined) unknown.push(name);
    else if (place) wrap(code, placeLink(place));
    else if (known[0]) wrap(code, known.length > 1 ? searchLink(name) : placeLink(known[0].place));
  }
  return unknown;
}

function wrap(code: Element, link: HTMLElement): void {
  code.replaceWith(link);
  link.append(code);
}

function linkTexts(root: HTMLElement, files: KnownFiles): void {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement?.closest(LEFT_ALONE) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  const found: [Text, Mention[]][] = [];
  while (walker.nextNode()) {
    const node = walker.currentNode as Text;
    const mentions = mentionsIn(node.data, files);
    if (mentions.length) found.push([node, mentions]);
  }
  for (const [node, mentions] of found) linkText(node, mentions);
}

/** From the last one on, so that the places of those before stay true. */
function linkText(node: Text, mentions: readonly Mention[]): void {
  for (const { start, end, place } of [...mentions].reverse()) {
    const named = node.splitText(start);
    named.splitText(end - start);
    const link = placeLink(place);
    named.replaceWith(link);
    link.append(named);
  }
}
