/** Cuts a growing text where its beginning can't change any more, so that it is drawn only once. */

import type { MarkdownIt } from 'markdown-it';

/**
 * How many characters of `text` are whole blocks that no further text can alter.
 *
 * In CommonMark a block is closed by the next one's first line, for good. The last line may still
 * grow into something else, and the last block may go on; neither counts.
 */
export function settledLength(md: MarkdownIt, text: string): number {
  const complete = text.slice(0, text.lastIndexOf('\n') + 1);
  const starts = md
    .parse(complete, {})
    .flatMap((token) => (token.level === 0 && token.nesting >= 0 && token.map ? [token.map[0]] : []));
  const last = starts.at(-1);
  return starts.length < 2 || last === undefined ? 0 : offsetOfLine(complete, last);
}

/** A definition (`[name]: url`) works on the whole text, so such a text is drawn whole at the end. */
export function hasDefinitions(text: string): boolean {
  return /^ {0,3}\[[^\]\n]+\]:/m.test(text);
}

function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let passed = 0; passed < line; passed += 1) offset = text.indexOf('\n', offset) + 1;
  return offset;
}
