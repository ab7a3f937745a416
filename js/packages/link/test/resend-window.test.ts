import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  decodeParts,
  encodeParts,
  type FramePart,
  type FrameRun,
  Incoming,
  Outgoing,
  RETAINED_PARTS,
} from '../src/resend-window.ts';

const frames = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 12 }), {
  minLength: 1,
  maxLength: 20,
});
// What becomes of each message: lost, delivered, delivered twice, kept back for later.
const fates = fc.array(fc.constantFrom('drop', 'pass', 'twice', 'later'), { maxLength: 60 });

/** Half of a character of two units. */
const LONE = /\p{Surrogate}/u;

const part = (text: string, continues = false): FramePart => ({ text, continues });

it('gives every frame once and in order, whatever happens on the way', () => {
  fc.assert(
    fc.property(frames, fates, fc.integer({ min: 2, max: 9 }), (pushed, plan, messageChars) => {
      const outgoing = new Outgoing({ messageChars });
      const incoming = new Incoming();
      const delivered: string[] = [];
      const late: FrameRun[] = [];
      const queue = [...pushed];
      const fate = plan[Symbol.iterator]();
      const turns = 4 * pushed.join('').length + 4 * pushed.length + plan.length + 4;
      for (let turn = 0; turn < turns; turn += 1) {
        const frame = queue.shift();
        if (frame !== undefined) outgoing.push(frame);
        const run = outgoing.take();
        const what = fate.next().value ?? 'pass';
        if (what === 'later') late.push(run);
        else {
          for (const _ of { drop: [], pass: [1], twice: [1, 2] }[what]) delivered.push(...incoming.take(run));
          for (const kept of late.splice(0)) delivered.push(...incoming.take(kept));
        }
        outgoing.acknowledge(incoming.received);
        if (incoming.hasGap || !outgoing.isPending) expect(outgoing.rewind(incoming.received + 1)).toBe(true);
      }
      expect(delivered).toEqual(pushed);
      expect(incoming.hasGap || outgoing.isUnacknowledged || outgoing.isPending).toBe(false);
    }),
  );
});

it('cuts long frames between characters, never through one', () => {
  fc.assert(
    fc.property(frames, fc.integer({ min: 2, max: 9 }), (pushed, messageChars) => {
      const outgoing = new Outgoing({ messageChars });
      for (const frame of pushed) outgoing.push(frame);
      while (outgoing.isPending) {
        const { parts } = outgoing.take();
        expect(parts.map((piece) => piece.text).join('').length).toBeLessThanOrEqual(messageChars);
        for (const piece of parts) expect(piece.text).not.toMatch(LONE);
      }
    }),
  );
});

it('sends again in fewer messages', () => {
  const outgoing = new Outgoing();
  const incoming = new Incoming();
  for (let number = 0; number < 10; number += 1) {
    outgoing.push(`frame ${number}`);
    const run = outgoing.take();
    if (number < 3) incoming.take(run);
  }
  expect(outgoing.acknowledge(incoming.received)).toBe(true);
  expect(outgoing.rewind(4)).toBe(true);
  expect(incoming.take(outgoing.take())).toEqual([3, 4, 5, 6, 7, 8, 9].map((number) => `frame ${number}`));
  expect(incoming.repeated).toBe(0);
});

it('has no more than what it keeps', () => {
  const outgoing = new Outgoing({ retainedChars: 10, messageChars: 6 });
  for (let number = 0; number < 5; number += 1) {
    outgoing.push('frames');
    outgoing.take();
  }
  expect(outgoing.rewind(1)).toBe(false);
  expect(outgoing.rewind(outgoing.sent)).toBe(true);
  expect(outgoing.take()).toEqual({ first: 5, parts: [part('frames')] });
});

it('ignores an acknowledgement of what never was', () => {
  const outgoing = new Outgoing();
  outgoing.push('a');
  expect(outgoing.acknowledge(1)).toBe(false);
  outgoing.take();
  expect(outgoing.acknowledge(2)).toBe(false);
  expect(outgoing.acknowledge(1)).toBe(true);
  expect(outgoing.rewind(7)).toBe(true);
  expect(outgoing.isPending).toBe(false);
});

it('needs not send again what has arrived after all', () => {
  const outgoing = new Outgoing();
  for (const frame of 'abc') outgoing.push(frame);
  outgoing.take();
  outgoing.rewind(1);
  outgoing.acknowledge(2);
  expect(outgoing.take()).toEqual({ first: 3, parts: [part('c')] });
});

it('knows when too much waits', () => {
  const outgoing = new Outgoing({ waitingChars: 10 });
  outgoing.push('x'.repeat(11));
  expect(outgoing.isFull).toBe(true);
  outgoing.take();
  expect(outgoing.isFull).toBe(false);
});

it('learns of a loss from a run without parts', () => {
  const incoming = new Incoming();
  expect(incoming.take({ first: 3, parts: [] })).toEqual([]);
  expect(incoming.hasGap).toBe(true);
  expect(incoming.take({ first: 1, parts: [part('a'), part('b')] })).toEqual(['a', 'b']);
  expect(incoming.hasGap).toBe(false);
});

it('bounds empty parts, too', () => {
  const [early, endless] = [new Incoming(), new Incoming()];
  const empty = (count: number, continues: boolean) =>
    Array.from({ length: count }, () => ({ text: '', continues }));
  early.take({ first: 2, parts: empty(RETAINED_PARTS + 5, false) });
  expect(early.take({ first: 1, parts: [{ text: 'a', continues: false }] })).toHaveLength(1 + RETAINED_PARTS);
  expect(early.hasGap).toBe(true);
  expect(endless.take({ first: 1, parts: empty(RETAINED_PARTS + 1, true) })).toEqual([]);
  expect(endless.isTooLong).toBe(true);
});

it('keeps what came early within a bound', () => {
  const incoming = new Incoming(4);
  incoming.take({ first: 2, parts: [part('bbbb'), part('c')] });
  expect(incoming.take({ first: 1, parts: [part('a')] })).toEqual(['a', 'bbbb']);
  expect(incoming.take({ first: 3, parts: [part('c')] })).toEqual(['c']);
});

it('notices a frame that never ends', () => {
  const incoming = new Incoming(1 << 20, 10);
  incoming.take({ first: 1, parts: [part('x'.repeat(6), true)] });
  expect(incoming.isTooLong).toBe(false);
  expect(incoming.take({ first: 2, parts: [part('x'.repeat(6), true)] })).toEqual([]);
  expect(incoming.isTooLong).toBe(true);
});

it('spells parts and reads them again', () => {
  const parts = [part('{}'), part('[', true), part(']')];
  expect(decodeParts(JSON.parse(JSON.stringify(encodeParts(parts))))).toEqual(parts);
  for (const wrong of [1, null, [], ['a', 'b'], [1], {}]) expect(decodeParts(['fine', wrong])).toBe(null);
});
