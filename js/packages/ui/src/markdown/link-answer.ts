/** Links the files and known symbols that are named in an answer. */

import { locationLink, searchLink } from '../elements/location-links.ts';
import {
  type Mention,
  mentionsIn,
  type PathResolver,
  resolveMention,
  symbolName,
} from '../model/mentions.ts';
import type { RepositorySymbol } from '../model/symbols.ts';

/** Cached symbols of a name; undefined when it has not been looked up. */
export type Peek = (name: string) => readonly RepositorySymbol[] | undefined;

/** Not linked: code blocks, formulas, existing links. */
const LEFT_ALONE = 'pre, code, a, button, .math';

/**
 * Idempotent; call it again when more files or symbols are known.
 *
 * @param root - the complete, rendered answer
 * @returns names that may be symbols and have not been looked up yet
 */
export function linkAnswer(root: HTMLElement, files: PathResolver, peek: Peek): string[] {
  linkTargets(root, files);
  linkTexts(root, files);
  return linkCode(root, files, peek);
}

/** `[text](src/a.py)`. */
function linkTargets(root: HTMLElement, files: PathResolver): void {
  for (const target of root.querySelectorAll<HTMLElement>('a[title]:not([href], [role])')) {
    const location = resolveMention(target.title, files);
    if (!location) continue;
    const link = locationLink(location);
    link.append(...target.childNodes);
    target.replaceWith(link);
  }
}

function linkCode(root: HTMLElement, files: PathResolver, peek: Peek): string[] {
  const unknown: string[] = [];
  for (const code of root.querySelectorAll('code')) {
    if (code.parentElement?.closest(LEFT_ALONE)) continue;
    const written = code.textContent ?? '';
    const location = resolveMention(written, files);
    const name = location ? '' : symbolName(written);
    const known = name ? peek(name) : [];
    if (known === undefined) unknown.push(name);
    else if (location) wrap(code, locationLink(location));
    else if (known[0]) wrap(code, known.length > 1 ? searchLink(name) : locationLink(known[0].location));
  }
  return unknown;
}

function wrap(code: Element, link: HTMLElement): void {
  code.replaceWith(link);
  link.append(code);
}

function linkTexts(root: HTMLElement, files: PathResolver): void {
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

/** From the last mention to the first, so that the offsets of the earlier ones stay valid. */
function linkText(node: Text, mentions: readonly Mention[]): void {
  for (const { start, end, location } of [...mentions].reverse()) {
    const named = node.splitText(start);
    named.splitText(end - start);
    const link = locationLink(location);
    named.replaceWith(link);
    link.append(named);
  }
}
