/**
 * Converts MathML to MathML Core, which browsers support: `mathvariant` letters, lines over, under, around and
 * through a term, table columns, spaces around function names.
 */

/** First code points of Latin capitals, Latin small letters, digits, Greek capitals and Greek small letters. */
type Starts = readonly [number, number, number?, number?, number?];

const VARIANTS: Readonly<Record<string, Starts>> = {
  bold: [0x1d400, 0x1d41a, 0x1d7ce, 0x1d6a8, 0x1d6c2],
  italic: [0x1d434, 0x1d44e, 0, 0x1d6e2, 0x1d6fc],
  'bold-italic': [0x1d468, 0x1d482, 0, 0x1d71c, 0x1d736],
  script: [0x1d49c, 0x1d4b6],
  'bold-script': [0x1d4d0, 0x1d4ea],
  fraktur: [0x1d504, 0x1d51e],
  'bold-fraktur': [0x1d56c, 0x1d586],
  'double-struck': [0x1d538, 0x1d552, 0x1d7d8],
  'sans-serif': [0x1d5a0, 0x1d5ba, 0x1d7e2],
  'bold-sans-serif': [0x1d5d4, 0x1d5ee, 0x1d7ec],
  'sans-serif-italic': [0x1d608, 0x1d622],
  'sans-serif-bold-italic': [0x1d63c, 0x1d656],
  monospace: [0x1d670, 0x1d68a, 0x1d7f6],
};
/** Letters that Unicode encoded before the mathematical alphabets, outside their ranges. */
const PREDATING_LETTERS: Readonly<Record<string, string>> = {
  italic: 'hℎ',
  script: 'BℬEℰFℱHℋIℐLℒMℳRℛeℯgℊoℴ',
  fraktur: 'CℭHℌIℑRℜZℨ',
  'double-struck': 'CℂHℍNℕPℙQℚRℝZℤ',
};
const RANGES = ['AZ', 'az', '09', 'ΑΩ', 'αω'];
const LINE = '‾';
const APPLIED = '\u2061';
/** Space between a function name and its neighbour, in em. */
const THIN = '0.1667em';
/** Accents as the fonts define them, instead of the ASCII characters, which are too large and too high. */
const ACCENTS: Readonly<Record<string, string>> = { '^': 'ˆ', '~': '˜' };
const SIDES: ReadonlySet<string | undefined> = new Set(['left', 'right']);
const LINES: ReadonlySet<string | undefined> = new Set(['solid', 'dashed']);
const ENCLOSURES: ReadonlySet<string> = new Set([
  ...['box', 'top', 'right', 'bottom', 'left'],
  ...['updiagonalstrike', 'downdiagonalstrike', 'horizontalstrike'],
]);

/** @param nodes - a formula; changed in place */
export function toMathMlCore(nodes: DocumentFragment): void {
  for (const token of nodes.querySelectorAll('[mathvariant]')) {
    const kind = token.getAttribute('mathvariant') ?? '';
    if (!VARIANTS[kind]) continue;
    token.textContent = [...(token.textContent ?? '')].map((letter) => toVariant(letter, kind)).join('');
    token.removeAttribute('mathvariant');
  }
  for (const lined of nodes.querySelectorAll('mover, munder')) {
    const [base, line] = lined.children;
    if (!base || lined.children.length !== 2 || line?.textContent !== LINE) continue;
    // No font at hand has such a line in every width.
    base.classList.add(lined.localName === 'mover' ? 'overline' : 'underline');
    lined.replaceWith(base);
  }
  for (const sign of nodes.querySelectorAll('mover[accent] > mo'))
    sign.textContent = ACCENTS[sign.textContent ?? ''] ?? sign.textContent;
  for (const sign of nodes.querySelectorAll(':is(msup, msubsup) mo'))
    if (/^′+$/.test(sign.textContent ?? '')) lower(sign);
  for (const padded of nodes.querySelectorAll('mpadded[width^="+"]')) pad(padded);
  for (const enclosed of nodes.querySelectorAll('menclose')) {
    const lines = enclosed.getAttribute('notation')?.split(' ') ?? [];
    enclosed.classList.add(...lines.filter((line) => ENCLOSURES.has(line)));
  }
  for (const name of nodes.querySelectorAll('mo')) if (name.textContent === APPLIED) setApart(name);
  for (const table of nodes.querySelectorAll('mtable')) setColumns(table);
}

/** A prime has its height and its size from the font already. */
function lower(prime: Element): void {
  const lowered = document.createElementNS(prime.namespaceURI, 'mpadded');
  for (const [name, value] of [
    ['scriptlevel', '0'],
    ['voffset', '-0.4em'],
    ['height', '0.4em'],
  ] as const)
    lowered.setAttribute(name, value);
  prime.replaceWith(lowered);
  lowered.append(prime);
}

/** Browsers don't add to a width, but count blanks. */
function pad(padded: Element): void {
  const room = padded.getAttribute('lspace') ?? '0em';
  for (const name of ['width', 'lspace']) padded.removeAttribute(name);
  padded.prepend(space(padded, room));
  padded.append(space(padded, room));
}

/** The name of a function, of which `sign` is the last part: with its indices it is one term. */
function setApart(sign: Element): void {
  let term = sign;
  for (let around = term.parentElement; around && isNameIn(term, around); around = term.parentElement)
    term = around;
  const first = term === sign ? sign.previousElementSibling : term;
  const { previousElementSibling: before } = first ?? sign;
  const { nextElementSibling: after } = term;
  if (first && before && (before.localName !== 'mo' || isClosing(before))) first.before(space(sign, THIN));
  if (after && after.localName !== 'mo') term.after(space(sign, THIN));
}

function isNameIn(term: Element, around: Element): boolean {
  if (around.localName === 'mrow') return around.childElementCount <= 2 && around.lastElementChild === term;
  return (
    /^m(?:sub|sup|subsup|under|over|underover)$/.test(around.localName) && around.firstElementChild === term
  );
}

function isClosing({ textContent }: Element): boolean {
  return textContent !== null && ')]}|!′'.includes(textContent);
}

function space(beside: Element, width: string): Element {
  const blank = document.createElementNS(beside.namespaceURI, 'mspace');
  blank.setAttribute('width', width);
  return blank;
}

/** Each attribute has a word for each column, or for each gap between two. */
function setColumns(table: Element): void {
  const [sides, gaps, lines, rules] = ['columnalign', 'columnspacing', 'columnlines', 'rowlines'].map(
    (name) => table.getAttribute(name)?.split(' ') ?? [],
  );
  for (const [y, row] of [...table.children].entries()) {
    for (const [x, cell] of [...row.children].entries()) {
      if (SIDES.has(sides?.[x])) cell.classList.add(`to-${sides?.[x]}`);
      if (gaps?.[x] === '0em') cell.classList.add('joined-right');
      if (x && gaps?.[x - 1] === '0em') cell.classList.add('joined-left');
      if (LINES.has(lines?.[x])) cell.classList.add(`${lines?.[x]}-right`);
      if (LINES.has(rules?.[y])) cell.classList.add(`${rules?.[y]}-below`);
    }
  }
}

function toVariant(letter: string, kind: string): string {
  const earlier = PREDATING_LETTERS[kind]?.indexOf(letter) ?? -1;
  if (earlier >= 0 && earlier % 2 === 0) return PREDATING_LETTERS[kind]?.[earlier + 1] ?? letter;
  const range = RANGES.findIndex(([first = '', last = '']) => letter >= first && letter <= last);
  const start = VARIANTS[kind]?.[range];
  const first = RANGES[range]?.codePointAt(0);
  const code = letter.codePointAt(0);
  return start && first && code ? String.fromCodePoint(start + code - first) : letter;
}
