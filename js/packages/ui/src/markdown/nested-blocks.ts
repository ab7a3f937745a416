/** Blocks that contain Markdown, for markdown-it plugins whose content is not cut at the lines of the text. */

import type { StateBlock, Token } from 'markdown-it';

/** Deeper containers are left as text. */
const DEEPEST = 6;
const DEPTH = 'containerDepth';

/** Text of a line without its indentation; null where it belongs to another block. */
export function lineText(state: StateBlock, line: number): string | null {
  const indent = (state.sCount[line] ?? 0) - state.blkIndent;
  if (indent < 0 && !state.isEmpty(line)) return null;
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}

/** Whether a container may begin at a line: not code by its indentation, and not nested too deep. */
export function canContain(state: StateBlock, line: number): boolean {
  return (state.sCount[line] ?? 0) - state.blkIndent < 4 && depthOf(state.env) < DEEPEST;
}

/** Adds the tokens of a container: `open`, those of `content`, `close`. */
export function pushContainer(
  state: StateBlock,
  name: string,
  lines: readonly [from: number, end: number],
  content: string,
  head: (open: Token) => void,
): void {
  const open = state.push(`${name}_open`, 'div', 1);
  open.block = true;
  open.map = [...lines];
  head(open);
  const inner: Token[] = [];
  const { env } = state;
  const before = depthOf(env);
  env[DEPTH] = before + 1;
  state.md.block.parse(content, state.md, env, inner);
  env[DEPTH] = before;
  for (const token of inner) {
    // Lines are those of the content, not of the text.
    token.map = null;
    token.level += state.level;
    state.tokens.push(token);
  }
  state.push(`${name}_close`, 'div', -1).block = true;
  state.line = lines[1];
}

function depthOf(env: unknown): number {
  const depth = (env as Record<string, unknown>)[DEPTH];
  return typeof depth === 'number' ? depth : 0;
}
