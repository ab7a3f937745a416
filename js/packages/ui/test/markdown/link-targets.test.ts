import '../support/jsdom.ts';
import { describe, expect, it } from 'vitest';
import { hiddenTarget } from '../../src/markdown/link-targets.ts';
import { markdownNodes } from '../../src/markdown/markdown-view.ts';
import { processorTime } from '../support/processor-time.ts';
import table from './link-targets.json' with { type: 'json' };

function shown(markdown: string): string[] {
  const root = document.createElement('div');
  root.append(markdownNodes(markdown));
  return [...root.querySelectorAll('a[href]')].map((link) => link.textContent ?? '');
}

describe('the target of a link', () => {
  it.each(table as [string, string, string][])('%j to %s shows %j', (text, href, target) => {
    expect(hiddenTarget(text, href)).toBe(target);
  });

  it('stands behind the text, whatever markup that has', () => {
    expect(shown('[https://bank.example](https://evil.example)')).toEqual([
      'https://bank.example (evil.example)',
    ]);
    expect(shown('[**bank.**`example`](https://evil.example "bank.example")')).toEqual([
      'bank.example (evil.example)',
    ]);
    expect(shown('[![bank.example](https://evil.example/a.png)](https://evil.example)').join('')).toContain(
      'Image: bank.example (evil.example)',
    );
    expect(shown('[bank&period;example][x]\n\n[x]: https://evil.example')).toEqual([
      'bank.example (evil.example)',
    ]);
    expect(shown('<https://bank.example@evil.example> <https://bank.example>')).toEqual([
      'https://bank.example@evil.example (evil.example)',
      'https://bank.example',
    ]);
  });

  it('takes no time that grows faster than the text', () => {
    const spent = (size: number) => {
      const times = Array.from({ length: 3 }, () =>
        processorTime(() => {
          hiddenTarget('a.'.repeat(size), 'https://evil.example');
          hiddenTarget('a'.repeat(2 * size), 'https://evil.example');
        }),
      );
      return Math.min(...times);
    };
    spent(1000);
    expect(spent(200_000) / spent(20_000)).toBeLessThan(60);
  });
});
