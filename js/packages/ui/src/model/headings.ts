/** Resolves the anchor of a Markdown link to its heading's line. Pure. */

const MARKDOWN = /\.(?:md|markdown|mdx|qmd|rmd)$/i;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}\s+(\S[\s\S]*)$/;

/** @returns its line, from 1; 0 where no heading has this anchor */
export function headingLine(path: string, text: string, anchor: string): number {
  if (!MARKDOWN.test(path)) return 0;
  const seen = new Map<string, number>();
  let fence = '';
  for (const [index, line] of text.split('\n').entries()) {
    const [, mark = ''] = FENCE.exec(line) ?? [];
    if (mark && (!fence || mark.startsWith(fence))) fence = fence ? '' : mark;
    const [, heading] = (!fence && HEADING.exec(line)) || [];
    if (heading === undefined) continue;
    const slug = slugOf(withoutClosing(heading.trimEnd()));
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    if (anchor.toLowerCase() === (before ? `${slug}-${before}` : slug)) return index + 1;
  }
  return 0;
}

/** Without the closing `##` of an ATX heading. */
function withoutClosing(heading: string): string {
  let end = heading.length;
  while (heading[end - 1] === '#') end -= 1;
  const bare = heading.slice(0, end).trimEnd();
  return bare.length < end && bare ? bare : heading;
}

/** Slug of a heading, by the rules of the usual repository hosts. */
function slugOf(heading: string): string {
  return withoutTargets(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');
}

/** Replaces `[text](target)` by `[text`. A scanner: a regular expression would be quadratic. */
function withoutTargets(heading: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const begin = heading.indexOf('](', from);
    const end = begin < 0 ? -1 : heading.indexOf(')', begin);
    if (end < 0) break;
    kept.push(heading.slice(from, begin));
    from = end + 1;
  }
  return kept.join('') + heading.slice(from);
}
