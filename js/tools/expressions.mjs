// Finds the regular expressions of TypeScript sources, and makes texts that are hard for them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { hashedFiles, ROOT } from './hash.mjs';

const DIRECTORY = 'js/packages/';
/** Where an expression is what the user has typed. */
const TYPED = ['js/packages/ui/src/model/find.ts'];
/** What a class or an escape may stand for, the telling ones first. */
const SIGNS = ['a', '0', ' ', '/', '.', '-', '_', '\n', ...ascii(), 'é', '\u00ad', '\u3000'];
const ASSERTION = /\(\?(?:=|!|<=|<!)|\(\?<[^>=!]*>|\(\?[a-z-]*:|\(/y;
const ESCAPE =
  /\\(?:[pP]\{[^}]{1,100}\}|k<[^>]{1,100}>|u\{[^}]{1,10}\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[\s\S])/y;
const QUANTIFIER = /(?:[*+?]|\{(\d{1,6})(?:,\d{0,6})?\})\??/y;
/** What hostile texts end with, so that what has begun well fails in the end. */
const ENDS = ['\x01', '\n\x01', '1', ''];
const COMMON = [' ', '\n', 'a', '.', '/', '[', '(', '`', '<', '-', '\u00ad'];

function ascii() {
  return Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
}

/** `{ place, pattern }` for each expression that is written in a package's sources. */
export function expressions() {
  return hashedFiles()
    .filter((path) => path.startsWith(DIRECTORY) && /\.tsx?$/.test(path))
    .flatMap((path) => expressionsIn(path, readFileSync(join(ROOT, path), 'utf8')));
}

export function expressionsIn(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true);
  const constants = new Map();
  const found = [];
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && node.initializer) {
      constants.set(node.name.getText(), node.initializer);
    }
    const pattern = patternOf(node, constants, path);
    if (pattern) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push({ place: `${path}:${line + 1}`, pattern });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function patternOf(node, constants, path) {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return new RegExp(node.text.slice(1, end), node.text.slice(end + 1));
  }
  const isMade =
    (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
  if (!isMade) return null;
  const [source, flags] = (node.arguments ?? []).map((each) => textOf(each, constants));
  if (source === undefined && TYPED.includes(path)) return null;
  if (source === undefined) throw new Error(`${path}: an expression is made of what only runs know`);
  return new RegExp(source, flags ?? '');
}

/** The text of a constant expression; undefined where it isn't one. */
function textOf(node, constants) {
  if (ts.isIdentifier(node)) {
    const value = constants.get(node.text);
    return value && textOf(value, constants);
  }
  if (ts.isTaggedTemplateExpression(node)) {
    const { template } = node;
    return node.tag.getText() === 'String.raw' && ts.isNoSubstitutionTemplateLiteral(template)
      ? template.rawText
      : undefined;
  }
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  const parts = node.templateSpans.map(({ expression, literal }) => {
    const value = textOf(expression, constants);
    return value === undefined ? undefined : value + literal.text;
  });
  return parts.includes(undefined) ? undefined : node.head.text + parts.join('');
}

/** Texts `{ start, unit, end }`, of which the unit is to be repeated, made from an expression's own parts. */
export function attacks(pattern) {
  const found = new Map();
  const add = (start, unit) => {
    if (!unit) return;
    for (const end of ENDS) found.set(JSON.stringify([start, unit, end]), { start, unit, end });
  };
  for (const unit of COMMON) add('', unit);
  for (const [start, unit] of units(parsed(pattern))) {
    add('', unit);
    add(start, unit);
  }
  return [...found.values()];
}

export function sized({ start, unit, end }, size) {
  return start + unit.repeat(Math.max(1, Math.floor(size / unit.length))) + end;
}

function* units(sequences) {
  for (const items of sequences) {
    let whole = '';
    for (const [at, { sample, inner }] of items.entries()) {
      for (const [start, unit] of units(inner)) yield [whole + start, unit];
      yield [whole, sample];
      yield [whole, sample + (items[at + 1]?.sample ?? '')];
      whole += sample;
      yield ['', whole];
      yield ['', `${whole} `];
    }
  }
}

/** The alternatives of an expression, each a list of parts with a text that matches them. */
function parsed({ source, flags }) {
  const reader = new Reader(source, flags.replace(/[gy]/g, ''));
  return reader.alternatives();
}

/** Knows only where parts begin and end; what they match is tried out. */
class Reader {
  #at = 0;

  constructor(source, flags) {
    this.source = source;
    this.flags = flags;
  }

  alternatives() {
    const found = [[]];
    while (this.#at < this.source.length && this.source[this.#at] !== ')') {
      if (this.source[this.#at] === '|') {
        this.#at += 1;
        found.push([]);
      } else found.at(-1).push(this.#part());
    }
    return found;
  }

  #part() {
    const part = this.#taken(ASSERTION) ? this.#group() : this.#atom();
    const [quantifier, least] = this.#taken(QUANTIFIER) ?? [];
    if (quantifier && least) part.sample = part.sample.repeat(Math.min(1000, Number(least)));
    return part;
  }

  #group() {
    const begin = this.source.slice(0, this.#at);
    const inner = this.alternatives();
    this.#at += 1;
    const isAssertion = /\(\?<?[=!]$/.test(begin.slice(-4));
    const sample = isAssertion ? '' : inner[0].map((each) => each.sample).join('');
    return { sample, inner };
  }

  #atom() {
    const start = this.#at;
    if (this.source[start] === '[') this.#skipClass();
    else if (!this.#taken(ESCAPE)) this.#at += 1;
    const atom = this.source.slice(start, this.#at);
    const isMatch = (sign) => new RegExp(`^(?:${atom})$`, this.flags).test(sign);
    const isEmpty = ['^', '$', '\\b', '\\B'].includes(atom) || atom.startsWith('\\k');
    return { sample: isEmpty ? '' : (SIGNS.find(isMatch) ?? atom), inner: [] };
  }

  #skipClass() {
    let end = this.#at + 1;
    while (this.source[end] !== ']') end += this.source[end] === '\\' ? 2 : 1;
    this.#at = end + 1;
  }

  #taken(pattern) {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.source);
    if (found) this.#at = pattern.lastIndex;
    return found;
  }
}
