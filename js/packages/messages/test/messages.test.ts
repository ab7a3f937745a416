import { afterEach, describe, expect, it } from 'vitest';
import { type Catalogue, language, N_, provideCatalogue, t, tNodes, tn, tp } from '../src/index.ts';
import { jsonCatalogue } from '../src/json-catalogue.ts';

const GERMAN = jsonCatalogue(
  {
    '': { domain: 'jupyter_ac', language: 'de_DE', plural_forms: 'nplurals=2; plural=(n != 1);' } as never,
    'Send %1 to %2': ['An %2 %1 senden'],
    '%1 file in %2': ['%1 Datei in %2', '%1 Dateien in %2'],
    'One file': ['Eine Datei', '%1 Dateien'],
    'verb\u0004Open': ['Öffnen'],
    'Use %1 now': ['Jetzt %1 benutzen'],
  },
  'de-DE',
);

/** As JupyterLab does: the number is put in place of `%1`, without separators. */
const NUMBERED: Catalogue = {
  ...GERMAN,
  ngettext: (one, other, count) => GERMAN.ngettext(one, other, count).replace('%1', String(count)),
};

afterEach(() => provideCatalogue(null));

describe('without a catalogue', () => {
  it('fills in the values', () => {
    expect(t('Send %1 to %2', 'a', 2)).toBe('Send a to 2');
    expect(language()).toBe('en-US');
  });

  it('counts', () => {
    expect(tn('%1 file in %2', '%1 files in %2', 1, 'x')).toBe('1 file in x');
    expect(tn('%1 file in %2', '%1 files in %2', 0, 'x')).toBe('0 files in x');
    expect(tn('One file', '%1 files', 1)).toBe('One file');
    expect(tn('One file', '%1 files', 12_345)).toBe('12,345 files');
  });

  it('leaves the context out', () => {
    expect(tp('verb', 'Open')).toBe('Open');
  });

  it('keeps what looks like a placeholder in a value', () => {
    expect(t('%1 and %2', '%2', '$&')).toBe('%2 and $&');
    expect(tn('%1 in %2', '%1 in %2', 3000, '3000 %1')).toBe('3,000 in 3000 %1');
  });

  it('keeps a placeholder without a value, and percent signs', () => {
    expect(t('%1 of 100 % in %2', 5)).toBe('5 of 100 % in %2');
    expect(t('100 %')).toBe('100 %');
  });

  it('puts nodes between the pieces', () => {
    const node = { is: 'node' };
    expect(tNodes('Use %1 now', node)).toEqual(['Use ', node, ' now']);
    expect(tNodes('%1 and %2', node, 'x')).toEqual([node, ' and ', 'x']);
    expect(tNodes('%1: %2.', '', node)).toEqual([': ', node, '.']);
  });
});

describe.each([
  ['a catalogue', GERMAN],
  ['one that fills the number in', NUMBERED],
])('with %s', (_, catalogue) => {
  it('translates', () => {
    provideCatalogue(catalogue);
    expect(t('Send %1 to %2', 'a', 'b')).toBe('An b a senden');
    expect(t(N_('Use %1 now'), 'x')).toBe('Jetzt x benutzen');
    expect(tp('verb', 'Open')).toBe('Öffnen');
    expect(tNodes('Use %1 now', 7)).toEqual(['Jetzt ', 7, ' benutzen']);
    expect(language()).toBe('de-DE');
  });

  it('counts with the separators of the language', () => {
    provideCatalogue(catalogue);
    expect(tn('%1 file in %2', '%1 files in %2', 1, 'x')).toBe('1 Datei in x');
    expect(tn('%1 file in %2', '%1 files in %2', 12_345, '12345')).toBe('12.345 Dateien in 12345');
    expect(tn('One file', '%1 files', 1)).toBe('Eine Datei');
  });

  it('has the English text of what it does not know', () => {
    provideCatalogue(catalogue);
    expect(t('Unknown %1', 3)).toBe('Unknown 3');
    expect(tn('%1 thing', '%1 things', 2000)).toBe('2.000 things');
    expect(tp('noun', 'Open')).toBe('Open');
  });
});
