/** Search within a conversation: over the messages themselves, whether they are drawn or not. Pure. */

import { t } from '@jupyter-ac/messages';
import type { AnswerSegment } from './answer-segments.ts';
import { splitAnswer } from './answer-segments.ts';
import type { Message } from './messages.ts';

export interface FindOptions {
  readonly isCaseMatched: boolean;
  readonly isWholeWord: boolean;
  readonly isRegex: boolean;
}

export const PLAIN: FindOptions = { isCaseMatched: false, isWholeWord: false, isRegex: false };

/** A hit: the message, and which of its hits it is, from 0. */
export interface Hit {
  readonly key: string;
  readonly number: number;
}

/** More hits than this are not listed. */
export const MOST_HITS = 10_000;

const TOO_SLOW = t(
  'This repeats a repetition, such as (a+)+, and could take too long. Write it with one repetition.',
);

/** The pattern of a query; the reason as text when it is no regular expression; null for an empty query. */
export function patternOf(query: string, options: FindOptions): RegExp | string | null {
  if (!query) return null;
  if (options.isRegex && repeatsRepetitions(query)) return TOO_SLOW;
  const source = options.isRegex ? query : query.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const whole = options.isWholeWord ? `(?<![\\p{L}\\p{N}_])(?:${source})(?![\\p{L}\\p{N}_])` : source;
  try {
    return new RegExp(whole, options.isCaseMatched ? 'gmu' : 'gimu');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether an expression repeats what repeats, such as `(a+)+`: that may take years on a text that almost fits. */
export function repeatsRepetitions(source: string): boolean {
  const groups: boolean[] = [];
  let repeats = false;
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at];
    if (sign === '\\') at += 1;
    else if (sign === '[') at = endOfClass(source, at);
    else if (sign === '(') {
      groups.push(repeats);
      repeats = false;
    } else if (sign === ')') {
      const isRepeated = isQuantifier(source[at + 1]);
      if (repeats && isRepeated) return true;
      repeats = (groups.pop() ?? false) || repeats || isRepeated;
    } else if (isQuantifier(sign)) repeats = true;
  }
  return false;
}

function isQuantifier(sign: string | undefined): boolean {
  return sign === '*' || sign === '+' || sign === '{';
}

function endOfClass(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === ']') return at;
  }
  return source.length;
}

/** Offsets of the matches in a text; empty matches are left out. */
export function matchesIn(text: string, pattern: RegExp): [number, number][] {
  const found: [number, number][] = [];
  for (const match of text.matchAll(pattern)) {
    if (match[0]) found.push([match.index, match.index + match[0].length]);
    if (found.length >= MOST_HITS) break;
  }
  return found;
}

/** All hits of a pattern, in order. */
export function hitsOf(messages: readonly Message[], pattern: RegExp): Hit[] {
  const hits: Hit[] = [];
  for (const message of messages) {
    const count = matchesIn(shownText(message), pattern).length;
    for (let number = 0; number < count && hits.length < MOST_HITS; number += 1)
      hits.push({ key: message.key, number });
  }
  return hits;
}

const texts = new WeakMap<Message, string>();

/** About the text that a message shows: without the marks of Markdown, with the paths and lines of edits. */
export function shownText(message: Message): string {
  const known = texts.get(message);
  if (known !== undefined) return known;
  const made = splitAnswer(message.content, message.edits.list, message.state === 'streaming')
    .map((piece) => segmentText(piece, message.role === 'user'))
    .join('\n');
  texts.set(message, made);
  return made;
}

function segmentText(piece: AnswerSegment, isQuestion: boolean): string {
  if (piece.kind === 'calls') return '';
  if (piece.kind === 'card') return [piece.edit.path, piece.old, piece.new].join('\n');
  return isQuestion ? piece.text : withoutMarkdown(piece.text);
}

/** Removes the signs of Markdown outside of code. */
export function withoutMarkdown(markdown: string): string {
  return markdown
    .split(/^([ \t]*(?:```|~~~)[\s\S]*?^[ \t]*(?:```|~~~)[ \t]*$)/m)
    .map((part, index) => (index % 2 ? codeText(part) : proseText(part)))
    .join('');
}

function codeText(fence: string): string {
  const body = fence.slice(fence.indexOf('\n') + 1);
  return body.slice(0, Math.max(0, body.lastIndexOf('\n')));
}

function proseText(prose: string): string {
  return prose
    .replace(/^[ \t]{0,3}#{1,6}[ \t]+/gm, '')
    .replace(/^[ \t]*(?:>[ \t]?)+/gm, '')
    .replace(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+/gm, '')
    .replace(/^[ \t:|-]+$/gm, (line) => (line.includes('---') ? '' : line))
    .replace(/!?\[([^[\]\n]*)\]\([^()\n]*\)/g, '$1')
    .replace(/`+([^`\n]*)`+/g, '$1')
    .replace(/\*\*([^*\n]+)\*\*|__([^_\n]+)__/g, '$1$2')
    .replace(/(?<![\w*])[*_](?=\S)([^*_\n]*?\S)[*_](?![\w*])/g, '$1')
    .replaceAll('|', '\n');
}
