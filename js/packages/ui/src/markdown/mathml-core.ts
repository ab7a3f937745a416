/** Writes what browsers don't know of MathML as what they know: letters of other kinds, lines over and under. */

/** Where the Latin capitals, the small letters, the digits, the Greek capitals and the small ones begin. */
type Starts = readonly [number, number, number?, number?, number?];

const KINDS: Readonly<Record<string, Starts>> = {
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
/** Letters that Unicode had before it had their kinds. */
const EARLIER: Readonly<Record<string, string>> = {
  italic: 'hℎ',
  script: 'BℬEℰFℱHℋIℐLℒMℳRℛeℯgℊoℴ',
  fraktur: 'CℭHℌIℑRℜZℨ',
  'double-struck': 'CℂHℍNℕPℙQℚRℝZℤ',
};
const RANGES = ['AZ', 'az', '09', 'ΑΩ', 'αω'];
const LINE = '‾';

/** @param nodes - a formula, which is changed */
export function asMathMlCore(nodes: DocumentFragment): void {
  for (const token of nodes.querySelectorAll('[mathvariant]')) {
    const kind = token.getAttribute('mathvariant') ?? '';
    if (!KINDS[kind]) continue;
    token.textContent = [...(token.textContent ?? '')].map((letter) => inKind(letter, kind)).join('');
    token.removeAttribute('mathvariant');
  }
  for (const lined of nodes.querySelectorAll('mover, munder')) {
    const [base, line] = lined.children;
    if (!base || lined.children.length !== 2 || line?.textContent !== LINE) continue;
    // No font at hand has such a line in every width.
    base.classList.add(lined.localName === 'mover' ? 'overline' : 'underline');
    lined.replaceWith(base);
  }
}

function inKind(letter: string, kind: string): string {
  const earlier = EARLIER[kind]?.indexOf(letter) ?? -1;
  if (earlier >= 0 && earlier % 2 === 0) return EARLIER[kind]?.[earlier + 1] ?? letter;
  const range = RANGES.findIndex(([first = '', last = '']) => letter >= first && letter <= last);
  const start = KINDS[kind]?.[range];
  const first = RANGES[range]?.codePointAt(0);
  const code = letter.codePointAt(0);
  return start && first && code ? String.fromCodePoint(start + code - first) : letter;
}
