// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventData } from '../src/event-data.ts';

function streamed(chunks: Uint8Array[]): Response {
  return new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    }),
  );
}

async function parsed(...chunks: Uint8Array[]): Promise<string[]> {
  const found: string[] = [];
  for await (const data of eventData(streamed(chunks))) found.push(data);
  return found;
}

const bytes = (text: string) => new TextEncoder().encode(text);
const each = (all: Uint8Array) => Array.from(all, (byte) => Uint8Array.of(byte));

describe('the data of events', () => {
  it.each([
    ['data: one\n\ndata: two\n\n', ['one', 'two']],
    ['data: one\r\n\r\ndata:two\r\rdata:  three\n\n', ['one', 'two', ' three']],
    ['data: a\ndata: b\n\n', ['a\nb']],
    [': comment\n\ndata: one\n\n', ['one']],
    ['id: 7\nevent: state\nretry: 1\ndata: one\n\n', ['one']],
    ['\ufeffdata: one\n\n', ['one']],
    ['data\n\n', ['']],
    ['data: unfinished\n', []],
    ['data: żółw\n\n', ['żółw']],
    ['databank: one\n\n', []],
  ])('of %j', async (stream, expected) => {
    expect(await parsed(bytes(stream))).toEqual(expected);
    expect(await parsed(...each(bytes(stream)))).toEqual(expected);
  });

  it('is what was written, however it is cut', async () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, ''));
    const event = fc.array(line, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        async (all, size) => {
          const written = all.map((lines) => `${lines.map((text) => `data: ${text}\n`).join('')}\n`).join('');
          const stream = bytes(written);
          const count = Math.ceil(stream.length / size);
          const chunks = Array.from({ length: count }, (_, at) => stream.slice(at * size, (at + 1) * size));
          expect(await parsed(...chunks)).toEqual(all.map((lines) => lines.join('\n')));
        },
      ),
    );
  });

  it('ends the request when nobody reads on', async () => {
    let isCancelled = false;
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(bytes('data: x\n\n')),
      cancel: () => {
        isCancelled = true;
      },
    });
    for await (const data of eventData(new Response(body))) {
      expect(data).toBe('x');
      break;
    }
    expect(isCancelled).toBe(true);
  });

  it('of a response without a body is none', async () => {
    for await (const data of eventData(new Response(null))) throw new Error(data);
  });
});
