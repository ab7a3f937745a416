import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { AcApp } from '../../src/elements/app.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, deep, drawn, fill, one, press } from '../support/page.ts';

const SECRET = 'sk-very-secret-0123456789';
let rpc: FakeRpc;
let app: AcApp;
let session: Session;
const notebook = vi.fn<() => void>();

beforeEach(async () => {
  Element.prototype.scrollIntoView = () => {};
  rpc = new FakeRpc();
  rpc.ready.set('Settings.list_models', () => ({
    current: { model: 'openai/gpt-a', source: 'llm.json', demo: false },
    models: [
      { name: 'gemini/one', provider: 'gemini', has_key: false },
      { name: 'openai/gpt-a', provider: 'openai', has_key: true },
      { name: 'openai/gpt-b', provider: 'openai', has_key: true, input_cost: 5e-8, output_cost: 4e-7 },
    ],
    providers: [
      { name: 'openai', key_variable: 'OPENAI_API_KEY', has_key: true, where: 'llm.json' },
      { name: 'gemini', key_variable: 'GEMINI_API_KEY', has_key: false, where: '' },
    ],
  }));
  rpc.ready.set('Settings.get_config_info', () => ({
    types: ['litellm', 'app', 'review'],
    locked: ['review'],
  }));
  rpc.ready.set('Settings.get_config_content', (type) => `{"type": "${type}"}`);
  ({ app, session } = await mount(rpc));
  notebook.mockReset();
  document.body.addEventListener('keydown', notebook);
});

afterEach(() => {
  document.body.removeEventListener('keydown', notebook);
  session.dispose();
  document.body.replaceChildren();
});

const within = (selector: string) =>
  [...deep(document)].find((element) => element.matches(selector)) as HTMLElement | undefined;
const dataOf = (name: string, key: string) => all(name).map(({ dataset }) => dataset[key]);

describe('the overlay', () => {
  it('covers a panel that nothing in can be reached, and gives the focus back', async () => {
    await connect(rpc);
    one('model').focus();
    await click(one('model'));
    expect(one('overlay').getAttribute('aria-modal')).toBe('true');
    expect(focused()).toBe(one('model-search'));
    expect(app.renderRoot.querySelector('main')?.hasAttribute('inert')).toBe(true);
    await press('Escape');
    expect(all('overlay')).toEqual([]);
    expect(app.renderRoot.querySelector('main')?.hasAttribute('inert')).toBe(false);
    expect(focused()).toBe(one('model'));
  });

  it('keeps Tab in itself', async () => {
    await connect(rpc);
    await click(one('model'));
    const tab = within('[role="tab"][aria-selected="true"]');
    tab?.focus();
    await press('Tab', { shiftKey: true });
    expect(focused()).toBe(one('model-search'));
    await press('Tab');
    expect(focused()).toBe(tab);
  });

  it.each([
    ['Control+S', { key: 's', ctrlKey: true }],
    ['Enter', { key: 'Enter', shiftKey: true }],
    ['m', { key: 'm' }],
  ])('keeps %s from the notebook', async (_name, { key, ...more }) => {
    await connect(rpc);
    await click(one('model'));
    await press(key, more);
    expect(notebook).not.toHaveBeenCalled();
  });

  it('is not offered by a server that lacks the methods, and nobody is told', async () => {
    for (const method of ['list_models', 'set_key', 'save_config_content'])
      rpc.lacking.add(`Settings.${method}`);
    await connect(rpc);
    expect([...all('model'), ...all('settings'), ...all('toast')]).toEqual([]);
    expect([...deep(document)].some((element) => element.textContent === 'openai/gpt-a')).toBe(true);
  });

  it('is gone with the panel that it stood over', async () => {
    await connect(rpc);
    await click(one('settings'));
    one('settings-form');
    await rpc.become({ state: 'refused', code: 4403, reason: 'Not this one.' });
    await drawn();
    expect(all('settings-form')).toEqual([]);
  });
});

describe('the model picker', () => {
  beforeEach(async () => {
    await connect(rpc);
    await click(one('model'));
  });

  it('lists what can be used first, and marks the one in use', () => {
    expect(dataOf('model-row', 'model')).toEqual(['openai/gpt-a', 'openai/gpt-b', 'gemini/one']);
    expect(all('model-row').map((row) => row.getAttribute('aria-selected'))).toEqual([
      'true',
      'false',
      'false',
    ]);
    expect(all('model-row')[1]?.textContent).toContain('$0.05 in, $0.40 out');
  });

  it('lets the keys decide again, and the keyboard goes on in the search', async () => {
    await press('Escape');
    await click(one('model'));
    expect(focused()).toBe(one('model-search'));
    one('model-automatic').focus();
    await click(one('model-automatic'));
    expect(rpc.last('Settings.choose_model').args).toEqual(['']);
    rpc.ready.set('Settings.list_models', () => ({
      current: { model: 'gemini/one', source: 'JUPYTER_AC_MODEL', demo: false },
    }));
    await rpc.last('Settings.choose_model').answer({ status: 'ok', model: 'gemini/one' });
    await drawn();
    expect(one('model-result').textContent).toContain('gemini/one answers');
    expect(all('model-automatic')).toEqual([]);
    expect(within('.now')?.textContent).toContain('overrides a choice made here');
    expect(focused()).toBe(one('model-search'));
  });

  it('chooses by the keyboard alone', async () => {
    await fill(one<HTMLInputElement>('model-search'), 'gpt');
    await press('ArrowDown');
    expect(one('model-search').getAttribute('aria-activedescendant')).toBe('option-1');
    await press('Enter');
    await rpc.last('Settings.choose_model').answer({ status: 'ok', model: 'openai/gpt-b' });
    await drawn();
    expect(rpc.last('Settings.choose_model').args).toEqual(['openai/gpt-b']);
    expect(one('model-result').textContent).toContain('openai/gpt-b');
  });

  it('takes the name of a model that is not listed', async () => {
    await fill(one<HTMLInputElement>('model-search'), 'my/own');
    await press('Enter');
    expect(rpc.last('Settings.choose_model').args).toEqual(['my/own']);
  });

  it('clears the search with Escape before it closes', async () => {
    await fill(one<HTMLInputElement>('model-search'), 'gpt');
    await press('Escape');
    expect(one<HTMLInputElement>('model-search').value).toBe('');
    await press('Escape');
    expect(all('overlay')).toEqual([]);
  });

  it('leads to the key that a chosen model lacks', async () => {
    await click(all('model-row')[2]);
    rpc.ready.set('Settings.list_models', () => ({
      current: { model: 'gemini/one' },
      models: [{ name: 'gemini/one', provider: 'gemini', has_key: false }],
      providers: [{ name: 'gemini', key_variable: 'GEMINI_API_KEY', has_key: false, where: '' }],
    }));
    await rpc.last('Settings.choose_model').answer({ status: 'ok', model: 'gemini/one' });
    await drawn();
    await click(one('model-result').querySelector('button'));
    expect(focused()).toBe(one('key-input'));
  });
});

describe('the keys', () => {
  beforeEach(async () => {
    await connect(rpc);
    await click(one('model'));
    await click(within('[data-tab="keys"]'));
  });

  const row = (variable: string) => all('key-row').find(({ dataset }) => dataset.variable === variable);

  it('are entered into a field that hides them, and gone from the page when they are sent', async () => {
    await click(row('GEMINI_API_KEY')?.querySelector('[data-do="enter"]'));
    const field = one<HTMLInputElement>('key-input');
    expect([field.type, field.autocomplete]).toEqual(['password', 'off']);
    expect(focused()).toBe(field);
    field.value = SECRET;
    await press('Enter');
    await rpc.last('Settings.set_key').answer({ status: 'confirm', changes: ['It goes to the keyring.'] });
    await drawn();
    expect(one('confirm').textContent).toContain('It goes to the keyring.');
    await click(one('confirm').querySelector('[data-do="save"]'));
    expect(rpc.last('Settings.set_key').args).toEqual(['GEMINI_API_KEY', SECRET, true]);
    await rpc.last('Settings.set_key').answer({ status: 'ok', where: 'keyring' });
    await drawn();
    expect(one('key-result').textContent).toContain("system's keyring");
    expect(field.value).toBe('');
    expect(document.documentElement.outerHTML).not.toContain(SECRET);
    expect([...deep(document)].some(({ outerHTML }) => outerHTML.includes(SECRET))).toBe(false);
  });

  it('are given up with Escape, the overlay stays', async () => {
    await click(row('GEMINI_API_KEY')?.querySelector('[data-do="enter"]'));
    const field = one<HTMLInputElement>('key-input');
    field.value = SECRET;
    await press('Escape');
    expect(field.value).toBe('');
    expect(all('key-input')).toEqual([]);
    expect(focused()).toBe(row('GEMINI_API_KEY')?.querySelector('[data-do="enter"]'));
    one('overlay');
  });

  it('are removed after a question', async () => {
    await click(row('OPENAI_API_KEY')?.querySelector('[data-do="remove"]'));
    expect(rpc.count('Settings.set_key')).toBe(0);
    await click(row('OPENAI_API_KEY')?.querySelector('[data-do="save"]'));
    expect(rpc.last('Settings.set_key').args).toEqual(['OPENAI_API_KEY', '', false]);
  });

  it('can be removed only where we have put them', () => {
    expect(row('GEMINI_API_KEY')?.querySelector<HTMLElement>('[data-do="remove"]')?.hidden).toBe(true);
    expect(row('OPENAI_API_KEY')?.querySelector<HTMLElement>('[data-do="remove"]')?.hidden).toBe(false);
  });
});

describe('an answer that failed for want of a key', () => {
  const error = { type: 'provider_auth', message: 'No key.' };
  const messages = [{ role: 'assistant', content: '', request_id: '1-a', state: 'error', error }];
  beforeEach(() => rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, messages })));

  it('leads to the keys', async () => {
    await connect(rpc);
    await click(within('[data-keys]'));
    expect(all('key-row')).toHaveLength(2);
  });

  it('leads nowhere with a server that takes none', async () => {
    rpc.lacking.add('Settings.set_key');
    await connect(rpc);
    expect(within('[data-keys]')).toBeUndefined();
  });
});

describe('the files', () => {
  const area = () => one<HTMLTextAreaElement>('config-text');
  beforeEach(async () => {
    await connect(rpc);
    await click(one('settings'));
    await click(within('[data-tab="config"]'));
  });

  it('are saved with Ctrl+S, which the notebook never hears', async () => {
    await fill(area(), '{}');
    area().focus();
    const event = await press('s', { ctrlKey: true });
    expect(event.defaultPrevented).toBe(true);
    expect(notebook).not.toHaveBeenCalled();
    expect(rpc.last('Settings.save_config_content').args).toEqual(['litellm', '{}', false]);
  });

  it('have the line of an error selected', async () => {
    await fill(area(), '{\n  "a" 1\n}');
    await click(within('[data-do="save"]'));
    await rpc.last('Settings.save_config_content').answer({ error: 'llm.json, line 2: no.', line: 2 });
    await drawn();
    expect(one('config-problem').dataset.line).toBe('2');
    expect(area().value.slice(area().selectionStart, area().selectionEnd)).toBe('  "a" 1');
  });

  it('ask before they send keys elsewhere', async () => {
    await fill(area(), '{"api_base": "http://x"}');
    await click(within('[data-do="save"]'));
    await rpc
      .last('Settings.save_config_content')
      .answer({ status: 'confirm', changes: ['`api_base` changes.'] });
    await drawn();
    expect(focused()?.dataset.do).toBe('confirm');
    await click(focused());
    expect(rpc.last('Settings.save_config_content').args[2]).toBe(true);
  });

  it('are not left with unsaved changes', async () => {
    await fill(area(), 'new');
    await press('Escape');
    one('unsaved');
    await press('Escape');
    expect(all('unsaved')).toEqual([]);
    expect(area().value).toBe('new');
    await click(within('[data-type="app"]'));
    await click(one('unsaved').querySelector('[data-do="discard"]'));
    expect(area().value).toBe('{"type": "app"}');
  });

  it('are read only where they are locked', async () => {
    await click(within('[data-type="review"]'));
    expect(area().readOnly).toBe(true);
    expect(
      [...deep(document)].some((element) => element.textContent?.includes('administrator has locked')),
    ).toBe(true);
  });
});
