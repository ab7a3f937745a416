import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FilesStore } from '../../src/model/files.ts';
import { ModeStore } from '../../src/model/mode.ts';
import { PathRanking } from '../../src/model/path-ranking.ts';
import { SearchStore } from '../../src/model/search-everywhere.ts';
import { SelectionStore } from '../../src/model/selection.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';
import { rawRows } from '../support/raw-rows.ts';

const SYMBOLS = 'LLMService.search_symbols';
const TEXT = 'Repo.search_files';
const row = (name: string, line = 4) => ({
  name,
  kind: 'class',
  file: 'src/store.py',
  line,
  column: 7,
  container: '',
  signature: '',
});

let rpc: FakeRpc;
let files: FilesStore;
let mode: ModeStore;
let isReady: boolean;
let store: SearchStore;

beforeEach(async () => {
  vi.useFakeTimers();
  rpc = new FakeRpc();
  rpc.ready.set('Repo.get_tree_rows', () => rawRows(['src/store.py', 'docs/history.md', 'a.py']));
  rpc.ready.set('LLMService.set_selected_files', (paths) => paths);
  await rpc.become({ state: 'open', first: true });
  files = new FilesStore(rpc, new SelectionStore(rpc, () => {}));
  await files.refresh();
  rpc.ready.set('LLMService.get_mode', () => ({ symbol_index_ready: isReady }));
  isReady = false;
  mode = new ModeStore(rpc, { say() {}, progress() {}, async recount() {} });
  store = new SearchStore(rpc, files, mode);
});
afterEach(() => {
  store.dispose();
  vi.useRealTimers();
});

async function typed(query: string): Promise<void> {
  store.search(query);
  vi.advanceTimersByTime(200);
  await settle();
}

const titles = (kind: string) =>
  store.groups.find((group) => group.kind === kind)?.results.map(({ title }) => title);

describe('the search for everything', () => {
  it('puts files that have only the letters behind what has the word', async () => {
    const kinds = () => store.groups.map(({ kind }) => kind);
    await typed('store');
    expect(kinds()).toEqual(['files', 'symbols', 'text']);
    await typed('soe');
    await vi.runAllTimersAsync();
    expect(kinds()).toEqual(['symbols', 'text', 'files']);
    expect(titles('files')).toEqual(['store.py']);
  });

  it('searches again when the files have come', async () => {
    files = new FilesStore(rpc, new SelectionStore(rpc, () => {}));
    store.dispose();
    store = new SearchStore(rpc, files, mode);
    await typed('store');
    expect(titles('files')).toEqual([]);
    await files.refresh();
    await vi.runAllTimersAsync();
    expect(titles('files')).toEqual(['store.py']);
  });

  it('knows the best result once no better one can come', async () => {
    store.search('hist');
    expect([store.isStale, store.best]).toEqual([true, undefined]);
    store.searchNow();
    await vi.runAllTimersAsync();
    expect([store.isStale, store.best?.location.path]).toEqual([false, 'docs/history.md']);
    store.search('zzz');
    store.searchNow();
    await vi.runAllTimersAsync();
    await rpc.last(TEXT).answer([{ file: 'a.py', matches: [{ line_num: 1, line: 'zzz' }] }]);
    expect(store.best).toBeUndefined();
    await rpc.last(SYMBOLS).answer([]);
    expect(store.best?.kind).toBe('text');
  });

  it('asks once typing pauses, and shows each kind as it comes', async () => {
    store.search('s');
    store.search('sto');
    vi.advanceTimersByTime(199);
    expect(rpc.count(SYMBOLS)).toBe(0);
    vi.advanceTimersByTime(1);
    expect(rpc.last(SYMBOLS).args).toEqual(['sto', 21]);
    expect(rpc.last(TEXT).args).toEqual(['sto', false, false, true, 0]);
    expect(titles('files')).toEqual(['store.py', 'history.md']);
    await rpc.last(TEXT).answer([
      {
        file: 'a.py',
        matches: [
          { line_num: 2, line: `    ${'x'.repeat(60)} a store`, context_before: [], context_after: [] },
        ],
      },
    ]);
    const [found] = store.groups.find(({ kind }) => kind === 'text')?.results ?? [];
    expect(found?.location).toEqual({ path: 'a.py', line: 2, col: 68 });
    expect(found?.title).toMatch(/^…x+ a store$/);
    await rpc.last(SYMBOLS).answer([row('Store')]);
    expect(titles('symbols')).toEqual(['Store']);
  });

  it('keeps the name of a symbol apart from its arguments, which give way first', async () => {
    await typed('sto');
    await rpc.last(SYMBOLS).answer([{ ...row('Store'), container: 'Kept', signature: '(name)' }]);
    const [found] = store.groups.find(({ kind }) => kind === 'symbols')?.results ?? [];
    expect([found?.title, found?.more]).toEqual(['Kept.Store', '(name)']);
  });

  it('drops answers to what was typed before', async () => {
    await typed('sto');
    const late = rpc.last(SYMBOLS);
    await typed('stor');
    await late.answer([row('Stomach')]);
    expect(titles('symbols')).toEqual([]);
    await rpc.last(SYMBOLS).answer([row('Store')]);
    expect(titles('symbols')).toEqual(['Store']);
    store.search('');
    expect(store.groups).toEqual([]);
  });

  it('tells of each kind by itself what failed, and that there is more', async () => {
    await typed('sto');
    await rpc.last(TEXT).fail('busy', 'Too many searches.');
    await rpc.last(SYMBOLS).answer(Array.from({ length: 21 }, (_, line) => row('Store', line)));
    expect(store.groups.map(({ kind, error, isCut }) => [kind, error, isCut])).toEqual([
      ['files', '', false],
      ['symbols', '', true],
      ['text', 'Too many searches.', false],
    ]);
    expect(titles('symbols')).toHaveLength(20);
  });

  it('searches no text for one letter, and no symbols where the server has none', async () => {
    rpc.lacking.add(SYMBOLS);
    await typed('s');
    expect(store.groups.map(({ kind }) => kind)).toEqual(['files']);
  });

  it('searches again when the index has come', async () => {
    await typed('sto');
    await rpc.last(SYMBOLS).answer([]);
    isReady = true;
    await mode.refresh();
    vi.advanceTimersByTime(200);
    expect(rpc.count(SYMBOLS)).toBe(2);
    await mode.refresh();
    vi.advanceTimersByTime(200);
    expect(rpc.count(SYMBOLS)).toBe(2);
  });

  it('keeps the keyboard on its result while others come in before it', async () => {
    await typed('sto');
    await rpc.last(TEXT).answer([{ file: 'a.py', matches: [{ line_num: 2, line: 'sto' }] }]);
    store.move(2);
    expect(store.results[store.active]?.kind).toBe('text');
    await rpc.last(SYMBOLS).answer([row('Store')]);
    expect(store.results[store.active]?.kind).toBe('text');
    store.move(99);
    expect(store.active).toBe(store.results.length - 1);
    store.move(-99);
    expect(store.active).toBe(0);
  });

  it('ticks the file of a result, and unticks it', async () => {
    await typed('store');
    const [first] = store.results;
    if (!first) throw new Error('nothing was found');
    store.tick(first);
    expect(files.selection.paths).toEqual(['src/store.py']);
    store.tick(first);
    expect(files.selection.paths).toEqual([]);
  });
});

it('ranks names before paths, and parts before letters in order', () => {
  const ranking = new PathRanking('map', 10);
  for (const path of ['m/a/p.py', 'lib/roadmap.py', 'map/a.py', 'x/map', 'x/mapper.py', 'zzz'])
    ranking.add(path);
  expect(ranking.best).toEqual(['x/map', 'x/mapper.py', 'lib/roadmap.py', 'map/a.py', 'm/a/p.py']);
});

it('keeps the best of very many paths', () => {
  const ranking = new PathRanking('a', 3);
  for (let number = 0; number < 5000; number += 1) ranking.add(`lib/file-a-${number}`);
  ranking.add('a');
  expect(ranking.best[0]).toBe('a');
  expect(ranking.best).toHaveLength(3);
});
