import { afterEach, describe, expect, it } from 'vitest';
import { provideCatalogue, t, tNodes, tn } from '../../messages/src/index.ts';
import { labCatalogue } from '../src/lab-catalogue.ts';

/** What JupyterLab's bundle does with a text: `%1` and on are the values, for counted texts after the number. */
function fill(text: string, values: readonly unknown[]): string {
  return text.replace(/%(\d+)/g, (_, index: string) => String(values[Number(index) - 1]));
}

function translator(languageCode: string, isThere = true) {
  const domains: string[] = [];
  const german: Record<string, string[]> = !isThere
    ? {}
    : {
        'Ask %1': ['%1 fragen'],
        Files: ['Dateien'],
        '%1 file in %2': ['%1 Datei in %2', '%1 Dateien in %2'],
      };
  return {
    domains,
    languageCode,
    load(domain: string) {
      domains.push(domain);
      return {
        __: (text: string, ...values: unknown[]) => fill(german[text]?.[0] ?? text, values),
        _n: (one: string, other: string, count: number, ...values: unknown[]) =>
          fill(german[one]?.[count === 1 ? 0 : 1] ?? (count === 1 ? one : other), [count, ...values]),
        _p: (_context: string, text: string, ...values: unknown[]) => fill(text, values),
      };
    },
  };
}

afterEach(() => provideCatalogue(null));

describe("JupyterLab's translator", () => {
  it.each(['en', 'en_US', 'en-GB', 'default', ''])('is not asked in English: %s', (code) => {
    expect(labCatalogue(translator(code))).toBeNull();
  });

  it('leaves numbers English, too, where it has no translation of ours', () => {
    const catalogue = labCatalogue(translator('de_DE', false));
    provideCatalogue(catalogue);
    expect(tn('%1 file in %2', '%1 files in %2', 1234, 'a')).toBe('1,234 files in a');
  });

  it.each([
    ['zh_Hans_CN', 'zh-Hans-CN'],
    ['ca_ES@valencia', 'ca'],
  ])('has numbers and dates for %s', (code, tag) => {
    const catalogue = labCatalogue(translator(code));
    expect(catalogue?.language).toBe(tag);
    provideCatalogue(catalogue);
    expect(tn('%1 file in %2', '%1 files in %2', 5, 'a')).toBe('5 Dateien in a');
  });

  it('translates the messages of our domain', () => {
    const lab = translator('de_DE');
    provideCatalogue(labCatalogue(lab));
    expect(lab.domains).toEqual(['jupyter_ac']);
    expect(t('Ask %1', 'x')).toBe('x fragen');
    expect(tNodes('Ask %1', 1)).toEqual([1, ' fragen']);
    expect(tn('%1 file in %2', '%1 files in %2', 1, 'a')).toBe('1 Datei in a');
    expect(tn('%1 file in %2', '%1 files in %2', 1234, 'a')).toBe('1.234 Dateien in a');
    expect(t('Unknown %1 of %2', 'a', 'b')).toBe('Unknown a of b');
  });
});
