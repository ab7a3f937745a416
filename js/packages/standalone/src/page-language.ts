/** Language of the stand-alone page: the first of the browser's languages that there is a catalogue for. */

import { provideCatalogue } from '@jupyter-ac/messages';
import { type CatalogueData, jsonCatalogue } from '@jupyter-ac/messages/json-catalogue';

/** The catalogue for these languages, in order of preference; '' for English, which needs none. */
export function chosenCatalogue(languages: readonly string[], catalogues: readonly string[]): string {
  for (const language of languages) {
    const [name = ''] = language.toLowerCase().split('-');
    if (name === 'en') return '';
    const found = catalogues.find((each) => each.toLowerCase().startsWith(`${name}_`));
    if (found) return found;
  }
  return '';
}

/** Loads the catalogue and sets the page's language; where it can't be loaded, the page is in English. */
export async function loadLanguage(page: Document, name: string, ask: typeof fetch): Promise<void> {
  if (!name) return;
  const file = `messages-${name}.json`;
  const answer = await ask(new URL(file, import.meta.url)).catch(() => null);
  if (!answer?.ok) return;
  const language = name.replace('_', '-');
  provideCatalogue(jsonCatalogue((await answer.json()) as CatalogueData, language));
  page.documentElement.lang = language;
}
