import '../support/jsdom.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, one } from '../support/page.ts';

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

describe('the button for images', () => {
  it('attaches what is chosen', async () => {
    await connect(rpc);
    const field = one('image-button').querySelector<HTMLInputElement>('[type="file"]');
    if (!field) throw new Error('there is no field for files');
    const files = [new File(['x'], 'a.png', { type: 'image/png' }), new File(['y'], 'b.txt')];
    Object.defineProperty(field, 'files', { value: files });
    field.dispatchEvent(new Event('change'));
    await vi.waitFor(() => expect(session.attachments.images).toHaveLength(1));
    expect(all('attachment')).toHaveLength(1);
    expect(all('toast').at(-1)?.textContent).toContain('b.txt');
  });

  it('is there only where the server takes images', async () => {
    rpc.lacking.add('LLMService.put_image');
    await connect(rpc);
    expect(all('image-button')).toEqual([]);
  });
});
