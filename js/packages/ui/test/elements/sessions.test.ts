import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { AcApp } from '../../src/elements/app.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { AROUND } from '../support/folder.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, deep, drawn, fill, one, press } from '../support/page.ts';

const LOAD = 'LLMService.load_session_into_context';
let rpc: FakeRpc;
let app: AcApp;
let session: Session;

beforeEach(async () => {
  rpc = new FakeRpc();
  rpc.ready.set('LLMService.history_list_sessions', () => [
    { session_id: 's', preview: 'Why?', message_count: 2, timestamp: '2026-11-22T10:00:00Z', current: true },
    { session_id: 't', preview: 'From a cell', message_count: 1, aside: true },
  ]);
  rpc.ready.set('LLMService.get_snippets', () => [
    { icon: '1', tooltip: 'Go on', message: 'Go on, please.' },
    { icon: '2', tooltip: 'Tests', message: 'Write tests.' },
  ]);
  ({ app, session } = await mount(rpc));
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

const button = (name: string) => one(name).shadowRoot?.querySelector('button');

describe('conversations that somebody else has kept', () => {
  const TRUST = 'LLMService.get_history_trust';
  const message = '2 conversations were not kept by you here.';

  it('are marked in the list, and trusted after a question that says what it means', async () => {
    let isTrusted = false;
    rpc.ready.set('LLMService.history_list_sessions', () => [
      { session_id: 'x', preview: 'Theirs', message_count: 2, trusted: false },
    ]);
    rpc.ready.set(TRUST, () =>
      isTrusted
        ? { foreign_sessions: 0, current_trusted: true, message: '' }
        : { foreign_sessions: 2, current_trusted: true, message },
    );
    rpc.ready.set('LLMService.trust_history', () => {
      isTrusted = true;
      return { status: 'ok', trusted: 2, refused: 0 };
    });
    await connect(rpc);
    expect(one('trust').textContent).toContain(message);
    await click(button('sessions'));
    expect(one('untrusted').textContent).toContain('read only');
    await click(one('trust-ask'));
    expect(rpc.count('LLMService.trust_history')).toBe(0);
    expect(one('trust').textContent).toContain('are sent to the model');
    await click(one('trust-confirm'));
    await drawn();
    expect(rpc.count('LLMService.trust_history')).toBe(1);
    expect(all('trust')).toHaveLength(0);
  });

  it('are said once when the notice is put away, and as long as one of them is on show', async () => {
    let isOwn = true;
    rpc.ready.set(TRUST, () => ({ foreign_sessions: 2, current_trusted: isOwn, message }));
    await connect(rpc);
    await click(one('trust-later'));
    await session.trust.refresh();
    await drawn();
    expect(all('trust')).toHaveLength(0);
    isOwn = false;
    await session.trust.refresh();
    await drawn();
    expect(one('trust').textContent).toContain(message);
    expect(all('trust-later')).toHaveLength(0);
  });
});

describe('earlier conversations', () => {
  it('are listed, the one on show and those from cells marked', async () => {
    await connect(rpc);
    await click(button('sessions'));
    const rows = all('session-row');
    expect(rows.map((row) => row.getAttribute('aria-current'))).toEqual(['true', null]);
    expect(rows[1]?.textContent).toContain('from a cell or a terminal');
    expect(rows[1]?.textContent).toContain('1 message');
    expect(focused()).toBe(one('search'));
  });

  it('bring what another host has added to the one on show', async () => {
    await connect(rpc);
    const added = { role: 'user', content: 'From elsewhere', turn_id: 't1' };
    rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, messages: [added] }));
    await click(button('sessions'));
    expect(one('message').textContent).toContain('From elsewhere');
    expect(focused()).toBe(one('search'));
  });

  it('are closed by a press elsewhere, and by nothing when they are gone', async () => {
    await connect(rpc);
    await click(button('sessions'));
    one('search').dispatchEvent(new Event('pointerdown', { bubbles: true, composed: true }));
    await drawn();
    expect(all('search')).toHaveLength(1);
    document.body.dispatchEvent(new Event('pointerdown', { bubbles: true, composed: true }));
    await drawn();
    expect(all('search')).toHaveLength(0);
  });

  it('are taken up by a click, which closes the list', async () => {
    await connect(rpc);
    await click(button('sessions'));
    rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, session_id: 't' }));
    await click(all('session-row')[1]);
    await rpc.last(LOAD).answer({ session_id: 't', messages: [], message_count: 0 });
    await drawn();
    expect(rpc.last(LOAD).args).toEqual(['t']);
    expect(all('session-row')).toEqual([]);
    expect(session.chat.sessionId).toBe('t');
    expect(focused()).toBe(button('sessions'));
  });

  it('say why one could not be taken up', async () => {
    await connect(rpc);
    await click(button('sessions'));
    await click(all('session-row')[1]);
    await rpc.last(LOAD).answer({ error: 'An answer is being made.' });
    await drawn();
    expect(one('sessions').shadowRoot?.querySelector('[role="alert"]')?.textContent).toContain('being made');
  });

  it('can be walked through and left by the keyboard', async () => {
    await connect(rpc);
    await click(button('sessions'));
    await press('ArrowDown');
    expect(focused()).toBe(all('session-row')[0]);
    await press('ArrowUp');
    expect(focused()).toBe(one('search'));
    await press('Escape');
    expect(all('session-row')).toEqual([]);
    expect(focused()).toBe(button('sessions'));
  });

  it('are searched, with the words marked', async () => {
    await connect(rpc);
    await click(button('sessions'));
    rpc.ready.set('LLMService.history_search', () => [
      { session_id: 't', messages: [{}, {}, {}], role: 'user', content_preview: 'all about <b>Wind</b>' },
    ]);
    await fill(one<HTMLInputElement>('search'), 'wind');
    await expect.poll(() => all('search-hit').length).toBe(1);
    const hit = one('search-hit');
    expect(hit.querySelector('mark')?.textContent).toBe('Wind');
    expect(hit.textContent).toContain('<b>');
    expect(hit.textContent).toContain('2 more messages');
    await click(hit);
    expect(rpc.last(LOAD).args).toEqual(['t']);
  });

  it('close at a press anywhere else', async () => {
    await connect(rpc);
    await click(button('sessions'));
    one('input').dispatchEvent(new Event('pointerdown', { bubbles: true, composed: true }));
    await drawn();
    expect(all('session-row')).toEqual([]);
  });

  it('are not offered by an older server', async () => {
    rpc.lacking.add('LLMService.history_list_sessions');
    await connect(rpc);
    expect([...all('sessions'), ...all('toast')]).toEqual([]);
  });
});

describe('snippets', () => {
  it('go where the caret is', async () => {
    await connect(rpc);
    const input = one<HTMLTextAreaElement>('input');
    await fill(input, 'Hello ');
    await click(one('snippets'));
    await press('ArrowDown');
    await click(focused());
    expect(input.value).toBe('Hello Write tests.');
    expect(session.draft.text).toBe('Hello Write tests.');
    expect(focused()).toBe(input);
    expect(all('snippet')).toEqual([]);
  });

  it('leave the draft alone when they are closed', async () => {
    await connect(rpc);
    await fill(one<HTMLTextAreaElement>('input'), 'Mine');
    await click(one('snippets'));
    await press('Escape');
    expect(all('snippet')).toEqual([]);
    expect(session.draft.text).toBe('Mine');
  });

  it('have no button where there are none', async () => {
    rpc.lacking.add('LLMService.get_snippets');
    await connect(rpc);
    const menu = [...deep(document)].find((element) => element.localName.startsWith('ac-snippets'));
    expect((menu as HTMLElement).hidden).toBe(true);
  });
});

describe('the door', () => {
  it('is explained in a line that goes when it was read, and comes back when asked for', async () => {
    app.dataset.door = 'relay';
    app.transportNote = 'The server has no jupyter_ac.';
    await connect(rpc);
    expect(one('door-note').textContent).toContain('The server has no jupyter_ac.');
    await click(one('door-note').parentElement?.querySelector('button'));
    expect(one('door-note').title).toBe('The server has no jupyter_ac.');
    await click(one('door-note'));
    expect(one('door-note').textContent).toContain('The server has no jupyter_ac.');
  });

  it('is explained before there is anything else to see', async () => {
    app.dataset.door = 'relay';
    app.transportNote = 'A cell is running.';
    await drawn();
    expect(one('overlay').contains(one('door-note'))).toBe(true);
    expect(one('door-note').textContent).toBe('A cell is running.');
  });

  it('is explained beside the reason why the panel cannot be had', async () => {
    app.dataset.door = 'relay';
    app.transportNote = 'The server has no jupyter_ac.';
    await rpc.become({ state: 'refused', code: 4404, reason: 'There is no repository.' });
    await drawn();
    const alert = one('door-note').parentElement;
    expect(alert?.getAttribute('role')).toBe('alert');
    const said = [...(alert?.querySelectorAll('p') ?? [])].map((line) => line.textContent);
    expect(said.slice(0, 2).map((words) => words?.trim())).toEqual([
      `${AROUND.folder} lies in no git repository.`,
      'The server has no jupyter_ac.',
    ]);
  });

  it('is explained again when the reason is another', async () => {
    app.dataset.door = 'relay';
    app.transportNote = 'One.';
    await connect(rpc);
    await click(one('door-note').parentElement?.querySelector('button'));
    app.transportNote = 'A cell is running.';
    await drawn();
    expect(one('door-note').textContent).toContain('A cell is running.');
    app.transportNote = 'One.';
    await drawn();
    expect(one('door-note').title).toBe('One.');
  });

  it('promises no reconnecting through a kernel that is gone', async () => {
    await connect(rpc);
    await rpc.become({
      state: 'waiting',
      code: 4410,
      reason: 'Run %ac again.',
      delayMs: Number.POSITIVE_INFINITY,
    });
    const alerts = [...deep(document)].filter((element) => element.getAttribute('role') === 'alert');
    expect(alerts.map((alert) => alert.querySelector('p')?.textContent)).toEqual(['Run %ac again.']);
  });

  it('needs no words when it is the usual one', async () => {
    app.dataset.door = 'server';
    await connect(rpc);
    expect(all('door-note')).toEqual([]);
  });
});

it('what was spent stands below the breakdown, and follows each answer', async () => {
  rpc.ready.set('LLMService.get_spend', () => ({
    session_usd: 0.5,
    today_usd: 2,
    repo_usd: null,
    unpriced_turns: 3,
  }));
  await connect(rpc);
  expect(one('spend').textContent).toMatch(/\$0\.50[\s\S]*\$2\.00[\s\S]*–/);
  expect(one('spend').textContent).toContain('3 answers');
  const asked = rpc.count('LLMService.get_spend');
  await rpc.emit('streamComplete', 'r', { response: '' });
  expect(rpc.count('LLMService.get_spend')).toBe(asked + 1);
});

describe('a conversation in the list', () => {
  beforeEach(async () => {
    rpc.ready.set('LLMService.rename_session', (id, title) => ({ session_id: id, title }));
    rpc.ready.set('LLMService.delete_session', (id) => ({ status: 'ok', session_id: id }));
    await connect(rpc);
    await click(button('sessions'));
  });

  it('is named, and the name is shown in the place of its first question', async () => {
    await click(all('session-rename')[0]);
    const field = one('session-title') as HTMLInputElement;
    expect(focused()).toBe(field);
    await fill(field, 'The garden');
    field.form?.requestSubmit();
    await drawn();
    expect(rpc.last('LLMService.rename_session').args).toEqual(['s', 'The garden']);
    expect(all('session-row')[0]?.textContent).toContain('The garden');
    expect(focused()).toBe(all('session-row')[0]);
  });

  it('stays open with the reason when its name is refused', async () => {
    rpc.ready.set('LLMService.rename_session', () => ({ error: 'A title may have at most 200 characters.' }));
    await click(all('session-rename')[0]);
    (one('session-title') as HTMLInputElement).form?.requestSubmit();
    await drawn();
    expect(one('sessions').shadowRoot?.querySelector('[role=alert]')?.textContent).toContain('at most 200');
    expect(all('session-title')).toHaveLength(1);
  });

  it('is deleted after a second click; the first one puts the focus on what is harmless', async () => {
    await click(all('session-delete')[1]);
    expect(rpc.count('LLMService.delete_session')).toBe(0);
    expect(focused()?.textContent).toBe('Keep');
    await click(one('session-delete-confirm'));
    await drawn();
    expect(rpc.last('LLMService.delete_session').args).toEqual(['t']);
    expect(all('session-row')).toHaveLength(1);
  });

  it('is kept by Escape, which closes the question and not the list', async () => {
    await click(all('session-delete')[1]);
    await press('Escape');
    expect(all('session-delete-confirm')).toHaveLength(0);
    expect(all('session-row')).toHaveLength(2);
    expect(rpc.count('LLMService.delete_session')).toBe(0);
  });
});
