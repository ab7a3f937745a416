/**
 * Footnotes: `[^label]` and `[^label]: text`. Each is shown where it is written, so that nothing moves while an
 * answer is streamed. There are no ids: references and notes of one answer find each other by their labels.
 */

import { t } from '@jupyter-ac/messages';
import type { MarkdownIt, StateBlock, StateInline } from 'markdown-it';
import { canContain, lineText, pushContainer } from './nested-blocks.ts';

const REFERENCE = /^\[\^([\p{L}\p{N}_-]{1,40})\](?![(:])/u;
const NOTE = /^\[\^([\p{L}\p{N}_-]{1,40})\]:[ \t]*/u;
/** Longest reference in characters, so that each is looked for in a short text. */
const LONGEST = 44;
const INDENT = 4;
/** Characters of a note that its reference shows on hover. */
const LONGEST_TITLE = 300;

export function footnotesPlugin(md: MarkdownIt): void {
  md.block.ruler.before('reference', 'footnote', note, { alt: ['paragraph', 'reference'] });
  md.inline.ruler.before('link', 'footnote_ref', reference);
  const { rules } = md.renderer;
  const { escapeHtml } = md.utils;
  const labelOf = (meta: unknown) => escapeHtml(String((meta as { label?: string } | null)?.label ?? ''));
  rules.footnote_ref = (tokens, index) => {
    const label = labelOf(tokens[index]?.meta);
    return `<sup class="footnote-ref" title="${label}">${label}</sup>`;
  };
  rules.footnote_open = (tokens, index) => {
    const label = labelOf(tokens[index]?.meta);
    return `<div class="footnote" title="${label}"><span class="footnote-label">${label}</span><div>\n`;
  };
  rules.footnote_close = () => '</div></div>\n';
}

function reference(state: StateInline, isSilent: boolean): boolean {
  const { pos, src } = state;
  if (src.charAt(pos) !== '[' || src.charAt(pos + 1) !== '^') return false;
  const found = REFERENCE.exec(src.slice(pos, pos + LONGEST));
  if (!found) return false;
  if (!isSilent) state.push('footnote_ref', '', 0).meta = { label: found[1] };
  state.pos += found[0].length;
  return true;
}

function note(state: StateBlock, line: number, end: number, isSilent: boolean): boolean {
  const text = lineText(state, line) ?? '';
  const found = NOTE.exec(text);
  if (!found || !canContain(state, line)) return false;
  if (isSilent) return true;
  const lines = [text.slice(found[0].length)];
  let next = line + 1;
  for (; next < end; next += 1) {
    const more = lineText(state, next);
    if (more === null || !belongs(state, next, end, more)) break;
    lines.push(state.getLines(next, next + 1, state.blkIndent + INDENT, false));
  }
  pushContainer(state, 'footnote', [line, next], lines.join('\n'), (open) => {
    open.meta = { label: found[1] };
  });
  return true;
}

/** Whether a line belongs to the note above: indented, or the rest of its paragraph. */
function belongs(state: StateBlock, line: number, end: number, text: string): boolean {
  if (state.isEmpty(line)) {
    const next = line + 1;
    return next < end && !state.isEmpty(next) && isIndented(state, next);
  }
  return (
    isIndented(state, line) ||
    (!state.isEmpty(line - 1) && !NOTE.test(text) && !/^(?:[#>|*+-]|`{3})/.test(text))
  );
}

function isIndented(state: StateBlock, line: number): boolean {
  return (state.sCount[line] ?? 0) - state.blkIndent >= INDENT;
}

/**
 * Connects the references and the notes of a complete answer; a reference without a note becomes text again.
 * Idempotent.
 */
export function connectFootnotes(answer: ParentNode): void {
  for (const mark of answer.querySelectorAll<HTMLElement>('sup.footnote-ref:not(:has(button))')) {
    const label = mark.title;
    const found = noteOf(answer, label);
    if (found) mark.replaceChildren(referenceButton(answer, label, found));
    else mark.replaceWith(`[^${label}]`);
    mark.removeAttribute('title');
  }
  for (const found of answer.querySelectorAll<HTMLElement>('.footnote[title]')) {
    const label = found.title;
    found.removeAttribute('title');
    found.dataset.label = label;
    found.tabIndex = -1;
    if (referenceTo(answer, label)) found.lastElementChild?.append(backButton(answer, label));
  }
}

function noteOf(answer: ParentNode, label: string): HTMLElement | undefined {
  return [...answer.querySelectorAll<HTMLElement>('.footnote')].find(
    ({ title, dataset }) => title === label || dataset.label === label,
  );
}

function referenceTo(answer: ParentNode, label: string): HTMLElement | undefined {
  return [...answer.querySelectorAll<HTMLElement>('.footnote-ref button')].find(
    ({ dataset }) => dataset.label === label,
  );
}

function referenceButton(answer: ParentNode, label: string, found: HTMLElement): HTMLButtonElement {
  const words = (found.lastElementChild?.textContent ?? '').trim();
  const button = newButton(label, t('Footnote %1', label));
  button.title = words.length > LONGEST_TITLE ? `${words.slice(0, LONGEST_TITLE)} …` : words;
  button.dataset.label = label;
  button.addEventListener('click', () => reveal(noteOf(answer, label)));
  return button;
}

function backButton(answer: ParentNode, label: string): HTMLButtonElement {
  const button = newButton('↩', t('Back to the reference of footnote %1', label));
  button.className = 'footnote-back';
  button.addEventListener('click', () => reveal(referenceTo(answer, label)));
  return button;
}

function newButton(words: string, name: string): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = words;
  button.setAttribute('aria-label', name);
  return button;
}

function reveal(element: HTMLElement | undefined): void {
  const closed = element?.closest('details:not([open])');
  closed?.toggleAttribute('open', true);
  element?.scrollIntoView({ block: 'nearest' });
  element?.focus({ preventScroll: true });
}
