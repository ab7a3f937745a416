/** Finds the prefix of a streamed Markdown text that can't change any more, so that it is rendered only once. */

import type { MarkdownIt } from 'markdown-it';
import { IS_GROWING, isOpenFormula } from './maths-plugin.ts';

/**
 * Length of the prefix of `text` that consists of complete blocks.
 *
 * In CommonMark, the first line of the next block closes a block for good. The last line may still change its
 * meaning, and the last block may continue; neither counts.
 */
export function stablePrefixLength(md: MarkdownIt, text: string): number {
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  const tokens = md.parse(complete, { [IS_GROWING]: true });
  const starts = tokens.flatMap((token) =>
    token.level === 0 && token.nesting >= 0 && token.map ? [token.map[0]] : [],
  );
  // If the formula is never closed, it belongs to the paragraph right above it.
  if (isOpenFormula(tokens.at(-1)) && !isBlankBefore(complete, starts.at(-1) ?? 0)) starts.pop();
  const last = starts.at(-1);
  return starts.length < 2 || last === undefined ? 0 : offsetOfLine(complete, last);
}

/** Whether the text has link definitions (`[name]: url`): they affect earlier blocks, so it is rendered again at the end. */
export function hasLinkDefinitions(text: string): boolean {
  return /^ {0,3}\[(?!\^)[^\]\n]+\]:/m.test(text);
}

function isBlankBefore(text: string, line: number): boolean {
  const end = offsetOfLine(text, line) - 1;
  return text.slice(text.lastIndexOf('\n', end - 1) + 1, end).trim() === '';
}

function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let passed = 0; passed < line; passed += 1) offset = text.indexOf('\n', offset) + 1;
  return offset;
}
