import { describe, expect, it } from 'vitest';
import { actionWords } from '../../../src/model/browser/consent.ts';
import {
  NEW_RULE,
  type Rule,
  rowsToRules,
  ruleProblem,
  rulesToRows,
} from '../../../src/model/browser/fetch-rules.ts';
import {
  bodyOf,
  elementItem,
  headersOf,
  messageItem,
  pictureOf,
  requestItem,
} from '../../../src/model/browser/page-items.ts';
import { withScheme } from '../../../src/model/browser/page-navigation.ts';
import {
  parseMessage,
  parsePageState,
  parseRequest,
  parseSelections,
  parseTarget,
} from '../../../src/model/browser/recorded-rows.ts';
import {
  duration,
  pathOf,
  shortMiddle,
  shownLine,
  shownLines,
  shownUrl,
} from '../../../src/model/browser/shown-text.ts';

describe('text of pages', () => {
  it('is short, on one line, without invisible signs', () => {
    expect(shortMiddle('abcdefghij', 5)).toBe('ab…ij');
    expect(shortMiddle('abc', 5)).toBe('abc');
    expect(shownLine(' a\n b\u202ec ')).toBe('a b\\u{202e}c');
    expect(shownLine('x'.repeat(10_000_000)).length).toBe(300);
    expect(shownUrl(`http://h/${'y'.repeat(1_000_000)}`).length).toBe(80);
    expect(shownLines('a\n\tb\u0000')).toBe('a\n\tb\\u{0}');
  });

  it('is the path of an address, and a time', () => {
    expect([pathOf('http://h:1/a?b'), pathOf('http://h'), pathOf('data:x'), pathOf('')]).toEqual([
      '/a?b',
      '/',
      'data:x',
      '',
    ]);
    expect([duration(null), duration(12.4), duration(1250)]).toEqual(['…', '12 ms', '1.25 s']);
    expect([
      withScheme(''),
      withScheme('localhost:8000'),
      withScheme('https://a'),
      withScheme('about:blank'),
    ]).toEqual(['about:blank', 'http://localhost:8000', 'https://a', 'about:blank']);
    expect(actionWords(['input'])).toBe('clicks and keys');
    expect(actionWords(['js', 'other'])).toBe('scripts, and other');
  });
});

describe('what the server reports', () => {
  it.each([null, 1, 'text', [], {}, { id: 5, granted: 'x', selections: [] }])(
    'is parsed whatever it is: %j',
    (raw) => {
      expect(parseTarget(raw).state).toBe('disconnected');
      expect(parseMessage(raw).level).toBe('log');
      expect(parseRequest(raw).url).toBe('');
      expect(parsePageState(raw).pending).toBe(0);
      expect(parseTarget(raw).selections).toEqual([]);
      expect(parseSelections(raw).length).toBeLessThan(4);
      expect([bodyOf(raw), headersOf(raw, 'request'), pictureOf(raw)]).toEqual([null, [], '']);
    },
  );

  it('finds the first file of the repository in a stack', () => {
    const stack = [
      { url: 'http://h/lib.js', line: 1 },
      { path: 'src/a.js', line: 7 },
    ];
    expect(parseMessage({ id: 1, level: 'warn', stack })).toMatchObject({
      level: 'warning',
      path: 'src/a.js',
      line: 7,
    });
    expect(parseMessage({ id: 1, timestamp: 1_780_000_000_000 }).time).toBe(1_780_000_000);
  });

  it('takes pictures only as data of an image', () => {
    expect(pictureOf({ screenshot: { media_type: 'image/png', data: 'QUJD' } })).toBe(
      'data:image/png;base64,QUJD',
    );
    expect(pictureOf({ screenshot: 'data:image/jpeg;base64,QUJD' })).toBe('data:image/jpeg;base64,QUJD');
    expect(pictureOf({ screenshot: 'https://elsewhere/x.png' })).toBe('');
    expect(pictureOf({ screenshot: { media_type: 'text/html', data: 'QUJD' } })).toBe('');
  });
});

describe('rules', () => {
  const rules = {
    mock: { '*/a': { body: 'x', status: 404, headers: { b: 'c' } } },
    block: ['*.png'],
    delay: { '*/slow': 500 },
    pause: ['*/pay'],
  };

  it('become rows and rules again', () => {
    expect(rowsToRules(rulesToRows({ rules }))).toEqual(rules);
    expect(rulesToRows({ mock: { '*/j': { a: 1 }, '*/t': 'text' } }).map(({ value }) => value)).toEqual([
      '{"a":1}',
      'text',
    ]);
    expect(rulesToRows(null)).toEqual([]);
  });

  it.each<[Partial<Rule>[], string]>([
    [[{ pattern: ' ' }], 'no pattern'],
    [[{ pattern: 'a' }, { pattern: 'a ' }], 'two rules'],
    [[{ kind: 'delay', pattern: 'a', value: '' }], 'between 0 and'],
    [[{ kind: 'delay', pattern: 'a', value: '99999999' }], 'between 0 and'],
    [[{ kind: 'mock', pattern: 'a', status: 42 }], 'between 200 and 599'],
    [[{ pattern: 'a' }, { kind: 'pause', pattern: 'a' }], ''],
  ])('say what is wrong: %j', (rows, problem) => {
    const found = ruleProblem(rows.map((row) => ({ ...NEW_RULE, ...row })));
    if (problem) expect(found).toContain(problem);
    else expect(found).toBe('');
  });
});

describe('what the model is sent', () => {
  it('of messages, requests and elements is bounded', () => {
    const long = 'z'.repeat(1_000_000);
    const message = messageItem(parseMessage({ id: 1, level: 'error', message: long }), 'http://h/');
    expect(message.text.length).toBeLessThan(4100);
    expect(message.name.length).toBeLessThanOrEqual(60);
    const entry = {
      request: { headers: { Accept: long }, postData: { text: long } },
      response: {
        headers: Array.from({ length: 500 }, () => ({ name: 'n', value: long })),
        content: { text: long },
      },
    };
    const request = requestItem(
      parseRequest({ id: 1, method: 'GET', url: `http://h/${long}`, status: 500 }),
      entry,
      'http://h/',
    );
    expect(request.text.length).toBeLessThan(15_000);
    expect(request.name).toMatch(/^GET .{1,60} 500$/);
    const element = elementItem(
      { selector: '#a', outer_html: long, styles: { color: long }, preview: { role: 'link', name: 'N' } },
      's',
    );
    expect(element.text.length).toBeLessThan(3300);
    expect(element.text).toContain('Role link, name “N”');
  });

  it.each([
    [
      { framework: 'react', name: 'Cart', path: 'src/Cart.jsx', file: '/x', line: 7 },
      'react component Cart in src/Cart.jsx:7',
    ],
    [{ framework: 'angular', name: 'Cart', file: '', line: 0 }, 'angular component Cart'],
    [{ framework: '', name: '', file: 'http://h/a.js', line: 0 }, 'component in http://h/a.js'],
  ])('of an element says which component made it', (component, line) => {
    expect(elementItem({ selector: '#a', component }, 's').text).toContain(`Made by ${line}`);
    expect(elementItem({ selector: '#a', component: null }, 's').text).not.toContain('Made by');
  });

  it('has no body that is no text', () => {
    const entry = { response: { content: { text: 'QUJD', encoding: 'base64' } } };
    expect(requestItem(parseRequest({ id: 1, method: 'GET' }), entry, '').text).not.toContain('QUJD');
  });
});
