import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { AcApp } from '../../src/elements/app.ts';
import type { FileLocation } from '../../src/model/file-location.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, drawn, fill, one, press } from '../support/page.ts';

const RESOLVE = 'LLMService.resolve_symbols';
const BREAKDOWN = {
  total_tokens: 300,
  breakdown: { system: 100, legend: 10, symbol_map: 90, symbol_map_files: 2, files: 100, question: 0 },
  blocks: [
    {
      name: 'Head',
      tier: 'L0',
      tokens: 200,
      count: 2,
      cached: true,
      cached_tokens: 200,
      contents: [
        { type: 'system', name: 'system', path: null, tokens: 100, n: 5, threshold: null, cached: true },
        { type: 'symbols', name: 'map', path: null, tokens: 100, n: 5, threshold: null, cached: true },
      ],
    },
    {
      name: 'New',
      tier: 'active',
      tokens: 100,
      count: 1,
      cached: false,
      cached_tokens: 0,
      contents: [
        { type: 'files', name: 'a.py', path: 'src/a.py', tokens: 100, n: 1, threshold: 3, cached: false },
      ],
    },
  ],
  last_request: { input_tokens: 1000, cache_read_tokens: 830, cache: 'hit' },
  promotions: ['active → L3: 1 item — src/a.py'],
  demotions: ['L2 → active: 1 item — c.md'],
};

let rpc: FakeRpc;
let app: AcApp;
let session: Session;
let shown: FileLocation[];
let viewers: { closed: number };

beforeEach(async () => {
  rpc = new FakeRpc();
  ({ app, session } = await mount(rpc));
  shown = [];
  viewers = { closed: 0 };
  app.loadViewer = async () => ({
    commentsOn: () => [],
    openViewer: (host, location, { moved }) => {
      const field = document.createElement('input');
      host.append(field);
      shown.push(location);
      moved(location);
      return {
        show: (next) => {
          shown.push(next);
          moved(next);
        },
        focus: () => field.focus(),
        dispose: () => {
          viewers.closed += 1;
        },
      };
    },
  });
});
afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

async function openWith(content: string, symbols: object[] = []): Promise<void> {
  rpc.ready.set('LLMService.get_mode', () => ({ mode: 'code', symbol_index_ready: true }));
  rpc.ready.set(RESOLVE, () => symbols);
  const messages = [
    { role: 'user', request_id: 'q', state: 'done', content: 'See `src/a.py`?' },
    { role: 'assistant', request_id: 'q', state: 'done', content },
  ];
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, messages }));
  await connect(rpc);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await drawn();
}

describe('a link in an answer', () => {
  it('opens the viewer by mouse and keyboard; Escape closes it and gives the focus back', async () => {
    await openWith('In `src/a.py:3` and `c.md`.');
    const [first, second] = all('place');
    await click(first);
    expect(shown).toEqual([{ path: 'src/a.py', line: 3, col: 0 }]);
    expect(one('viewer').dataset).toMatchObject({ path: 'src/a.py', line: '3' });
    await press('Escape');
    expect(all('viewer')).toEqual([]);
    expect(viewers.closed).toBe(1);
    second?.focus();
    await press('Enter');
    expect(shown.at(-1)?.path).toBe('c.md');
    await press('Escape');
    expect(focused()).toBe(second);
  });

  it('to a heading asks the viewer for it', async () => {
    await openWith('In `c.md#use`.');
    await click(all('place')[0]);
    expect(shown).toEqual([{ path: 'c.md', line: 0, col: 0, anchor: 'use' }]);
  });

  it('to a symbol is made by one request for all names', async () => {
    const row = {
      name: 'Report',
      kind: 'class',
      file: 'src/a.py',
      line: 6,
      column: 7,
      container: '',
      signature: '',
    };
    await openWith('`Report`, `Report` and `other_name`.', [row]);
    expect(rpc.count(RESOLVE)).toBe(1);
    expect(rpc.last(RESOLVE).args).toEqual([['Report', 'other_name']]);
    expect(all('place').map(({ textContent }) => textContent)).toEqual(['Report', 'Report']);
    await click(all('place')[0]);
    expect(shown).toEqual([{ path: 'src/a.py', line: 6, col: 7 }]);
  });

  it('is looked for again once files have changed', async () => {
    await openWith('`new_name`.');
    await session.links.load(['new_name']);
    expect(rpc.count(RESOLVE)).toBe(1);
    await rpc.emit('filesModified', ['src/a.py']);
    await session.links.load(['new_name']);
    expect(rpc.count(RESOLVE)).toBe(2);
  });

  it('waits while the answer comes in', async () => {
    const running = [
      { request_id: 'r', user_message: 'Why?', content: 'In `src/a.py` and `Report` it', phase: 'answering' },
    ];
    rpc.ready.set('LLMService.get_current_state', () => ({
      ...STATE,
      streaming_active: true,
      active_streams: running,
    }));
    await connect(rpc);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(all('place')).toEqual([]);
    expect(rpc.count(RESOLVE)).toBe(0);
  });
});

describe('the viewer', () => {
  it('says why it does not come, and tries again', async () => {
    const { loadViewer } = app;
    app.loadViewer = async () => {
      throw new Error('No viewer here.');
    };
    await openWith('In `src/a.py`.');
    await click(all('place')[0]);
    expect(one('viewer').textContent).toContain('No viewer here.');
    app.loadViewer = loadViewer;
    await drawn();
    await click(one('viewer').querySelector('.wait button'));
    expect(shown).toHaveLength(1);
  });

  it('is where it was left when its panel is taken out of the page and put back', async () => {
    await openWith('In `src/a.py`.');
    await click(all('place')[0]);
    const [left] = shown;
    app.remove();
    document.body.append(app);
    await drawn();
    expect([shown.length, shown[1], viewers.closed]).toEqual([2, left, 1]);
  });

  it('ticks the file that it shows', async () => {
    await openWith('In `c.md`.');
    await click(all('place')[0]);
    await click(one('viewer-tick'));
    expect(session.selection.paths).toContain('c.md');
  });
});

describe('the search for everything', () => {
  const MATCHES = [{ file: 'src/a.py', matches: [{ line_num: 2, line: '# md' }] }];
  async function found(query = 'md', matches: readonly object[] = MATCHES): Promise<void> {
    await openWith('Nothing.');
    one('input').focus();
    await press('k', { ctrlKey: true });
    await fill(one<HTMLInputElement>('search-everywhere'), query);
    await new Promise((resolve) => setTimeout(resolve, 230));
    await rpc.last('Repo.search_files').answer(matches);
    await rpc.last('LLMService.search_symbols').answer([]);
    await drawn();
  }

  it('opens by its key and its button, and what it finds by Enter', async () => {
    await found();
    expect(all('search-result').map(({ dataset }) => [dataset.kind, dataset.path])).toEqual([
      ['files', 'c.md'],
      ['text', 'src/a.py'],
    ]);
    expect(one('search-everywhere').getAttribute('aria-activedescendant')).toBe('result-0');
    await press('ArrowDown');
    expect(one('search-everywhere').getAttribute('aria-activedescendant')).toBe('result-1');
    await press('Enter');
    expect(all('search-everywhere')).toEqual([]);
    expect(shown).toEqual([{ path: 'src/a.py', line: 2, col: 3 }]);
    await press('Escape');
    expect(all('viewer')).toEqual([]);
    const button = one('search-everywhere-open');
    button.focus();
    await click(button);
    expect(one<HTMLInputElement>('search-everywhere').value).toBe('md');
    await press('Escape');
    expect(focused()).toBe(button);
  });

  it('takes what was typed before Enter, not what was found for less of it', async () => {
    await found();
    await fill(one<HTMLInputElement>('search-everywhere'), 'a.p');
    await press('Enter');
    await drawn();
    expect(shown).toEqual([{ path: 'src/a.py', line: 0, col: 0 }]);
    expect(all('search-everywhere')).toEqual([]);
  });

  it('ticks the file by Ctrl+Enter and stays', async () => {
    await found();
    await press('Enter', { ctrlKey: true });
    expect(session.selection.paths).toContain('c.md');
    expect(all('search-everywhere')).toHaveLength(1);
    expect(shown).toEqual([]);
  });

  it('tells a file that was not searched from what was found', async () => {
    await found('search', [
      { file: 'src/a.py', matches: [{ line_num: 1, line: 'search()' }] },
      { file: 'big.csv', matches: [], skipped: 'too long' },
    ]);
    const [line, skipped] = all('search-result').filter(({ dataset }) => dataset.kind === 'text');
    expect(line?.classList.contains('about')).toBe(false);
    expect(line?.querySelector('mark')?.textContent).toBe('search');
    expect(skipped?.classList.contains('about')).toBe(true);
    expect(skipped?.textContent).toContain('Not searched: too long');
    expect(skipped?.querySelector('mark')).toBeNull();
  });
});

describe('the breakdown', () => {
  it('shows map and legend, the parts of the request, what was read from the cache, and what has moved', async () => {
    rpc.ready.set('LLMService.get_context_breakdown', () => BREAKDOWN);
    await openWith('Nothing.');
    const rows = all('breakdown-row').map(({ dataset }) => [dataset.category, dataset.tokens]);
    expect(rows).toContainEqual(['map', '90']);
    expect(rows).toContainEqual(['legend', '10']);
    expect(all('request-part').map(({ dataset }) => [dataset.kind, dataset.tokens, dataset.cached])).toEqual([
      ['start', '200', 'true'],
      ['next', '100', 'false'],
    ]);
    expect(one('cache-result').textContent).toContain('83 % cached');
    expect(all('request-item').at(-1)?.textContent?.replace(/\s+/g, ' ').trim()).toBe('src/a.py 100');
    expect(one('demotion').textContent).toBe('Sent again or no longer sent: c.md');
    // Nobody needs a manual: no names of tiers, and all of it folded.
    expect(one('breakdown').textContent).not.toMatch(/L\d|\d×|\d\/\d|overhead|active/);
    expect(one('breakdown').querySelectorAll('details[open]')).toHaveLength(0);
    await click(one('map'));
    expect(shown).toEqual([{ path: '', line: 0, col: 0, mapFor: '' }]);
    expect(one('viewer').getAttribute('aria-label')).toBe('Map');
  });
});

describe('the mode', () => {
  const radios = () => [...one('mode-switch').querySelectorAll<HTMLElement>('[role="radio"]')];

  it('is switched by mouse and arrow, and the cross-reference beside it', async () => {
    await openWith('Nothing.');
    expect(one('mode-switch').dataset.mode).toBe('code');
    rpc.ready.set('LLMService.switch_mode', (mode) => ({ mode, cross_ref_enabled: false, message: 'On.' }));
    rpc.ready.set('LLMService.get_mode', () => ({ mode: 'doc' }));
    await click(radios()[1]);
    expect(one('mode-switch').dataset.mode).toBe('doc');
    rpc.ready.set('LLMService.get_mode', () => ({ mode: 'code', cross_ref_enabled: true }));
    radios()[1]?.focus();
    await press('ArrowLeft');
    expect(rpc.last('LLMService.switch_mode').args).toEqual(['code']);
    await click(one('cross-ref'));
    await rpc
      .last('LLMService.set_cross_reference')
      .answer({ status: 'enabled', cross_ref_enabled: true, message: 'Both.' });
    await drawn();
    expect(one('cross-ref').getAttribute('aria-checked')).toBe('true');
  });

  it('is followed when another page has switched it, and tells quietly of indexing', async () => {
    await openWith('Nothing.');
    rpc.ready.set('LLMService.get_mode', () => ({ mode: 'doc', cross_ref_enabled: false }));
    await rpc.emit('modeChanged', { mode: 'doc', cross_ref_enabled: false });
    await drawn();
    expect(one('mode-switch').dataset.mode).toBe('doc');
    await rpc.emit('startupProgress', 'indexing', '3 of 9 files', 33);
    await drawn();
    expect(one('indexing').textContent).toContain('33 %');
    expect(app.dataset.status).toBe('ready');
  });
});
