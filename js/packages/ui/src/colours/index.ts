/**
 * Syntax highlighting for the code blocks of answers (highlight.js, selected languages). A separate bundle,
 * loaded at the first code block.
 */

import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const LANGUAGES = {
  bash,
  c,
  cpp,
  css,
  diff,
  go,
  java,
  javascript,
  json,
  markdown,
  python,
  rust,
  sql,
  typescript,
  xml,
  yaml,
};

/** Longer code isn't highlighted: that would block the page. */
const MAX_CHARACTERS = 60_000;

const engine = hljs.newInstance();
for (const [name, language] of Object.entries(LANGUAGES)) engine.registerLanguage(name, language);
engine.registerAliases(['ipython', 'ipython3'], { languageName: 'python' });
engine.registerAliases(['svg', 'vue'], { languageName: 'xml' });

/** HTML of highlighted code; null when the language isn't known or the code is too long. */
export function highlight(code: string, language: string): string | null {
  if (!language || code.length > MAX_CHARACTERS || !engine.getLanguage(language)) return null;
  return engine.highlight(code, { language, ignoreIllegals: true }).value;
}
