import { beforeEach, describe, expect, it } from 'vitest';
import { ago } from '../../src/model/format.ts';
import { Settings } from '../../src/model/settings.ts';
import { configOf } from '../../src/model/settings-parts.ts';
import { SnippetsStore } from '../../src/model/snippets.ts';
import { SpendStore } from '../../src/model/spend.ts';
import { FakeRpc } from '../support/fake-rpc.ts';

let rpc: FakeRpc;
beforeEach(async () => {
  rpc = new FakeRpc();
  await rpc.become({ state: 'open', first: true });
});

describe('snippets', () => {
  it('are those with a text', async () => {
    const store = new SnippetsStore(rpc);
    void store.refresh();
    await rpc
      .last('LLMService.get_snippets')
      .answer([{ icon: '!', message: 'Go on.' }, { tooltip: 'none' }, 3]);
    expect(store.snippets).toEqual([{ icon: '!', tooltip: '', message: 'Go on.' }]);
  });

  it('are not asked of a server that has none', async () => {
    rpc.lacking.add('LLMService.get_snippets');
    await new SnippetsStore(rpc).refresh();
    expect(rpc.calls).toEqual([]);
  });
});

describe('the spending', () => {
  it('has sums where prices are known', async () => {
    const store = new SpendStore(rpc);
    void store.refresh();
    await rpc
      .last('LLMService.get_spend')
      .answer({ session_usd: null, today_usd: 0.5, repo_usd: 2, unpriced_turns: 1 });
    expect(store.spend).toEqual({ session: null, today: 0.5, repository: 2, unpriced: 1 });
  });

  it('keeps the last sums when the next ones fail', async () => {
    const store = new SpendStore(rpc);
    void store.refresh();
    await rpc.last('LLMService.get_spend').answer({ today_usd: 0.5 });
    void store.refresh();
    await rpc.last('LLMService.get_spend').fail('internal');
    expect(store.spend?.today).toBe(0.5);
  });

  it('of the newest request wins', async () => {
    const store = new SpendStore(rpc);
    void store.refresh();
    const old = rpc.last('LLMService.get_spend');
    void store.refresh();
    await rpc.last('LLMService.get_spend').answer({ today_usd: 2 });
    await old.answer({ today_usd: 1 });
    expect(store.spend?.today).toBe(2);
  });
});

describe('the settings', () => {
  it.each([
    [[], ['form', 'models', 'keys', 'config']],
    [['Settings.set_key'], ['form', 'models', 'config']],
    [['Settings.list_models'], ['form', 'config']],
    [['Settings.list_models', 'Settings.get_schemas'], ['config']],
    [['Settings.list_models', 'Settings.save_config_content'], []],
  ])('of a server without %j have the tabs %j', (lacking, tabs) => {
    for (const method of lacking) rpc.lacking.add(method);
    expect(new Settings(rpc).tabs).toEqual(tabs);
  });

  it('are left only without unsaved text', () => {
    const settings = new Settings(rpc);
    let left = 0;
    configOf(settings).edit('new');
    settings.leave(() => {
      left += 1;
    });
    expect(left).toBe(0);
    configOf(settings).discard();
    expect(left).toBe(1);
  });
});

const NOW = new Date(2026, 10, 22, 12).getTime();
it.each([
  [0, 'just now'],
  [-5000, 'just now'],
  [5 * 60_000, '5 min ago'],
  [3 * 3_600_000, '3 h ago'],
  [10 * 86_400_000, '12 Nov'],
  [365 * 86_400_000, '22 Nov 2025'],
])('%i ms are %s', (passed, words) => {
  expect(ago(NOW - passed, NOW)).toBe(words);
});
