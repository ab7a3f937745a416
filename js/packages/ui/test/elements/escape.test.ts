import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { AcApp } from '../../src/elements/app.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, click, deep, drawn, fill, one, press } from '../support/page.ts';

let rpc: FakeRpc;
let app: AcApp;
let session: Session;

const CANCEL = 'LLMService.cancel_streaming';

function byLabel(label: string): HTMLElement {
  const found = [...deep(document)].find((element) => element.getAttribute('aria-label') === label);
  if (!(found instanceof HTMLElement)) throw new Error(`nothing is called ${label}`);
  return found;
}

async function ask(): Promise<void> {
  session.draft.set('Why?');
  void session.ask();
  await drawn();
}

beforeEach(async () => {
  rpc = new FakeRpc();
  rpc.ready.set('LLMService.history_list_sessions', () => []);
  rpc.ready.set('Settings.get_snippets', () => [{ icon: '*', tooltip: 'Tests', message: 'Write tests.' }]);
  ({ app, session } = await mount(rpc));
  await connect(rpc);
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

describe('Escape', () => {
  it('never takes away what is typed', async () => {
    await fill(one<HTMLTextAreaElement>('input'), 'Half a question');
    one('input').focus();
    const event = await press('Escape');
    expect(one<HTMLTextAreaElement>('input').value).toBe('Half a question');
    expect(event.defaultPrevented).toBe(false);
  });

  it('stops the answer that comes in, from anywhere in the panel, once', async () => {
    await ask();
    await fill(one<HTMLTextAreaElement>('input'), 'Next');
    one('picker-filter').focus();
    await press('Escape');
    await press('Escape');
    expect(rpc.count(CANCEL)).toBe(1);
    expect(one<HTMLTextAreaElement>('input').value).toBe('Next');
  });

  it('is left alone while an input method composes', async () => {
    await ask();
    one('input').focus();
    await press('Escape', { isComposing: true });
    expect(rpc.count(CANCEL)).toBe(0);
  });

  it('closes an open menu first, wherever the keyboard is, which stays there', async () => {
    await ask();
    await click(byLabel('Earlier conversations'));
    expect(byLabel('Earlier conversations').ariaExpanded ?? 'true').toBe('true');
    one('input').focus();
    await press('Escape');
    expect([...deep(document)].some((element) => element.classList.contains('popover'))).toBe(false);
    expect(focused()).toBe(one('input'));
    expect(rpc.count(CANCEL)).toBe(0);
    await press('Escape');
    expect(rpc.count(CANCEL)).toBe(1);
  });

  it('closes what was opened last, one thing at a time', async () => {
    app.overlays.open = { location: { path: 'src/a.py', line: 0, col: 0 } };
    await drawn();
    app.overlays.open = { query: '' };
    await drawn();
    await press('Escape');
    expect([app.overlays.open.query, app.overlays.open.location === null]).toEqual([null, false]);
    await press('Escape');
    expect(app.overlays.open.location).toBeNull();
    expect(all('overlay')).toEqual([]);
  });

  it('empties a filter that has the keyboard before it stops anything', async () => {
    await ask();
    const filter = one<HTMLInputElement>('picker-filter');
    await fill(filter, 'a.py');
    filter.focus();
    await press('Escape');
    expect(session.files.filter).toBe('');
    expect(rpc.count(CANCEL)).toBe(0);
  });
});
