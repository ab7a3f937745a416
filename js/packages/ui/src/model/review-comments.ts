/** Comments of answers on lines of files: where an answer names `path:line`, and what it says there. Pure. */

import { mentionsIn, type PathResolver } from './mentions.ts';
import type { Message } from './messages.ts';
import type { Session } from './session.ts';

export interface ReviewComment {
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Last line, the same for a single one. */
  readonly end: number;
  /** Plain text, untrusted. */
  readonly text: string;
}

const MAX_COMMENTS = 500;
const MAX_TEXT = 600;
/** Lines that a comment is shown for at most. */
const MAX_LINES = 200;
/** `12-20` at the end of a written location. */
const RANGE_END = /[-–]L?(\d{1,7})$/;
const FENCE = /^\s*(?:```|~~~)/;
/** A new list item, heading or table row is a text of its own. */
const NEW_ITEM = /^\s*(?:[-*+]|\d{1,3}[.)]|#{1,6}|\|)\s/;
const BLOCK_MARK = /^\s*(?:(?:[-*+]|\d{1,3}[.)]|#{1,6}|>)\s+)+/;

/** The comments of the answers since the review began, or of all, if its beginning isn't among them. */
export function reviewComments(messages: readonly Message[], files: PathResolver): ReviewComment[] {
  const start = messages.findLastIndex(({ kind }) => kind === 'review_started');
  const answers = messages.slice(start + 1).filter(({ role }) => role === 'assistant');
  const found = answers.flatMap(({ content }) => commentsIn(content, files));
  return found.slice(-MAX_COMMENTS);
}

/** The comments of a session's answers on a file under review, by line. */
export function commentsOn(path: string, { review, chat, links }: Session): ReviewComment[] {
  if (!review.file(path)) return [];
  const files: PathResolver = {
    // A deleted file is in no list of files.
    resolve: (written) => (review.file(written) ? written : links.files.resolve(written)),
  };
  const comments = reviewComments(chat.messages, files).filter((comment) => comment.path === path);
  return comments.sort((one, other) => one.line - other.line);
}

/** The comments of one answer. */
export function commentsIn(answer: string, files: PathResolver): ReviewComment[] {
  const blocks = blocksOf(answer);
  return blocks.flatMap((block, at) => commentsInBlock(block, blocks[at + 1] ?? '', files));
}

function commentsInBlock(block: string, next: string, files: PathResolver): ReviewComment[] {
  const mentions = mentionsIn(block, files).filter(({ location }) => location.line > 0);
  // A heading that only names a line is about the text below it.
  const [only, ...others] = mentions;
  const isHeading =
    others.length === 0 && only !== undefined && block.length - (only.end - only.start) < 'Lines: '.length;
  const text = isHeading && next ? `${block} ${next}` : block;
  return mentions.map(({ start, end, location }, at) => {
    const { path, line } = location;
    const last = Number(RANGE_END.exec(block.slice(start, end))?.[1] ?? line);
    const from = at === 0 ? 0 : sentenceStart(text, start);
    const until = mentions[at + 1] ? sentenceStart(text, mentions[at + 1]?.start ?? 0) : text.length;
    const said = text.slice(from, until > end ? until : text.length).trim();
    return { path, line, end: Math.min(Math.max(line, last), line + MAX_LINES), text: shortened(said) };
  });
}

/** Paragraphs and list items without their marks; code blocks are left out. */
function blocksOf(answer: string): string[] {
  const blocks: string[] = [];
  let isCode = false;
  let isOpen = false;
  for (const line of answer.split('\n')) {
    if (FENCE.test(line)) isCode = !isCode;
    const isText = !isCode && !FENCE.test(line) && line.trim() !== '';
    const words = isText ? plain(line) : '';
    if (words && isOpen && !NEW_ITEM.test(line)) blocks[blocks.length - 1] += ` ${words}`;
    else if (words) blocks.push(words);
    isOpen = isText;
  }
  return blocks;
}

/** A line without the marks of Markdown around its words. */
function plain(line: string): string {
  return line
    .replace(BLOCK_MARK, '')
    .replace(/`+|\*\*/g, '')
    .trim();
}

/** Where the sentence that contains `offset` begins. */
function sentenceStart(text: string, offset: number): number {
  const before = text.slice(0, offset);
  const end = Math.max(...['. ', '! ', '? ', '; '].map((mark) => before.lastIndexOf(mark)));
  return end < 0 ? 0 : end + 2;
}

function shortened(text: string): string {
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
}
