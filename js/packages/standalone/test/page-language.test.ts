import { afterEach, describe, expect, it } from 'vitest';
import { language, provideCatalogue, t } from '../../messages/src/index.ts';
import { chosenCatalogue, loadLanguage } from '../src/page-language.ts';

const HEADER = { domain: 'jupyter_ac', language: 'de_DE', plural_forms: 'nplurals=2; plural=(n != 1);' };

function englishPage(): Document {
  return { documentElement: { lang: 'en' } } as Document;
}

afterEach(() => provideCatalogue(null));

describe('the catalogue of a page', () => {
  it.each([
    [['de-AT', 'en'], 'de_DE'],
    [['de'], 'de_DE'],
    [['DE-de'], 'de_DE'],
    [['fr', 'de'], 'de_DE'],
    [['en-GB', 'de'], ''],
    [['fr'], ''],
    [['d'], ''],
    [[], ''],
  ])('for %j is %j', (languages, name) => {
    expect(chosenCatalogue(languages, ['de_DE'])).toBe(name);
  });

  it('is loaded, and the page says its language', async () => {
    const document = englishPage();
    const asked: string[] = [];
    const ask = async (url: string | URL | Request) => {
      asked.push(String(url));
      return new Response(JSON.stringify({ '': HEADER, Send: ['Senden'] }));
    };
    await loadLanguage(document, 'de_DE', ask);
    expect(asked).toEqual([expect.stringMatching(/\/messages-de_DE\.json$/)]);
    expect([t('Send'), language(), document.documentElement.lang]).toEqual(['Senden', 'de-DE', 'de-DE']);
  });

  it.each([
    ['is missing', async () => new Response('', { status: 404 })],
    ['cannot be reached', () => Promise.reject(new TypeError('offline'))],
  ])('that %s leaves the page in English', async (_, ask) => {
    const document = englishPage();
    await loadLanguage(document, 'de_DE', ask);
    expect([t('Send'), document.documentElement.lang]).toEqual(['Send', 'en']);
  });
});
