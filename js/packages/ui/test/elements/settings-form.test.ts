import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, click, deep, drawn, fill, one, press } from '../support/page.ts';
import { SCHEMAS } from '../support/settings-schemas.ts';

const SAVE = 'Settings.save_config_content';
let rpc: FakeRpc;
let session: Session;

beforeEach(async () => {
  Element.prototype.scrollIntoView = () => {};
  rpc = new FakeRpc();
  rpc.ready.set('Settings.get_schemas', () => ({ schemas: SCHEMAS }));
  rpc.ready.set('Settings.get_config_info', () => ({ types: ['litellm', 'app'], unwritten: [], locked: [] }));
  rpc.ready.set('Settings.get_config_content', (type) =>
    type === 'app' ? '{"edits": {"retries": 2}}' : '{"env": {"OPENAI_API_KEY": "••••••••1234"}}',
  );
  rpc.ready.set('Settings.list_models', () => ({
    current: { model: 'openai/gpt-a', source: 'llm.json' },
    models: [],
    providers: [
      { name: 'anthropic', key_variable: 'ANTHROPIC_API_KEY', has_key: false, where: '' },
      { name: 'openai', key_variable: 'OPENAI_API_KEY', has_key: true, where: 'llm.json' },
    ],
  }));
  rpc.ready.set('Settings.list_endpoint_kinds', () => [
    { kind: 'ollama', title: 'Ollama', provider: 'ollama_chat', api_base: 'http://o', key_variable: '' },
  ]);
  ({ session } = await mount(rpc));
  await connect(rpc);
  await click(one('settings'));
  await drawn();
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

const within = (selector: string) =>
  [...deep(document)].find((element) => element.matches(selector)) as HTMLElement | undefined;
const row = (key: string) => {
  const found = all('setting').find(({ dataset }) => dataset.key === key);
  if (!found) throw new Error(`no row ${key}`);
  return found;
};
const keys = () => all('setting').map(({ dataset }) => dataset.key);

async function saved(answer: object): Promise<readonly unknown[]> {
  await settle();
  await rpc.last(SAVE).answer(answer);
  await settle();
  await drawn();
  return rpc.last(SAVE).args;
}

describe('the form', () => {
  it('is the first page of the settings, and has each value with its default', () => {
    one('settings-form');
    expect(row('app.edits.retries').dataset.changed).toBe('true');
    expect(row('app.edits.retries').textContent).toContain('Default: 1 (0 to 2)');
    expect(row('app.edits.review').textContent).toContain('Default: off');
    expect(row('app.edits.review').querySelector('[role="switch"]')?.getAttribute('aria-checked')).toBe(
      'false',
    );
  });

  it('is searched, and Escape empties the search and leaves the settings open', async () => {
    one('settings-search').focus();
    await fill(one<HTMLInputElement>('settings-search'), 'failed');
    expect(keys()).toEqual(['app.edits.retries']);
    await press('Escape');
    expect(keys()).toHaveLength(8);
    await click(one('settings-changed'));
    expect(keys()).toEqual(['litellm.env', 'app.edits.retries']);
  });

  it('saves a switch at once', async () => {
    await click(row('app.edits.review').querySelector('[role="switch"]'));
    const args = await saved({ status: 'ok' });
    expect(JSON.parse(args[1] as string)).toEqual({ edits: { retries: 2, review: true } });
  });

  it('shows a refusal at the value, which stays as it was', async () => {
    const input = row('app.edits.retries').querySelector('input');
    if (!input) throw new Error('no input');
    input.value = '7';
    input.dispatchEvent(new Event('change'));
    await saved({ error: 'app.json, line 1: edits.retries must be at most 2.' });
    expect(row('app.edits.retries').textContent).toContain('must be at most 2');
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(input.getAttribute('aria-describedby')).toBe('problem-app.edits.retries');
    await click(row('app.edits.retries').querySelector('[data-ac="setting-problem"] button'));
    expect(input.value).toBe('2');
  });

  it('resets to the default and goes on at the value', async () => {
    await click(row('app.edits.retries').querySelector('[data-ac="setting-reset"]'));
    rpc.ready.set('Settings.get_config_content', () => '{}');
    const args = await saved({ status: 'ok' });
    expect(args).toEqual(['app', '', false]);
    expect(row('app.edits.retries').dataset.changed).toBe('false');
    expect(focused()?.dataset.ac).toBe('setting-number');
  });

  it('edits lists of objects, and saves them as a whole', async () => {
    await click(row('app.executors').querySelector('[data-do="add"]'));
    const name = row('app.executors').querySelector<HTMLInputElement>('[aria-label^="Name of"]');
    if (!name) throw new Error('no name');
    name.value = 'claude';
    name.dispatchEvent(new Event('change'));
    await drawn();
    expect(rpc.count(SAVE)).toBe(0);
    await click(row('app.executors').querySelector('[data-do="save"]'));
    const args = await saved({ status: 'ok' });
    expect(JSON.parse(args[1] as string)).toMatchObject({ executors: [{ name: 'claude', kind: 'acp' }] });
  });

  it('asks before keys change, and hides what is typed for one', async () => {
    const env = () => row('litellm.env');
    await click(env().querySelector('[data-do="add"]'));
    const name = env().querySelectorAll<HTMLInputElement>('.map-name')[1];
    if (!name) throw new Error('no name');
    name.value = 'GROQ_API_KEY';
    name.dispatchEvent(new Event('change'));
    await drawn();
    expect(env().querySelector('[type="password"]')).not.toBeNull();
    await click(env().querySelector('[data-do="save"]'));
    await saved({ status: 'confirm', changes: ['env: GROQ_API_KEY is added.'] });
    expect(one('confirm').textContent).toContain('GROQ_API_KEY is added');
    expect(focused()?.dataset.do).toBe('confirm');
    await click(focused());
    const args = await saved({ status: 'ok' });
    expect(args[2]).toBe(true);
    expect(JSON.parse(args[1] as string).env).toEqual({ OPENAI_API_KEY: '••••••••1234', GROQ_API_KEY: '' });
  });

  it('is one click from the text', async () => {
    await click(one('settings-raw'));
    expect(one<HTMLTextAreaElement>('config-text').value).toContain('env');
  });
});

describe('the keys', () => {
  it('are filtered, those that are set first', async () => {
    await click(within('[data-tab="keys"]'));
    const variables = () => all('key-row').map(({ dataset }) => dataset.variable);
    expect(variables()).toEqual(['OPENAI_API_KEY', 'ANTHROPIC_API_KEY']);
    await fill(one<HTMLInputElement>('keys-filter'), 'anthr');
    expect(variables()).toEqual(['ANTHROPIC_API_KEY']);
  });
});

describe('a server of the user’s own', () => {
  it('is tried after one question, with the keyboard', async () => {
    await click(within('[data-tab="models"]'));
    await click(one('endpoint-open'));
    expect(one<HTMLInputElement>('endpoint-address').value).toBe('http://o');
    const model = one<HTMLInputElement>('endpoint-model');
    model.value = 'qwen3:4b';
    model.dispatchEvent(new Event('change'));
    await drawn();
    await click(one('endpoint-try'));
    await rpc.last('Settings.try_model').answer({ status: 'confirm', changes: ['It goes to http://o.'] });
    await drawn();
    expect(focused()?.dataset.do).toBe('confirm');
    await click(focused());
    await rpc.last('Settings.try_model').answer({ error: 'The server at http://o can’t be reached.' });
    await drawn();
    expect(one('endpoint-result').textContent).toContain('can’t be reached');
    expect(one('endpoint-result').dataset.ok).toBe('false');
    expect(focused()?.dataset.ac).toBe('endpoint-try');
    await press('Escape');
    expect(all('endpoint-form')).toEqual([]);
    one('model-search');
  });
});
