/** Mentions such as `@cell:3` and `@var:df` in a question; `%%ac` finds the same ones. Pure. */

import type { MenuItem, Trigger } from './input-menu.ts';

export type MentionKind = 'var' | 'cell' | 'output' | 'selection' | 'error' | 'notebook' | 'file';

export interface ContextMention {
  /** As it is written. */
  readonly text: string;
  readonly kind: MentionKind;
  /** Name of a variable, number of a cell from 1, path of a file; '' for the active cell or the kernel's last error. */
  readonly argument: string;
  /** A blank follows: it is not being typed any more. */
  readonly isComplete: boolean;
}

/** What the panel does with mentions; loaded on demand. */
export interface Mentions {
  /** What the menu at the input offers; `renew` is called when there is more. */
  offers(trigger: Trigger, renew: () => void): readonly MenuItem[];
  /** Call it when the user has typed: a mention with something behind it becomes a chip. */
  typed(): void;
  /** Adds what a mention means; resolves to whether that was possible. A failure is a chip. */
  add(mention: Pick<ContextMention, 'kind' | 'argument'>): Promise<boolean>;
  /** Adds what the draft mentions. Resolves to whether the question may be sent; null: there is nothing to add. */
  admit(): Promise<boolean> | null;
}

/** Only the beginning of a longer text is searched: it is searched at each key. */
const MAX_CHARACTERS = 20_000;
const MENTION =
  /(?<![\p{L}\p{N}_`@.:/-])@(?:var:([\p{L}_][\p{L}\p{N}_]{0,199})(?![\p{L}\p{N}_])|(cell|output|error)(?::(\d{1,6})(?![\p{L}\p{N}_])|(?![\p{L}\p{N}_(/-])(?![.:][\p{L}\p{N}_]))|(selection|notebook)(?![\p{L}\p{N}_(/-])(?!\.[\p{L}\p{N}_])|file:(?:"([^"\n]{1,500})"|(?!")([^\s"]{1,500})))/gu;
/** A blank ends a mention, also after a sign: `@cell:` may become `@cell:3`. */
const FOLLOWED = /^[,.;:!?)\]}>'"*`]{0,2}\s/;
/**
 * A fence of backticks or tildes, up to as many at the start of a line, else to the end; text may stand before
 * backticks. Or a span, which ends with as many backticks as it begins with.
 */
const CODE =
  /(?<fence>(?<!`)`{3,}(?=[^`\n]*(?:\n|$))|(?<=(?:^|\n) {0,3})~{3,})[^\n]*(?:\n[\s\S]*?(?:(?<=\n {0,3})\k<fence>[`~]*[ \t]*(?![^\n])|$)|$)|(?<!`)(?<ticks>`+)(?!`)[^\n]*?(?<!`)\k<ticks>(?!`)/g;
const TAIL = ",.;:!?)]}>'`";

/** The mentions of a text, each once. Code between backticks has none: decorators look like them. */
export function contextMentions(question: string): ContextMention[] {
  const prose = question.slice(0, MAX_CHARACTERS).replace(CODE, ' ');
  const found = new Map<string, ContextMention>();
  for (const match of prose.matchAll(MENTION)) {
    const [whole, name, numbered, number = '', word, quoted, bare] = match;
    const path = quoted ?? withoutTail(bare ?? '');
    if (bare !== undefined && !path) continue;
    const kind = (name ? 'var' : (numbered ?? word ?? 'file')) as MentionKind;
    const text = path && quoted === undefined ? `@file:${path}` : whole;
    const isComplete = FOLLOWED.test(prose.slice(match.index + whole.length, match.index + whole.length + 3));
    const known = found.get(text)?.isComplete ?? false;
    found.set(text, { text, kind, argument: name ?? (number || path), isComplete: isComplete || known });
  }
  return [...found.values()];
}

function withoutTail(path: string): string {
  let end = path.length;
  while (end > 0 && TAIL.includes(path[end - 1] ?? '')) end -= 1;
  return path.slice(0, end);
}
