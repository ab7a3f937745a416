/** markdown-it plugin for `<details>` with a `<summary>`; no other HTML. Their content is Markdown. */

import { t } from '@jupyter-ac/messages';
import type { MarkdownIt, StateBlock } from 'markdown-it';
import { canContain, lineText, pushContainer } from './nested-blocks.ts';

const OPEN = /^<details(?: +open(?:="[a-z]{0,8}")?)? *>/i;
const TAGS = /<details(?: [^<>\n]{0,100})?>|<\/details *>/gi;
const FENCE = /^(?:`{3,}|~{3,})/;
const SUMMARY = /^\s{0,100}<summary>/i;
/** Tags in summaries that only stress their text. */
const STRESS = /<\/?(?:b|strong|i|em|code|h[1-6])>/gi;
const SUMMARY_END = '</summary>';
/** Characters of a summary; a longer one is cut there. */
const LONGEST_SUMMARY = 500;

export function detailsPlugin(md: MarkdownIt): void {
  md.block.ruler.before('fence', 'details', details, { alt: ['paragraph', 'reference', 'blockquote'] });
  const { rules } = md.renderer;
  rules.details_open = (tokens, index) => (tokens[index]?.meta?.isOpen ? '<details open>\n' : '<details>\n');
  rules.details_close = () => '</details>\n';
}

function details(state: StateBlock, line: number, end: number, isSilent: boolean): boolean {
  const opened = OPEN.exec(lineText(state, line) ?? '')?.[0];
  if (!opened || !canContain(state, line)) return false;
  if (isSilent) return true;
  const { text, next } = contentOf(state, line, end);
  const { summary, content } = withoutSummary(text.slice(opened.length));
  pushContainer(state, 'details', [line, next], content, (open) => {
    open.meta = { isOpen: /open/i.test(opened.slice('<details'.length)) };
    state.push('summary_open', 'summary', 1);
    const inline = state.push('inline', '', 0);
    inline.content = summary;
    inline.children = [];
    state.push('summary_close', 'summary', -1);
  });
  return true;
}

/** The text up to the matching end, or to the end of the surrounding block; `next`: the line behind it. */
function contentOf(state: StateBlock, from: number, end: number): { text: string; next: number } {
  const lines: string[] = [];
  let depth = 0;
  let fence = '';
  for (let line = from; line < end; line += 1) {
    const text = lineText(state, line);
    if (text === null) return { text: lines.join('\n'), next: line };
    const closes = closingAt(text, fence, depth);
    fence = fenceAfter(text, fence);
    depth = closes.depth;
    const indented = state.getLines(line, line + 1, state.blkIndent, false);
    if (depth > 0) {
      lines.push(line === from ? text : indented);
      continue;
    }
    // What follows the end on its line stays in the text.
    lines.push(text.slice(0, closes.at) + text.slice(closes.end));
    return { text: lines.join('\n'), next: line + 1 };
  }
  return { text: lines.join('\n'), next: end };
}

function closingAt(text: string, fence: string, before: number): { depth: number; at: number; end: number } {
  let depth = before;
  if (fence) return { depth, at: 0, end: 0 };
  for (const { 0: tag, index } of text.matchAll(TAGS)) {
    depth += tag.startsWith('</') ? -1 : 1;
    if (depth === 0) return { depth, at: index, end: index + tag.length };
  }
  return { depth, at: 0, end: 0 };
}

/** The open fence behind a line; '' for none. */
function fenceAfter(text: string, fence: string): string {
  const marks = FENCE.exec(text)?.[0] ?? '';
  if (!fence) return marks;
  return marks.startsWith(fence) && text.trim() === marks ? '' : fence;
}

function withoutSummary(text: string): { summary: string; content: string } {
  const opened = SUMMARY.exec(text)?.[0];
  if (!opened) return { summary: t('Details'), content: text };
  const rest = text.slice(opened.length);
  const at = rest.toLowerCase().indexOf(SUMMARY_END);
  const length = at < 0 ? (rest.split('\n', 1)[0]?.length ?? 0) : at;
  const summary = rest
    .slice(0, length)
    .replace(STRESS, '')
    .replaceAll('\n', ' ')
    .trim()
    .slice(0, LONGEST_SUMMARY);
  return { summary: summary || t('Details'), content: rest.slice(at < 0 ? length : at + SUMMARY_END.length) };
}
