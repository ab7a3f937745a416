/** The page's message catalogue in JupyterLab: what its translator has of our domain. */

import type { Catalogue } from '@jupyter-ac/messages';
import type { ITranslator } from '@jupyterlab/translation';

const DOMAIN = 'jupyter_ac';
/** As values they leave the placeholders as they are; our functions fill them. */
const KEPT = ['%1', '%2', '%3', '%4', '%5', '%6', '%7', '%8', '%9'];

/** Of our texts: a translation that has none of them isn't there. */
const COMMON = ['New conversation', 'Conversation', 'Context', 'Files', 'Settings', 'Stop'];

/** A tag that numbers and dates can be formatted in; `ca-ES@valencia` is none. */
function knownLanguage(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'en-US';
  } catch {
    return tag.split('-')[0] ?? 'en-US';
  }
}

/** null: the panel is shown in English, as JupyterLab is, or for want of a translation: numbers then are English, too. */
export function labCatalogue(translator: ITranslator): Catalogue | null {
  const code = translator.languageCode;
  if (!code || code === 'default' || /^en\b/i.test(code.replace('_', '-'))) return null;
  const messages = translator.load(DOMAIN);
  if (COMMON.every((text) => messages.__(text) === text)) return null;
  return {
    language: knownLanguage(code.replaceAll('_', '-')),
    gettext: (text) => messages.__(text, ...KEPT),
    // JupyterLab puts the number in place of `%1`.
    ngettext: (one, other, count) => messages._n(one, other, count, ...KEPT.slice(1)),
    pgettext: (context, text) => messages._p(context, text, ...KEPT),
  };
}
