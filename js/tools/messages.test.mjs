import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './hash.mjs';
import { earlyMessages, messagesOf, sourceFiles, untranslated } from './messages.mjs';

describe('messages of a source', () => {
  it('are the literals of calls', () => {
    const source = `
      t('One %1', n); t("Two"); tn('%1 file', '%1 files', n, x); tp('verb', 'Open'); N_('Later');
      html\`<p title=\${t('Three')}>\${tNodes('Four %1', html\`<b>\${t('Five')}</b>\`)}</p>\`;
      t('Joined ' + 'from two'); other('not this'); this.t('nor this');`;
    expect(messagesOf('a.ts', source)).toEqual([
      { text: 'One %1', file: 'a.ts' },
      { text: 'Two', file: 'a.ts' },
      { text: '%1 file', plural: '%1 files', file: 'a.ts' },
      { text: 'Open', context: 'verb', file: 'a.ts' },
      { text: 'Later', file: 'a.ts' },
      { text: 'Three', file: 'a.ts' },
      { text: 'Four %1', file: 'a.ts' },
      { text: 'Five', file: 'a.ts' },
      { text: 'Joined from two', file: 'a.ts' },
    ]);
  });

  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source.
  it.each(['t(`Composed ${name}`)', "t('Composed ' + name)", "tn(one, '%1 files', n)", 'N_(text)'])(
    'must be literals: %s',
    (source) => {
      expect(() => messagesOf('a.ts', source)).toThrow(/must be literals/);
    },
  );

  it('may have been marked before', () => {
    expect(messagesOf('a.ts', 't(LABELS[name])')).toEqual([]);
  });
});

describe('texts that are not translated', () => {
  it('are words between tags and in spoken attributes', () => {
    const source = `html\`<p title="Read me" class="muted words">Some words \${x} <b>more</b></p>\``;
    expect(untranslated('a.ts', source)).toEqual(['Some words \u0001', 'more', 'Read me']);
  });

  it.each([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a source.
    "html`<p title=${t('x')} class='a b'>${t('y')} · &nbsp; 1</p>`",
    'html`<code>git init</code><kbd>Enter</kbd><!-- a note -->`',
    'css`.a { content: "words here"; }`',
  ])('are none of %s', (source) => {
    expect(untranslated('a.ts', source)).toEqual([]);
  });
});

describe('our sources', () => {
  const sources = sourceFiles().map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]);

  it('have no text that is not translated', () => {
    const found = sources.flatMap(([file, source]) =>
      untranslated(file, source).map((text) => `${file}: ${text}`),
    );
    expect(found).toEqual([]);
  });

  it('do not translate at the top level of what is loaded before the catalogue', () => {
    expect(earlyMessages(['js/packages/lab/src/index.ts', 'js/packages/standalone/src/index.ts'])).toEqual(
      [],
    );
  });
});
