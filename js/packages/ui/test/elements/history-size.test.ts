import '../support/jsdom.ts';
import { render } from 'lit';
import { beforeEach, expect, it } from 'vitest';
import { historySize } from '../../src/elements/history-size.ts';
import { CompactionStore } from '../../src/model/compaction.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';

const STATUS = 'LLMService.get_history_status';
let rpc: FakeRpc;
let store: CompactionStore;
let status: object;
const root = document.createElement('div');

beforeEach(async () => {
  rpc = new FakeRpc();
  await rpc.become({ state: 'open', first: true });
  status = { tokens: 30_720, max: 24_000, percent: 128 };
  rpc.ready.set(STATUS, () => status);
  store = new CompactionStore(rpc, { say: () => {}, recount: async () => {} });
});

async function draw(more: object = {}): Promise<void> {
  status = { ...status, ...more };
  await store.refresh();
  render(historySize(store, 'ready'), root);
}

const part = (name: string) => root.querySelector<HTMLElement>(`[data-ac="${name}"]`);

it('says by how much it is over its limit, and fills its bar', async () => {
  await draw();
  expect(part('history-bar')?.textContent).toContain('28 % over');
  expect(part('history-bar')?.title).toContain('more than the');
  expect(root.querySelector<HTMLElement>('.track span')?.style.width).toBe('100%');
  expect(part('compact')?.textContent).toBe('Summarise');
  expect(part('compaction-failed')).toBeNull();
});

it('says why the last summary failed and what happens now, with a button to try again', async () => {
  await draw({ failure: 'OpenAI refused the key.', retry_tokens: 33_000 });
  expect(part('compaction-failed')?.textContent?.replace(/\s+/g, ' ')).toContain(
    'The last summary failed: OpenAI refused the key. Nothing is lost: all messages are still sent.',
  );
  expect(part('history-bar')?.dataset.failed).toBe('true');
  expect(part('compact')?.textContent).toBe('Try again');
  part('compact')?.click();
  await settle();
  await rpc.last('LLMService.compact_now').answer({ status: 'started' });
  await draw({ is_compacting: true });
  expect(part('compact')?.textContent).toBe('Summarising …');
  expect(part('compaction-failed')).toBeNull();
  await draw({ is_compacting: false, failure: '', tokens: 4000, percent: 16 });
  expect(part('history-bar')?.textContent).toContain('16 %');
  expect(part('compaction-failed')).toBeNull();
});
