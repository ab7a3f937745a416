/** Says where a word without an end may be broken: browsers take long to find that out by themselves. */

/** Characters of a word beyond which it gets such places, as far apart. */
export const MAX_UNBROKEN = 1000;
/** Marks that belong to the letter before them; more of them are no letter any more. */
const MAX_COMBINING = 8;
const WORDS = /\S+/g;
const MARK = /^[\p{M}\u200d]/u;

/**
 * The text stays what it is. In `pre` nothing is broken anyway.
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

/** The first place from `at` on that divides no character. */
function placeAt(data: string, at: number): number {
  const isLow = /^[\udc00-\udfff]/.test(data.charAt(at));
  let place = isLow ? at + 1 : at;
  for (let marks = 0; marks < MAX_COMBINING && MARK.test(data.charAt(place)); marks += 1) place += 1;
  return place;
}
