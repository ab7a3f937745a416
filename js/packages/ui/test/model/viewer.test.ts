import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_CHARACTERS } from '../../src/model/file-content.ts';
import { ReviewStore } from '../../src/model/review.ts';
import { ViewerStore } from '../../src/model/viewer.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';

const READ = 'Repo.get_file_content';
const DEFINE = 'LLMService.lsp_get_definition';
const USES = 'LLMService.lsp_get_references';
const target = (file: string, line: number) => ({ file, range: { startLineNumber: line, startColumn: 5 } });
const at = (path: string, line = 0) => ({ path, line, col: 0 });

let rpc: FakeRpc;
let store: ViewerStore;

beforeEach(async () => {
  rpc = new FakeRpc();
  await rpc.become({ state: 'open', first: true });
  store = new ViewerStore(rpc, new ReviewStore(rpc));
});

describe('the viewer', () => {
  it('reads the file on disk, and the committed one only when it is wanted', async () => {
    store.open(at('a.py'));
    expect(store.shown.kind).toBe('loading');
    await rpc.last(READ).answer('now\n');
    expect(store.shown).toMatchObject({ kind: 'text', text: 'now\n' });
    expect(rpc.count(READ)).toBe(1);
    store.show('diff');
    expect(rpc.last(READ).args).toEqual(['a.py', 'HEAD']);
    await rpc.last(READ).answer('then\n');
    store.show('head');
    expect(store.shown).toMatchObject({ text: 'then\n' });
    expect(rpc.count(READ)).toBe(2);
  });

  it('finds the line of a heading in the text, at once where it has that', async () => {
    store.open({ ...at('a.md'), anchor: 'two' });
    expect(store.location.line).toBe(0);
    await rpc.last(READ).answer('# One\n\n## Two\n');
    expect(store.location).toEqual(at('a.md', 3));
    store.open({ ...at('a.md'), anchor: 'one' });
    expect(store.location).toEqual(at('a.md', 1));
    store.open({ ...at('a.md'), anchor: 'none' });
    expect(store.location).toEqual(at('a.md', 0));
    store.back();
    expect(store.location).toEqual(at('a.md', 1));
  });

  it('shows of a deleted file what was committed, and says so', async () => {
    store.open(at('gone.py'));
    await rpc.last(READ).fail('not_found');
    await rpc.last(READ).answer('x = 1\n');
    expect([store.tab, store.shown]).toMatchObject(['head', { text: 'x = 1\n' }]);
    expect(store.note).toContain('has been deleted');
  });

  it('says that there is no such file, neither here nor committed', async () => {
    store.open(at('never.py'));
    await rpc.last(READ).fail('not_found');
    await rpc.last(READ).fail('not_found');
    expect([store.tab, store.shown.kind, store.note]).toEqual(['file', 'missing', '']);
  });

  it('reads a notebook as its cells, and as it is where that fails', async () => {
    const cells = 'Repo.get_notebook_text';
    store.open(at('a.ipynb'));
    await rpc.last('Repo.get_notebook_language').answer('julia');
    await rpc.last(cells).answer('# %%\nx = 1\n');
    expect(store.shown).toMatchObject({ text: '# %%\nx = 1\n', language: 'julia' });
    store.open(at('b.ipynb'));
    await rpc.last('Repo.get_notebook_language').fail('unsupported');
    await rpc.last(cells).fail('unsupported', 'Not a notebook.');
    await rpc.last(READ).answer('{}');
    expect(store.shown).toMatchObject({ text: '{}' });
  });

  it('says why a file is no text', async () => {
    store.open(at('a.bin'));
    await rpc.last(READ).fail('binary_file', 'It is binary.');
    expect(store.shown).toEqual({ kind: 'refused', message: 'It is binary.' });
    expect(store.isNavigable).toBe(false);
  });

  it('cuts a long file at the end of a line, openly', async () => {
    store.open(at('long.txt'));
    const text = 'line\n'.repeat(300_000);
    await rpc.last(READ).answer(text);
    const { shown } = store;
    expect(shown).toMatchObject({ kind: 'text', whole: text.length });
    if (shown.kind !== 'text') throw new Error('no text');
    expect(shown.text.length).toBeLessThanOrEqual(MAX_CHARACTERS);
    expect(shown.text.endsWith('line\n')).toBe(true);
    store.open(at('line.txt'));
    await rpc.last(READ).answer('x'.repeat(2 * MAX_CHARACTERS));
    expect(store.shown).toMatchObject({ text: 'x'.repeat(MAX_CHARACTERS) });
  });

  it('drops what comes for a file that was left, and reads one again that has changed on disk', async () => {
    store.open(at('a.py'));
    const late = rpc.last(READ);
    store.open(at('b.py'));
    await rpc.last(READ).answer('b');
    await late.answer('a');
    expect(store.shown).toMatchObject({ text: 'b' });
    await rpc.emit('filesModified', ['a.py']);
    expect(rpc.count(READ)).toBe(2);
    await rpc.emit('filesModified', ['b.py']);
    expect(store.shown).toMatchObject({ text: 'b' });
    await rpc.last(READ).answer('b2');
    expect(store.shown).toMatchObject({ text: 'b2' });
  });
});

describe('names in it', () => {
  beforeEach(() => {
    rpc.ready.set(READ, () => 'text\n');
    store.open(at('a.py', 3));
  });

  it('lead to their definition, and the way back to where the cursor was', async () => {
    const going = store.goToDefinition(7, 9);
    expect(rpc.last(DEFINE).args).toEqual(['a.py', 7, 9]);
    await rpc.last(DEFINE).answer(target('b.py', 4));
    await going;
    expect(store.location).toEqual({ path: 'b.py', line: 4, col: 5 });
    store.back();
    expect(store.location).toEqual({ path: 'a.py', line: 7, col: 9 });
    store.forward();
    expect(store.location.path).toBe('b.py');
    expect(store.canGoForward).toBe(false);
  });

  it('lead nowhere in a sentence', async () => {
    void store.goToDefinition(7, 9);
    await rpc.last(DEFINE).answer(null);
    expect(store.note).toContain('No definition');
    void store.goToDefinition(7, 9);
    await rpc.last(DEFINE).answer(target('a.py', 7));
    expect(store.note).toBe('This is where it is defined.');
    void store.goToDefinition(7, 9);
    await rpc.last(DEFINE).fail('internal', 'Broken.');
    expect(store.note).toBe('Broken.');
  });

  it('are forgotten when another place was opened before the answer', async () => {
    void store.goToDefinition(7, 9);
    store.open(at('c.py'));
    await rpc.last(DEFINE).answer(target('b.py', 4));
    expect(store.location.path).toBe('c.py');
  });

  it('list their uses, cut openly, until the list is closed', async () => {
    void store.findReferences(1, 1);
    expect(store.references?.isLoading).toBe(true);
    await rpc.last(USES).answer(Array.from({ length: 400 }, (_, line) => target('b.py', line + 1)));
    expect([store.references?.locations.length, store.references?.more]).toEqual([300, 100]);
    await settle();
    expect(store.references?.texts.get('b.py')).toEqual(['text', '']);
    void store.findReferences(1, 1);
    store.closeReferences();
    await rpc.last(USES).answer([target('b.py', 1)]);
    expect(store.references).toBeNull();
    void store.findReferences(1, 1);
    await rpc.last(USES).answer([]);
    expect([store.references, store.note]).toEqual([null, 'No use of it is known.']);
  });

  it('tell of themselves, the last one that was asked for only', async () => {
    const [first, second] = [store.hover(1, 1), store.hover(2, 2)];
    const [one, two] = rpc.calls.filter(({ method }) => method.endsWith('hover'));
    await two?.answer({ contents: 'two' });
    await one?.answer({ contents: 'one' });
    expect(await Promise.all([first, second])).toEqual(['', 'two']);
    const none = store.hover(3, 3);
    await rpc.last('LLMService.lsp_get_hover').fail('timeout');
    expect(await none).toBe('');
  });

  it('are not asked about by a server of another version', async () => {
    rpc.lacking.add(DEFINE).add('LLMService.lsp_get_hover');
    expect(store.isNavigable).toBe(false);
    expect(await store.hover(1, 1)).toBe('');
  });
});

it('shows the map as it goes out with a question, and the way back from it', async () => {
  const SENT = 'LLMService.get_sent_map';
  rpc.ready.set(READ, () => 'text\n');
  store.open({ ...at(''), mapFor: 'Why?' });
  expect([store.tab, store.isMap, store.isNavigable]).toEqual(['map', true, false]);
  expect(rpc.last(SENT).args).toEqual(['Why?']);
  await rpc.last(SENT).answer('a.py: top\n');
  expect(store.shown).toMatchObject({ text: 'a.py: top\n' });
  store.open(at('a.py'));
  expect([store.tab, store.isMap]).toEqual(['file', false]);
  store.back();
  await rpc.last(SENT).answer('');
  expect(store.shown).toEqual({ kind: 'refused', message: 'The next request has no map.' });
  store.dispose();
  await settle();
});

it('shows what the map says of a file', async () => {
  rpc.ready.set(READ, () => 'text\n');
  store.open(at('a.py'));
  store.show('map');
  await rpc
    .last('LLMService.get_file_map_block')
    .answer({ path: 'a.py', content: 'f top(days)', mode: 'code' });
  expect(store.shown).toMatchObject({ text: 'f top(days)' });
  store.open(at('b.py'));
  store.show('map');
  await rpc.last('LLMService.get_file_map_block').answer({ error: 'The index is not ready.' });
  expect(store.shown).toEqual({ kind: 'refused', message: 'The index is not ready.' });
  store.dispose();
  await settle();
});
