import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ModeStore } from '../../src/model/mode.ts';
import { ToastStore } from '../../src/model/toasts.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';

const STATE = {
  mode: 'code',
  cross_ref_enabled: false,
  symbol_index_ready: true,
  doc_index_ready: true,
  cross_ref_ready: true,
  message: '',
};

let rpc: FakeRpc;
let toasts: ToastStore;
let store: ModeStore;
let recounts: number;

beforeEach(async () => {
  vi.useFakeTimers();
  rpc = new FakeRpc();
  recounts = 0;
  toasts = new ToastStore();
  rpc.ready.set('LLMService.get_mode', () => STATE);
  await rpc.become({ state: 'open', first: true });
  store = new ModeStore(rpc, {
    say: (kind, message) => toasts.show(kind, message),
    progress: (what, advance) => toasts.progress(what, advance),
    recount: async () => {
      recounts += 1;
    },
  });
  await store.refresh();
});
afterEach(() => {
  store.dispose();
  toasts.dispose();
  vi.useRealTimers();
});

const said = () => toasts.toasts.map(({ kind, message }) => [kind, message]);

describe('the mode', () => {
  it('is switched, with what the server says of it', async () => {
    rpc.ready.set('LLMService.get_mode', () => ({ ...STATE, mode: 'doc' }));
    void store.switchTo('doc');
    expect(store.isSwitching).toBe(true);
    const keywords_message = 'Keywords come later.';
    await rpc.last('LLMService.switch_mode').answer({ mode: 'doc', message: 'On.', keywords_message });
    expect([store.mode, store.isSwitching, recounts]).toEqual(['doc', false, 1]);
    expect(said()).toEqual([
      ['success', 'On.'],
      ['info', 'Keywords come later.'],
    ]);
  });

  it('stays while its index is being made, and says so', async () => {
    void store.switchTo('doc');
    await rpc.last('LLMService.switch_mode').answer({ mode: 'code', message: 'Not yet.', building: true });
    expect(store.mode).toBe('code');
    expect(said()).toEqual([['warning', 'Not yet.']]);
    await store.switchTo('code');
    expect(rpc.count('LLMService.switch_mode')).toBe(1);
  });

  it.each([
    ['enabled', true, 'success'],
    ['not_ready', false, 'warning'],
    ['error', false, 'error'],
    ['no_change', true, 'info'],
  ])('cross-reference: %s', async (status, cross_ref_enabled, kind) => {
    rpc.ready.set('LLMService.get_mode', () => ({ ...STATE, cross_ref_enabled }));
    void store.setCrossReference(true);
    await rpc.last('LLMService.set_cross_reference').answer({ status, cross_ref_enabled, message: 'So.' });
    expect(store.isCrossReferenced).toBe(cross_ref_enabled);
    expect(said()).toEqual([[kind, 'So.']]);
  });

  it('is not offered by a server of another version', async () => {
    rpc.lacking.add('LLMService.set_cross_reference');
    expect(store.isOffered).toBe(false);
  });
});

describe('the indexes', () => {
  it('tell how far they are, apart from the start of the server', async () => {
    await rpc.emit('startupProgress', 'indexing', '120 of 400 files', 30);
    expect(store.indexing).toEqual({ message: '120 of 400 files', percent: 30 });
    await rpc.emit('startupProgress', 'model', 'Loading', 50);
    expect(store.indexing?.percent).toBe(30);
    await rpc.emit('startupProgress', 'indexing', 'Done', 100);
    expect([store.indexing, recounts]).toEqual([null, 1]);
  });

  it('are looked at again while they are made, without any event', async () => {
    rpc.ready.set('LLMService.get_mode', () => ({
      ...STATE,
      symbol_index_ready: false,
      symbol_index_building: true,
    }));
    await store.refresh();
    expect([store.isCodeReady, store.indexing?.percent]).toEqual([false, 0]);
    rpc.ready.set('LLMService.get_mode', () => STATE);
    vi.advanceTimersByTime(1500);
    await settle();
    expect([store.isCodeReady, store.indexing]).toEqual([true, null]);
    // The context was counted without their map.
    expect(recounts).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(rpc.count('LLMService.get_mode')).toBe(3);
  });

  it('of documents show their progress in one notice that stays until it is over', async () => {
    const enrich = (stage: string, more: object) =>
      rpc.emit('compactionEvent', '', { stage: `doc_enrichment_${stage}`, ...more });
    await enrich('queued', { message: 'Keywords: 0 of 4', percent: 0 });
    vi.advanceTimersByTime(60_000);
    await enrich('file_done', { message: 'Keywords: 1 of 4', percent: 25 });
    expect(toasts.toasts).toMatchObject([{ message: 'Keywords: 1 of 4', percent: 25 }]);
    await enrich('complete', { message: 'Done', percent: 100 });
    await settle();
    expect(toasts.toasts).toEqual([]);
    await enrich('queued', { message: 'Keywords: 0 of 1', percent: 0 });
    await enrich('failed', { message: 'No keywords.' });
    expect(said()).toEqual([['warning', 'No keywords.']]);
  });

  it('do not come back in a notice that was closed', async () => {
    toasts.progress('x', { message: '1', percent: 1 });
    toasts.dismiss(toasts.toasts[0]?.id ?? 0);
    toasts.progress('x', { message: '2', percent: 2 });
    expect(toasts.toasts).toEqual([]);
    toasts.progress('x', null);
    toasts.progress('x', { message: '3', percent: 3 });
    expect(toasts.toasts).toMatchObject([{ message: '3' }]);
  });
});
