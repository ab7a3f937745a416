/**
 * Markdown to HTML by our rules: no raw HTML, links to http, https and mailto only, no picture loads
 * by itself, code with its language. The HTML still goes through `sanitize`.
 */

import createMarkdown, { type MarkdownIt } from 'markdown-it';
import { highlight } from './highlight.ts';

const SCHEME = /^\s*([a-z][a-z0-9+.-]*):/i;
const ALLOWED = new Set(['http', 'https', 'mailto']);

export function isAllowedLink(url: string): boolean {
  // Browsers drop control characters and blanks inside a scheme before they look at it.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones meant
  const scheme = SCHEME.exec(url.replace(/[\u0000-\u0020]/g, ''))?.[1];
  return scheme !== undefined && ALLOWED.has(scheme.toLowerCase());
}

/** Key of the render environment that leaves code plain when false: for a block still growing. */
const IS_COLOURED = 'isColoured';

/** HTML that has yet to pass `sanitize`. */
export function renderMarkdown(md: MarkdownIt, markdown: string, isColoured: boolean): string {
  return md.render(markdown, { [IS_COLOURED]: isColoured });
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

/** A parser of our kind; `breaks` keeps single line ends, as people mean them in a question. */
export function newMarkdown(breaks: boolean): MarkdownIt {
  const md = createMarkdown({ html: false, linkify: true, breaks });
  // Without a scheme `models.py` would be a domain.
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  md.validateLink = (url) => isAllowedLink(url) || !SCHEME.test(url);
  const { escapeHtml } = md.utils;
  const { rules } = md.renderer;

  rules.link_open = (tokens, index) => {
    const url = String(tokens[index]?.attrGet('href') ?? '');
    if (isAllowedLink(url)) return linkTo(url, escapeHtml);
    // Perhaps a file of the repository.
    return SCHEME.test(url) ? '<a>' : `<a title="${escapeHtml(decoded(url))}">`;
  };
  rules.image = (tokens, index) => {
    const url = String(tokens[index]?.attrGet('src') ?? '');
    const label = `Image: ${tokens[index]?.content || 'untitled'}`;
    return isAllowedLink(url) ? `${linkTo(url, escapeHtml)}${escapeHtml(label)}</a>` : escapeHtml(label);
  };
  rules.fence = (tokens, index, _options, env) => {
    const token = tokens[index];
    const language = /^[\w+#.-]*/.exec(token?.info.trim() ?? '')?.[0] ?? '';
    return codeBlock(token?.content ?? '', language, env?.[IS_COLOURED] !== false, escapeHtml);
  };
  rules.code_block = (tokens, index, _options, env) =>
    codeBlock(tokens[index]?.content ?? '', '', env?.[IS_COLOURED] !== false, escapeHtml);
  for (const cell of ['th_open', 'td_open'] as const) {
    rules[cell] = (tokens, index) => {
      const side = /(left|right|center)/.exec(String(tokens[index]?.attrGet('style') ?? ''))?.[1];
      return `<${cell.slice(0, 2)}${side ? ` class="${side}"` : ''}>`;
    };
  }
  return md;
}

function codeBlock(
  code: string,
  language: string,
  isColoured: boolean,
  escapeHtml: (text: string) => string,
): string {
  const inner = (isColoured ? highlight(code, language.toLowerCase()) : null) ?? escapeHtml(code);
  return `<div class="code"><div class="code-head"><span>${escapeHtml(language)}</span></div><pre><code>${inner}</code></pre></div>`;
}
