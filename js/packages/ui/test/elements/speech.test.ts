import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, click, drawn, one } from '../support/page.ts';

/** The browser's recognition, spoken to by the test. */
class Recognition extends EventTarget {
  static last: Recognition;
  starts = 0;
  isAborted = false;

  constructor() {
    super();
    Recognition.last = this;
  }

  start(): void {
    this.starts += 1;
  }

  abort(): void {
    this.isAborted = true;
  }

  say(...texts: string[]): void {
    const results = texts.map((transcript) => ({ isFinal: true, 0: { transcript } }));
    this.dispatchEvent(Object.assign(new Event('result'), { results, resultIndex: 0 }));
  }
}

let session: Session;

beforeEach(async () => {
  vi.stubGlobal('webkitSpeechRecognition', Recognition);
  localStorage.clear();
  const rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  await connect(rpc);
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function listen(): Promise<Recognition> {
  await click(one('speech'));
  await click(one('speech-allow'));
  return Recognition.last;
}

it('asks before the first use, and remembers the answer', async () => {
  await click(one('speech'));
  expect(one('speech-question').textContent).toContain('send your voice');
  await click(one('speech-question').querySelector('.button:not(.primary)'));
  expect(all('speech-question')).toEqual([]);
  const recognition = await listen();
  expect(recognition.starts).toBe(1);
  await click(one('speech'));
  expect(recognition.isAborted).toBe(true);
  await click(one('speech'));
  expect(all('speech-question')).toEqual([]);
  expect(Recognition.last).not.toBe(recognition);
});

it('inserts what was said at the cursor, apart from the words before it', async () => {
  const recognition = await listen();
  recognition.say('why is');
  recognition.say('it slow');
  await drawn();
  expect(session.draft.text).toBe('why is it slow ');
  expect(one('speech').getAttribute('aria-pressed')).toBe('true');
});

it('goes on after a pause, and stops with a sentence after an error', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const button = one('speech');
  button.click();
  await vi.advanceTimersByTimeAsync(1);
  one('speech-allow').click();
  const recognition = Recognition.last;
  recognition.dispatchEvent(Object.assign(new Event('error'), { error: 'no-speech' }));
  recognition.dispatchEvent(new Event('end'));
  await vi.advanceTimersByTimeAsync(200);
  expect(recognition.starts).toBe(2);
  recognition.dispatchEvent(Object.assign(new Event('error'), { error: 'not-allowed' }));
  expect(recognition.isAborted).toBe(true);
  expect(session.toasts.toasts.at(-1)?.message).toContain('microphone');
});
