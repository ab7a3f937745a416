import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { imageFile } from '../../src/controllers/paste-and-drop.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount, STATE } from '../support/mounted.ts';
import { all, click, drawn, fill, one } from '../support/page.ts';

const IMAGE = 'data:image/png;base64,aWNv';
let rpc: FakeRpc;
let session: Session;

beforeEach(async () => {
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

function show(...messages: object[]): void {
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, messages }));
}

it('sends pasted images one by one before the question', async () => {
  let stored = 0;
  rpc.ready.set('LLMService.put_image', () => {
    stored += 1;
    return { id: `i${stored}` };
  });
  await connect(rpc);
  const file = imageFile(new File(['ico'], 'a.png', { type: 'image/png' }));
  await session.attachments.add([file, file]);
  await drawn();
  expect(all('attachment')).toHaveLength(2);
  await fill(one<HTMLTextAreaElement>('input'), 'What is this?');
  await click(one('send'));
  const { args } = rpc.last('LLMService.chat_streaming');
  expect(args.slice(1)).toEqual(['What is this?', null, ['i1', 'i2']]);
  expect(all('attachment')).toEqual([]);
  expect(all('message')[0]?.querySelectorAll('img')).toHaveLength(2);
});

it('leaves out what is no image, too large or too much, and says so', async () => {
  await connect(rpc);
  const image = (size: number) => imageFile(new File([new Uint8Array(size)], 'a.png', { type: 'image/png' }));
  await session.attachments.add([imageFile(new File(['<svg/>'], 'a.svg', { type: 'image/svg+xml' }))]);
  await session.attachments.add([image(5 * 1024 * 1024 + 1)]);
  await session.attachments.add(Array.from({ length: 6 }, () => image(1)));
  await drawn();
  expect(session.attachments.images).toHaveLength(5);
  expect(all('toast').map((toast) => toast.textContent?.trim())).toEqual([
    expect.stringContaining('a.svg is not a PNG'),
    expect.stringContaining('larger than 5 MB'),
    expect.stringContaining('at most 5 images'),
  ]);
  await click(all('attachment')[0]);
  expect(session.attachments.images).toHaveLength(4);
});

/** What the page would hear of files that are pasted or dropped, with a text where there is one. */
function transfer(type: string, text = ''): object {
  const types = [...(text ? ['text/plain'] : []), 'Files'];
  return { types, files: [new File(['x'], 'a', { type })] };
}

async function bring(name: 'paste' | 'drop', target: Element, data: object): Promise<Event> {
  const event = new Event(name, { bubbles: true, composed: true, cancelable: true });
  Object.assign(event, { clipboardData: data, dataTransfer: data });
  target.dispatchEvent(event);
  await expect.poll(() => drawn()).toBeUndefined();
  return event;
}

it('takes images that are pasted or dropped anywhere, and never leaves the page for another file', async () => {
  await connect(rpc);
  const input = one('input');
  expect((await bring('paste', input, transfer('image/png'))).defaultPrevented).toBe(true);
  expect((await bring('paste', input, transfer('image/png', 'two\tcells'))).defaultPrevented).toBe(false);
  expect((await bring('drop', one('picker'), transfer('image/png'))).defaultPrevented).toBe(true);
  await expect.poll(() => session.attachments.images).toHaveLength(2);
  expect((await bring('drop', one('app'), transfer('text/plain'))).defaultPrevented).toBe(true);
  expect(one('toast').textContent).toContain('is not a PNG');
  rpc.lacking.add('LLMService.put_image');
  expect((await bring('drop', one('app'), transfer('image/png'))).defaultPrevented).toBe(true);
  expect(session.attachments.images).toHaveLength(2);
});

it('puts a question that failed into the input with its images', async () => {
  rpc.ready.set('LLMService.put_image', () => ({ error: 'The disk is full.' }));
  rpc.ready.set('LLMService.chat_streaming', () => ({ error: 'The disk is full.' }));
  await connect(rpc);
  await session.attachments.add([imageFile(new File(['ico'], 'a.png', { type: 'image/png' }))]);
  await fill(one<HTMLTextAreaElement>('input'), 'What is this?');
  await click(one('send'));
  expect(all('attachment')).toEqual([]);
  await click(all('message')[1]?.querySelector('[data-again]'));
  expect(one<HTMLTextAreaElement>('input').value).toBe('What is this?');
  expect(all('attachment')).toHaveLength(1);
});

it('shows the images of a question that another panel asks', async () => {
  rpc.ready.set('LLMService.get_image', () => ({ data_uri: IMAGE }));
  await connect(rpc);
  await rpc.emit('userMessage', { content: 'What?', request_id: 'other', images: [{ id: 'i1' }] });
  await drawn();
  const image = all('message')[0]?.querySelector('img');
  expect(image?.getAttribute('src')).toBe(IMAGE);
  await rpc.emit('streamDelta', 'other', 0, 'So.');
  await rpc.emit('streamComplete', 'other', { response: 'So.' });
  await drawn();
  expect(all('message')[0]?.querySelector('img')).toBe(image);
});

it('fetches the images of past questions', async () => {
  show({ role: 'user', content: 'What?', request_id: 'r', images: [{ id: 'i1' }, { id: 'gone' }] });
  rpc.ready.set('LLMService.get_image', (id) => (id === 'i1' ? { data_uri: IMAGE } : { error: 'gone' }));
  await connect(rpc);
  expect(one('message').querySelector('img')?.getAttribute('src')).toBe(IMAGE);
  expect(one('message').textContent).toContain('Image no longer available');
});

it('shows the reasoning apart, open until the answer begins', async () => {
  await connect(rpc);
  rpc.ready.set('LLMService.chat_streaming', () => ({ status: 'started' }));
  await fill(one<HTMLTextAreaElement>('input'), 'Why?');
  await click(one('send'));
  const id = session.chat.stream?.requestId ?? '';
  await rpc.emit('streamReasoning', id, 0, 'First ');
  await rpc.emit('streamReasoning', id, 6, 'this.');
  await expect.poll(() => all('message')[1]?.querySelector('details')?.textContent).toContain('First this.');
  expect(all('message')[1]?.querySelector('details')?.open).toBe(true);
  await rpc.emit('streamDelta', id, 0, 'So.');
  await expect.poll(() => all('message')[1]?.querySelector('details')?.open).toBe(false);
  expect(all('message')[1]?.querySelector('.answer')?.textContent).toContain('So.');
});

it('shows the reasoning of an answer that it takes over in the middle', async () => {
  rpc.ready.set('LLMService.attach_stream', () => ({ text: '', reasoning: 'First ', done: false }));
  rpc.ready.set('LLMService.get_current_state', () => ({ ...STATE, active_streams: [{ request_id: 'r' }] }));
  await connect(rpc);
  await rpc.emit('streamReasoning', 'r', 6, 'this.');
  await expect.poll(() => one('message').querySelector('details')?.textContent).toContain('First this.');
  expect(one('message').querySelector('.progress')?.textContent).toContain('Thinking');
});

it('shows what happened beside the talk', async () => {
  show({ role: 'system', content: 'Committed abc: Fix it', kind: 'commit', request_id: 'e1' });
  await connect(rpc);
  expect(one('message').dataset.role).toBe('system');
  expect(one('message').getAttribute('aria-label')).toBe('Event');
});

it('saves the conversation as Markdown and as a notebook', async () => {
  show({ role: 'user', content: 'Why?', request_id: 'r' });
  rpc.ready.set('LLMService.history_list_sessions', () => []);
  rpc.ready.set('LLMService.export_session', () => ({ filename: 'talk.md', content: '# Talk' }));
  await connect(rpc);
  const saved: string[] = [];
  const { createObjectURL, revokeObjectURL } = URL;
  URL.createObjectURL = () => 'blob:x';
  URL.revokeObjectURL = () => {};
  const stop = (event: Event) => {
    const link = event.target as HTMLAnchorElement;
    if (link.download) saved.push(link.download);
    event.preventDefault();
  };
  const original = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function click(this: HTMLAnchorElement) {
    stop({ target: this, preventDefault() {} } as unknown as Event);
  };
  try {
    await click(one('sessions').shadowRoot?.querySelector('button'));
    await click(all('export')[0]);
  } finally {
    HTMLAnchorElement.prototype.click = original;
    Object.assign(URL, { createObjectURL, revokeObjectURL });
  }
  expect(rpc.last('LLMService.export_session').args).toEqual(['s', 'markdown']);
  expect(saved).toEqual(['talk.md']);
});

it('shows how full the conversation is, and shortens it', async () => {
  rpc.ready.set('LLMService.get_history_status', () => ({ tokens: 12_000, max: 24_000, percent: 50 }));
  await connect(rpc);
  expect(one('history-bar').dataset.percent).toBe('50');
  await click(one('compact'));
  expect(rpc.count('LLMService.compact_now')).toBe(1);
  await rpc.emit('compactionEvent', 'r', { stage: 'compaction_complete', message: 'Shortened.' });
  await drawn();
  expect(one('toast').textContent).toContain('Shortened.');
});

it('takes files out of the log that nobody has ticked any more', async () => {
  rpc.ready.set('LLMService.get_context_breakdown', () => ({
    total_tokens: 30,
    warning: 'This request is dear.',
    cost_usd: 0.4,
    expected_cost_usd: 0.1,
    cached_tokens: 20,
    last_request: { input_tokens: 25, cache_read_tokens: 5 },
    image_tokens: 2000,
    breakdown: {
      files: 30,
      file_details: [
        { path: 'old.py', tokens: 20, in_log: true, selected: false },
        { path: 'src/a.py', tokens: 10, in_log: true, selected: true },
      ],
    },
  }));
  rpc.ready.set('LLMService.trim_context', () => ({ status: 'ok', tokens_freed: 20 }));
  await connect(rpc);
  const words = one('breakdown').textContent ?? '';
  for (const part of ['still sent', 'This request is dear.', '$0.10', '20', '25', '2,000']) {
    expect(words).toContain(part);
  }
  expect(all('trim')).toHaveLength(1);
  await click(one('trim'));
  expect(rpc.last('LLMService.trim_context').args).toEqual([['old.py']]);
  expect(one('toast').textContent).toContain('20 fewer tokens');
});
