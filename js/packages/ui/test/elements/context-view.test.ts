import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, drawn, one, press } from '../support/page.ts';

const BREAKDOWN = {
  total_tokens: 700,
  max_input_tokens: 1000,
  cached_tokens: 500,
  breakdown: {
    system: 100,
    files: 500,
    file_details: [
      { path: 'src/a.py', tokens: 400, selected: true, in_log: false },
      { path: 'old.py', tokens: 100, selected: false, in_log: true },
    ],
    history: 100,
    history_messages: 2,
  },
  blocks: [{ contents: [{ type: 'history', name: 'question', text: 'Why?', tokens: 100 }] }],
  last_request: { input_tokens: 600, cache_read_tokens: 450, cache_write_tokens: 100, cache: 'hit' },
  changes: {
    parts: [
      { category: 'files', path: 'src/a.py', name: 'src/a.py', before: 0, after: 400 },
      { category: 'history', path: '', name: '', before: 40, after: 100 },
      { category: 'urls', path: 'https://x.org', name: 'https://x.org', before: 9, after: 0 },
    ],
    kept_tokens: 200,
    lost_tokens: 30,
    lost_from: 'https://x.org',
  },
};
const COUNTED = [
  {
    path: 'src/a.py',
    symbols: [{ name: 'mean', kind: 'function', line: 3, last_line: 9, parent: -1, tokens: 30 }],
    rest: 10,
  },
];

let rpc: FakeRpc;
let session: Session;

beforeEach(async () => {
  localStorage.clear();
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  rpc.ready.set('LLMService.get_context_breakdown', () => BREAKDOWN);
  rpc.ready.set('LLMService.get_symbol_tokens', () => COUNTED);
  rpc.ready.set('LLMService.get_spend_by_day', () => []);
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, selected_files: ['src/a.py'] }));
  await connect(rpc);
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

const open = (tab: string) => click(all('context-tab').find(({ dataset }) => dataset.tab === tab));
const box = (label: string) =>
  all('icicle-box').find((each) => each.getAttribute('aria-label')?.startsWith(label));

describe('what is marked in the conversation', () => {
  const marked = { excluded: 3, excluded_tokens: 4200, pinned: 1, pinned_tokens: 1100 };

  beforeEach(async () => {
    rpc.ready.set('LLMService.get_context_breakdown', () => ({ ...BREAKDOWN, marked }));
    await session.breakdown.refresh();
    await drawn();
  });

  it('is counted below the history, and in the key of the drawing', async () => {
    const texts = (name: string) => all(name).map((each) => each.textContent?.replace(/\s+/g, ' ').trim());
    expect(texts('marked-total')).toEqual(['3 turns not sent−4,200', '1 turn pinned1,100']);
    expect(all('marked-total').map(({ dataset }) => [dataset.context, dataset.tokens])).toEqual([
      ['excluded', '-4200'],
      ['pinned', '1100'],
    ]);
    expect(all('marked-turns').map((button) => button.getAttribute('aria-label'))).toEqual([
      '3 turns are not sent, so that each request has 4,200 tokens less. Show them.',
      '1 turn with 1,100 tokens is pinned: compactions keep it word for word. Show it.',
    ]);
    await open('drawing');
    const key = one('context-view').querySelector('.key')?.textContent?.replace(/\s+/g, ' ');
    expect(key).toContain('3 turns not sent −4,200');
    expect(key).toContain('1 turn pinned 1,100');
  });

  it('asks the conversation to show it', async () => {
    const asked: EventTarget[] = [];
    document.body.addEventListener(
      'ac-marks',
      (event) => asked.push(event.composedPath()[0] as EventTarget),
      {
        once: true,
      },
    );
    await click(all('marked-turns')[0]);
    expect(asked).toEqual([all('marked-turns')[0]]);
  });

  it('has no row where nothing is marked, and with a server that doesn’t say', async () => {
    for (const nothing of [undefined, { excluded: 0, excluded_tokens: 0, pinned: 0, pinned_tokens: 0 }]) {
      rpc.ready.set('LLMService.get_context_breakdown', () => ({ ...BREAKDOWN, marked: nothing }));
      await session.breakdown.refresh();
      await drawn();
      expect(all('marked-total')).toEqual([]);
    }
  });
});

describe('the views of the context', () => {
  it('begin with the list, whose rows stay; another one is remembered', async () => {
    expect(all('breakdown-row').map(({ dataset }) => dataset.path)).toContain('src/a.py');
    expect(all('context-view')).toEqual([]);
    await open('changes');
    expect(one('context-view').dataset.tab).toBe('changes');
    expect(localStorage.getItem('jupyter-ac.context-tab')).toBe('changes');
    expect(all('breakdown-total')).toHaveLength(1);
  });

  it('draw files and symbols, say why a part is there, and take it out', async () => {
    await open('drawing');
    await drawn();
    expect(rpc.last('LLMService.get_symbol_tokens').args).toEqual([['src/a.py']]);
    expect(box('mean')?.dataset.tokens).toBe('300');
    await click(box('mean'));
    expect(one('context-detail').textContent?.replace(/\s+/g, ' ')).toContain(
      '300 tokens, 43 % of the request It begins in line 3 of src/a.py. You ticked this file.',
    );
    expect(one('context-remove').textContent).toBe('Untick the whole file');
    await click(one('context-remove'));
    expect(rpc.last('LLMService.set_selected_files').args).toEqual([[]]);
    await click(box('old.py'));
    expect(one('context-reason').textContent).toContain('isn’t ticked any more');
    expect(one('context-remove').textContent).toBe('Stop sending');
    rpc.ready.set('LLMService.trim_context', () => ({ status: 'ok', tokens_freed: 100 }));
    await click(one('context-remove'));
    expect(rpc.last('LLMService.trim_context').args).toEqual([['old.py']]);
  });

  it('are walked by keys: Enter widens a part, Backspace goes back', async () => {
    await open('drawing');
    const tree = one('icicle');
    tree.focus();
    await press('ArrowDown');
    expect(one('context-detail').textContent).toContain('Instructions');
    await press('ArrowDown');
    expect(one('context-detail').textContent).toContain('Files');
    await press('Enter');
    expect(all('icicle-box').map((each) => each.getAttribute('aria-level'))).toEqual(['1', '2', '3', '2']);
    expect(all('icicle-back').map((each) => each.textContent)).toEqual(['The next request']);
    await press('Backspace');
    expect(all('icicle-back')).toEqual([]);
    await press('End');
    expect(one('context-reason').textContent).toContain('You asked this earlier');
    await press('Home');
    expect(one('context-reason').textContent).toContain('all that the model will be sent');
  });

  it('tell what has changed, with signs, and what the cache loses', async () => {
    await open('changes');
    const rows = all('change').map(({ dataset, textContent }) => [
      dataset.kind,
      textContent?.replace(/\s+/g, ' ').trim(),
    ]);
    expect(rows).toEqual([
      ['added', 'src/a.py added +400'],
      ['grown', 'Conversation grown from 40 to 100+60'],
      ['removed', 'https://x.org removed −9'],
    ]);
    expect(one('changes-cache').textContent).toContain('From “https://x.org” on, 30 tokens');
    rpc.ready.set('LLMService.get_context_breakdown', () => ({ ...BREAKDOWN, changes: null }));
    await session.breakdown.refresh();
    await drawn();
    expect(all('changes-none')).toHaveLength(1);
  });

  it('chart the spending by day in dollars and tokens, with a table', async () => {
    const now = new Date();
    const day = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`;
    const spent = { day, answers: 3, input_tokens: 900, cached_tokens: 400, output_tokens: 100, usd: 0.25 };
    rpc.ready.set('LLMService.get_spend_by_day', () => [spent]);
    await open('spending');
    expect(one('spend-chart').getAttribute('aria-label')).toContain('$0.25 in all');
    expect(one('spend-table').textContent?.replace(/\s+/g, ' ')).toMatch(/3 ?1,000 ?400 ?\$0\.25/);
    await click(all('spend-unit')[1]);
    expect(one('spend-chart').getAttribute('aria-label')).toContain('1,000 tokens in all');
  });

  it('say what is wrong where the server fails', async () => {
    rpc.ready.set('LLMService.get_symbol_tokens', () => {
      throw new Error('The index is busy.');
    });
    rpc.ready.set('LLMService.get_context_breakdown', () => ({ error: 'No.' }));
    await open('drawing');
    expect(one('context-view').textContent).toContain('The index is busy.');
    await session.breakdown.refresh();
    await drawn();
    expect(one('context-view').textContent).toContain('could not be counted: No.');
  });
});
