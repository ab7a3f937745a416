/** Language support of CodeMirror for a file: by its name, or by the language of a notebook's kernel. */

import { cpp } from '@codemirror/lang-cpp';
import { css } from '@codemirror/lang-css';
import { go } from '@codemirror/lang-go';
import { html } from '@codemirror/lang-html';
import { java } from '@codemirror/lang-java';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { markdown } from '@codemirror/lang-markdown';
import { python } from '@codemirror/lang-python';
import { rust } from '@codemirror/lang-rust';
import { sql } from '@codemirror/lang-sql';
import { yaml } from '@codemirror/lang-yaml';
import { StreamLanguage, type StreamParser } from '@codemirror/language';
import { dockerFile } from '@codemirror/legacy-modes/mode/dockerfile';
import { properties } from '@codemirror/legacy-modes/mode/properties';
import { ruby } from '@codemirror/legacy-modes/mode/ruby';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { toml } from '@codemirror/legacy-modes/mode/toml';
import type { Extension } from '@codemirror/state';

type Make = () => Extension;

const stream =
  (parser: StreamParser<unknown>): Make =>
  () =>
    StreamLanguage.define(parser);

const BY_ENDING: readonly (readonly [string, Make])[] = [
  ['py pyi pyw python', python],
  ['js mjs cjs jsx javascript', () => javascript({ jsx: true })],
  ['ts mts cts typescript', () => javascript({ typescript: true })],
  ['tsx', () => javascript({ typescript: true, jsx: true })],
  ['c h cc cpp cxx hh hpp hxx ino', cpp],
  ['java', java],
  ['go', go],
  ['rs rust', rust],
  ['css', css],
  ['html htm xhtml svg xml vue', html],
  ['json webmanifest', json],
  ['md markdown', markdown],
  ['sql', sql],
  ['yml yaml', yaml],
  ['sh bash zsh', stream(shell)],
  ['rb rake gemspec ruby', stream(ruby)],
  ['toml', stream(toml)],
  ['ini cfg conf properties editorconfig', stream(properties)],
];
const BY_NAME: readonly (readonly [string, Make])[] = [
  ['dockerfile', stream(dockerFile)],
  ['rakefile gemfile', stream(ruby)],
  ['pipfile', stream(toml)],
];

/** @param language - language of a notebook; '' for other files */
export function languageOf(path: string, language = ''): Extension {
  const name = language ? `.${language}` : path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf('.') + 1);
  const has =
    (word: string) =>
    ([words]: readonly [string, Make]) =>
      words.split(' ').includes(word);
  const found = BY_NAME.find(has(name)) ?? (ending === name ? undefined : BY_ENDING.find(has(ending)));
  return found ? found[1]() : [];
}
