import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addressPieces,
  mergeChips,
  type PendingChanges,
  parseFoundUrls,
  parseUrlRows,
} from '../../src/model/url-chips.ts';

const NOTHING_PENDING: PendingChanges = { fetching: new Set(), removing: new Set(), included: new Map() };

const url = fc.constantFrom<string[]>('http://a.b/', 'http://a.b/c', 'https://d.e/', 'https://f.g/h');
const row = fc.record({
  url,
  type: fc.constant('generic'),
  display_name: fc.string(),
  title: fc.string(),
  state: fc.constantFrom('fetching', 'ready', 'failed'),
  included: fc.boolean(),
  error: fc.option(fc.string()),
  fetched_at: fc.string(),
});
const detected = fc.record({ url, display_name: fc.string() });
const urls = fc.uniqueArray(url).map((some) => new Set(some));

describe('rows from the wire', () => {
  it('are parsed whatever a server sends', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (raw) => {
        for (const chip of [...parseUrlRows(raw), ...parseFoundUrls(raw)]) {
          expect(chip.url).not.toBe('');
          expect(['found', 'fetching', 'ready', 'failed']).toContain(chip.state);
        }
      }),
    );
  });

  it('are left out without an address, or with a state of a newer server', () => {
    const raw = [{ url: '', state: 'ready' }, { url: 'http://a.b/', state: 'paused' }, null, 'x'];
    expect(parseUrlRows(raw)).toEqual([]);
    expect(parseFoundUrls([{ url: '' }, 7])).toEqual([]);
  });

  it('show the address where there is no short name', () => {
    expect(parseUrlRows([{ url: 'http://a.b/', state: 'ready' }])[0]).toMatchObject({
      name: 'http://a.b/',
      isIncluded: false,
      error: '',
    });
  });
});

describe('the chips', () => {
  it('have each address once, the pages of the conversation first and in their order', () => {
    fc.assert(
      fc.property(fc.array(row), fc.array(detected), urls, urls, (rawRows, rawFound, dismissed, removing) => {
        const rows = parseUrlRows(rawRows);
        const found = parseFoundUrls(rawFound);
        const chips = mergeChips(rows, found, dismissed, { ...NOTHING_PENDING, removing });
        const shown = chips.map((chip) => chip.url);
        expect(new Set(shown).size).toBe(shown.length);
        const pages = rows.map((each) => each.url).filter((each) => !removing.has(each));
        expect(shown.slice(0, pages.length)).toEqual(pages);
        for (const chip of chips.slice(pages.length)) {
          expect(chip.state).toBe('found');
          expect(dismissed.has(chip.url)).toBe(false);
        }
        for (const { url } of found) {
          const isHidden = dismissed.has(url) && !rows.some((each) => each.url === url);
          expect(shown.includes(url)).toBe(!isHidden && !removing.has(url));
        }
      }),
    );
  });

  it('show what this panel has asked for at once', () => {
    const rows = parseUrlRows([{ url: 'http://a.b/', state: 'ready', included: true }]);
    const found = parseFoundUrls([{ url: 'https://d.e/' }]);
    const chips = mergeChips(rows, found, new Set(), {
      fetching: new Set(['https://d.e/']),
      removing: new Set(),
      included: new Map([['http://a.b/', false]]),
    });
    expect(chips.map(({ state, isIncluded }) => [state, isIncluded])).toEqual([
      ['ready', false],
      ['fetching', false],
    ]);
  });

  it('keep the progress of a fetch', () => {
    const rows = parseUrlRows([{ url: 'http://a.b/', state: 'fetching', included: true, bytes: 4096 }]);
    const pending = { ...NOTHING_PENDING, fetching: new Set(['http://a.b/']) };
    expect(mergeChips(rows, [], new Set(), pending)[0]).toMatchObject({ state: 'fetching', bytes: 4096 });
  });
});

describe('the pieces of a text that may contain addresses', () => {
  const address = fc.webUrl({ withQueryParameters: true });

  it('contain every address, and do not change with the words around them', () => {
    const words = fc.string().map((text) => text.replaceAll(':', ''));
    fc.assert(
      fc.property(fc.array(fc.tuple(words, address)), words, words, (parts, end, other) => {
        const written = (tail: string) =>
          `${parts.map(([before, each]) => `${before} ${each} `).join('')}${tail}`;
        const pieces = addressPieces(written(end));
        for (const [, each] of parts) expect(pieces.split('\n')).toContain(each);
        expect(addressPieces(written(other))).toBe(pieces);
      }),
    );
  });

  it('are none in a text without addresses', () => {
    expect(addressPieces('see http and https: or ftp://a.b')).toBe('');
  });

  it('are found inside of brackets and in capitals', () => {
    expect(addressPieces('(HTTPS://a.b/c) [x](http://d.e)')).toBe('HTTPS://a.b/c)\nhttp://d.e)');
  });
});
