/**
 * Markdown to HTML with markdown-it: no raw HTML but `<details>`, links to http, https and mailto only, images as data
 * or as names of files in the repository (others become links), code blocks with their language. The HTML must still
 * be sanitized.
 */

import { t } from '@jupyter-ac/messages';
import createMarkdown, { type MarkdownIt } from 'markdown-it';
import { detailsPlugin } from './details.ts';
import { footnotesPlugin } from './footnotes.ts';
import { imagePath, isImageData } from './images.ts';
import { shownAddress } from './link-address.ts';
import { IS_GROWING, mathsPlugin } from './maths-plugin.ts';
import { taskListPlugin } from './task-lists.ts';

const SCHEME = /^\s*([a-z][a-z0-9+.-]*):/i;
const ALLOWED = new Set(['http', 'https', 'mailto']);

export function isAllowedLink(url: string): boolean {
  // Browsers ignore control characters and spaces inside a scheme.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones meant
  const scheme = SCHEME.exec(url.replace(/[\u0000-\u0020]/g, ''))?.[1];
  return scheme !== undefined && ALLOWED.has(scheme.toLowerCase());
}

/**
 * Returns unsafe HTML: pass it through `sanitize`.
 *
 * @param isGrowing - the text is being streamed: an unclosed formula at its end stays text
 */
export function renderMarkdown(md: MarkdownIt, markdown: string, isGrowing = false): string {
  return md.render(markdown, { [IS_GROWING]: isGrowing });
}

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    return url;
  }
}

function linkTo(url: string, escapeHtml: (text: string) => string): string {
  return `<a href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer nofollow">`;
}

/** Creates the parser; `breaks` keeps single line breaks, as users expect in a question. */
export function newMarkdown(breaks: boolean): MarkdownIt {
  const md = createMarkdown({ html: false, linkify: true, breaks });
  // Without a scheme `models.py` would be a domain.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  mathsPlugin(md);
  taskListPlugin(md);
  if (!breaks) {
    detailsPlugin(md);
    footnotesPlugin(md);
  }
  md.validateLink = (url) => isAllowedLink(url) || !SCHEME.test(url) || isImageData(url);
  const { escapeHtml } = md.utils;
  const { rules } = md.renderer;

  rules.link_open = (tokens, index) => {
    const url = String(tokens[index]?.attrGet('href') ?? '');
    if (isAllowedLink(url)) return linkTo(url, escapeHtml);
    // It may be a path in the repository, which is linked later.
    return SCHEME.test(url) ? '<a>' : `<a title="${escapeHtml(decoded(url))}">`;
  };
  rules.image = (tokens, index) => {
    const url = String(tokens[index]?.attrGet('src') ?? '');
    const name = escapeHtml(tokens[index]?.content ?? '');
    const label = t('Image: %1', name || t('untitled'));
    if (isImageData(url)) return `<img src="${escapeHtml(url)}" alt="${name}">`;
    if (isAllowedLink(url))
      return `${linkTo(url, escapeHtml)}${label}</a> <span class="address">${escapeHtml(shownAddress(url))}</span>`;
    if (SCHEME.test(url) || !imagePath(url)) return label;
    return `<span class="image" title="${escapeHtml(decoded(url))}">${label}</span>`;
  };
  rules.fence = (tokens, index) => {
    const token = tokens[index];
    const language = /^[\w+#.-]*/.exec(token?.info.trim() ?? '')?.[0] ?? '';
    return codeBlock(token?.content ?? '', language, escapeHtml);
  };
  rules.code_block = (tokens, index) => codeBlock(tokens[index]?.content ?? '', '', escapeHtml);
  for (const cell of ['th_open', 'td_open'] as const) {
    rules[cell] = (tokens, index) => {
      const side = /(left|right|center)/.exec(String(tokens[index]?.attrGet('style') ?? ''))?.[1];
      return `<${cell.slice(0, 2)}${side ? ` class="${side}"` : ''}>`;
    };
  }
  return md;
}

function codeBlock(code: string, language: string, escapeHtml: (text: string) => string): string {
  return `<div class="code"><div class="code-head"><span>${escapeHtml(language)}</span></div><pre><code>${escapeHtml(code)}</code></pre></div>`;
}
