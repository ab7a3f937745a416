/** Inserts break opportunities (`<wbr>`) into extremely long words: finding breaks takes browsers quadratic time. */

/** Words longer than this get a break opportunity at this interval. */
export const MAX_UNBROKEN = 1000;
/** Number of combining marks that are kept with their letter. */
const MAX_COMBINING = 8;
const WORDS = /\S+/g;
const MARK = /^[\p{M}\u200d]/u;

/**
 * The text content doesn't change. `pre` is skipped, since its lines aren't wrapped.
 *
 * Without it a line of 700,000 letters with combining marks takes Chromium 15 seconds: the time that it
 * looks for a break grows with the square of the word.
 */
export function addWordBreaks(nodes: Node): void {
  const walker = document.createTreeWalker(nodes, NodeFilter.SHOW_TEXT);
  const long: Text[] = [];
  while (walker.nextNode()) {
    const text = walker.currentNode as Text;
    if (text.data.length > MAX_UNBROKEN && !text.parentElement?.closest('pre')) long.push(text);
  }
  for (const text of long) breakWords(text);
}

function breakWords(text: Text): void {
  const { data } = text;
  const pieces: (string | Node)[] = [];
  let start = 0;
  for (const { 0: word, index } of data.matchAll(WORDS)) {
    const end = index + word.length;
    for (let at = placeAt(data, index + MAX_UNBROKEN); at < end; at = placeAt(data, at + MAX_UNBROKEN)) {
      pieces.push(data.slice(start, at), document.createElement('wbr'));
      start = at;
    }
  }
  if (pieces.length) text.replaceWith(...pieces, data.slice(start));
}

/** The first offset from `at` on that doesn't split a character. */
function placeAt(data: string, at: number): number {
  const isLow = /^[\udc00-\udfff]/.test(data.charAt(at));
  let place = isLow ? at + 1 : at;
  for (let marks = 0; marks < MAX_COMBINING && MARK.test(data.charAt(place)); marks += 1) place += 1;
  return place;
}
