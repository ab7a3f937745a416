/** Cuts a growing text where its beginning can't change any more, so that it is drawn only once. */

import type { MarkdownIt } from 'markdown-it';
import { IS_GROWING, isOpenFormula } from './maths-plugin.ts';

/**
 * How many characters of `text` are whole blocks that no further text can alter.
 *
 * In CommonMark a block is closed by the next one's first line, for good. The last line may still
 * grow into something else, and the last block may go on; neither counts.
 */
export function stablePrefixLength(md: MarkdownIt, text: string): number {
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  const tokens = md.parse(complete, { [IS_GROWING]: true });
  const starts = tokens.flatMap((token) =>
    token.level === 0 && token.nesting >= 0 && token.map ? [token.map[0]] : [],
  );
  // Should it never be closed, then it goes on with what is right above it.
  if (isOpenFormula(tokens.at(-1)) && !isBlankBefore(complete, starts.at(-1) ?? 0)) starts.pop();
  const last = starts.at(-1);
  return starts.length < 2 || last === undefined ? 0 : offsetOfLine(complete, last);
}

/** A definition (`[name]: url`) works on the whole text, so such a text is drawn whole at the end. */
export function hasLinkDefinitions(text: string): boolean {
  return /^ {0,3}\[[^\]\n]+\]:/m.test(text);
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
