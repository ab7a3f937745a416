// Collects the texts of the front end that are translated: the literals in calls of `t`, `tn`, `tp`, `tNodes`
// and `N_`. Prints them as JSON; `tools/messages.py` makes the catalogue from that.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { ROOT } from './hash.mjs';

/** How many texts each function begins with. */
const TEXTS = { t: 1, tNodes: 1, N_: 1, tn: 2, tp: 2 };
const EARLY = new Set(['t', 'tn', 'tp', 'tNodes']);
const TEMPLATES = new Set(['html', 'plainHtml']);
const SPOKEN = new Set(['title', 'aria-label', 'aria-description', 'placeholder', 'alt']);
/** Their content is code, keys or names. */
const VERBATIM = new Set(['code', 'kbd', 'pre', 'script', 'style']);

/** Files whose texts are collected, relative to the root. */
export function sourceFiles() {
  const packages = join(ROOT, 'js', 'packages');
  return readdirSync(packages, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name) && !/\.d\.ts$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((path) => /^js\/packages\/[^/]+\/src\//.test(path) && !path.includes('/generated/'))
    .sort();
}

/**
 * Messages of a source: `{ text, plural?, context?, file }`.
 *
 * @throws {Error} when a text isn't a literal
 */
export function messagesOf(file, source) {
  const found = [];
  visit(parse(file, source), (node) => {
    const name = calledName(node);
    if (!Object.hasOwn(TEXTS, name)) return;
    const texts = node.arguments.slice(0, TEXTS[name]).map((each) => literal(each));
    if (texts.some((text) => text === null)) {
      // A text that `N_` has marked where it stands.
      if (name === 't' && !isComposed(node.arguments[0])) return;
      throw new Error(`${file}: the texts of ${node.getText().slice(0, 80)} must be literals`);
    }
    const [first, second] = texts;
    if (name === 'tp') found.push({ text: second, context: first, file });
    else if (name === 'tn') found.push({ text: first, plural: second, file });
    else found.push({ text: first, file });
  });
  return found;
}

/** Texts in templates of a source that no function translates: words between tags, and in spoken attributes. */
export function untranslated(file, source) {
  const found = [];
  visit(parse(file, source), (node) => {
    if (!ts.isTaggedTemplateExpression(node) || !TEMPLATES.has(node.tag.getText())) return;
    found.push(...wordsOf(markup(node.template)));
  });
  return found;
}

/**
 * Calls at the top level of the entries' modules and of what they import: there the catalogue isn't loaded yet.
 *
 * @returns `file: text` for each
 */
export function earlyMessages(entries) {
  const found = [];
  const seen = new Set();
  const follow = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    const source = parse(file, readFileSync(join(ROOT, file), 'utf8'));
    visitTopLevel(source, (node) => {
      if (EARLY.has(calledName(node))) found.push(`${file}: ${node.getText().slice(0, 80)}`);
    });
    for (const name of importedNames(source)) {
      const path = resolved(file, name);
      if (path) follow(path);
    }
  };
  entries.forEach(follow);
  return found;
}

/** Modules that a source imports at once, not for their types only. */
function importedNames(source) {
  return source.statements
    .filter((each) => ts.isImportDeclaration(each) || ts.isExportDeclaration(each))
    .filter((each) => each.moduleSpecifier && !each.importClause?.isTypeOnly && !each.isTypeOnly)
    .map((each) => each.moduleSpecifier.text);
}

/** Path of a module of ours, relative to the root; null for others. */
function resolved(file, name) {
  if (name.startsWith('.')) return join(dirname(file), name).split(sep).join('/');
  const [, owner, rest = ''] = /^@jupyter-ac\/([\w-]+)(\/.*)?$/.exec(name) ?? [];
  if (!owner) return null;
  const folder = join('js', 'packages', owner);
  const { exports } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const target = exports?.[`.${rest}`];
  return target?.endsWith('.ts') ? join(folder, target).split(sep).join('/') : null;
}

function wordsOf(text) {
  const verbatim = [...VERBATIM].join('|');
  const shown = text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(new RegExp(`<(${verbatim})\\b[^>]*>[^<]*</\\1>`, 'g'), '');
  const attributes = [...shown.matchAll(/\s([\w-]+)="([^"]*)"/g)]
    .filter(([, name]) => SPOKEN.has(name))
    .map(([, , value]) => value);
  const texts = shown.replace(/"[^"]*"/g, '""').split(/<[^>]*>/);
  return [...texts, ...attributes]
    .map((each) => each.trim())
    .filter((each) => /\p{L}{2}/u.test(each.replace(/&\w+;/g, '')));
}

/** The literal parts of a template, with U+0001 for each expression. */
function markup(template) {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return [template.head.text, ...template.templateSpans.map((span) => span.literal.text)].join('\u0001');
}

function parse(file, source) {
  return ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
}

/** As `visit`, without what runs later: bodies of functions, and fields of instances. */
function visitTopLevel(node, look) {
  const isField = ts.isPropertyDeclaration(node) && !ts.getModifiers(node)?.some(isStatic);
  if (ts.isFunctionLike(node) || isField) return;
  look(node);
  ts.forEachChild(node, (child) => visitTopLevel(child, look));
}

function isStatic({ kind }) {
  return kind === ts.SyntaxKind.StaticKeyword;
}

function visit(node, look) {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}

function calledName(node) {
  return ts.isCallExpression(node) && ts.isIdentifier(node.expression) ? node.expression.text : '';
}

function isComposed(node) {
  return ts.isTemplateExpression(node) || ts.isBinaryExpression(node);
}

/** A text in quotes, or several that are joined by `+`; null for others. */
function literal(node) {
  if (!node) return null;
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return null;
  const [left, right] = [literal(node.left), literal(node.right)];
  return left === null || right === null ? null : left + right;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = sourceFiles().flatMap((file) => messagesOf(file, readFileSync(join(ROOT, file), 'utf8')));
  console.log(JSON.stringify(found));
}
