import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  ACKNOWLEDGE_MS,
  Endpoint,
  type Envelope,
  PING_MAX_MS,
  PING_MS,
  QUIET_MS,
  RESEND_REQUEST_MS,
} from '../src/endpoint.ts';
import { Outgoing } from '../src/resend-window.ts';
import { TokenBucket } from '../src/token-bucket.ts';

function sent(end: Endpoint, now: number): Envelope {
  const envelope = end.poll(now);
  if (!envelope) throw new Error('nothing is due');
  return envelope;
}

const NOTHING = { first: 1, parts: [] };

it('sends at once and acknowledges soon', () => {
  const [here, there] = [new Endpoint(), new Endpoint()];
  expect(here.due()).toBe(Number.POSITIVE_INFINITY);
  here.push('a');
  expect(there.receive(sent(here, 0), 0)).toEqual(['a']);
  expect(here.waitsSince).toBe(0);
  expect(there.poll(ACKNOWLEDGE_MS / 2)).toBe(null);
  const answer = sent(there, ACKNOWLEDGE_MS);
  expect(answer).toEqual({ run: NOTHING, ack: 1, ping: false, resend: false });
  here.receive(answer, 1100);
  expect(here.waitsSince).toBe(null);
  expect(Math.min(here.due(), there.due())).toBe(Number.POSITIVE_INFINITY);
});

it('notices a lost last message by a question', () => {
  const [here, there] = [new Endpoint(), new Endpoint()];
  here.push('lost');
  sent(here, 0);
  const question = sent(here, PING_MS);
  expect(question.ping).toBe(true);
  there.receive(question, PING_MS);
  expect(sent(there, PING_MS).resend).toBe(false);
  here.receive(sent(there, PING_MS + RESEND_REQUEST_MS), 2000);
  expect(there.resendRequests).toBe(1);
  expect(there.receive(sent(here, 2000), 2000)).toEqual(['lost']);
});

it('does not ask for a gap that closes by itself', () => {
  const [here, there] = [new Endpoint(), new Endpoint()];
  here.push('a');
  const first = sent(here, 0);
  here.push('b');
  there.receive(sent(here, 0), 0);
  expect(there.receive(first, RESEND_REQUEST_MS / 2)).toEqual(['a', 'b']);
  expect(there.due()).toBe(ACKNOWLEDGE_MS);
});

it('asks less and less often', () => {
  const end = new Endpoint();
  end.push('a');
  sent(end, 0);
  const times: number[] = [];
  while (times.length < 8) {
    expect(sent(end, end.due()).ping).toBe(true);
    times.push(end.due());
  }
  expect((times[7] ?? 0) - (times[6] ?? 0)).toBe(PING_MAX_MS);
});

it('breaks a silence as long as something is expected, and then no more', () => {
  const end = new Endpoint();
  end.expectTraffic(1000, 1000 + 7 * QUIET_MS);
  for (const number of [1, 3, 7]) {
    expect(end.due()).toBe(1000 + number * QUIET_MS);
    expect(sent(end, end.due()).ping).toBe(true);
  }
  expect(end.due()).toBe(Number.POSITIVE_INFINITY);
});

it('keeps quiet while it hears something', () => {
  const end = new Endpoint();
  end.expectTraffic(0, Number.POSITIVE_INFINITY);
  end.receive({ run: NOTHING, ack: 0, ping: false, resend: false }, QUIET_MS - 1);
  expect(end.due()).toBe(2 * QUIET_MS - 1);
  end.expectTraffic(2 * QUIET_MS - 2, 0);
  expect(end.due()).toBe(Number.POSITIVE_INFINITY);
});

it('ends when what was lost is no longer kept', () => {
  const end = new Endpoint(new Outgoing({ retainedChars: 1, messageChars: 4 }));
  for (let number = 0; number < 3; number += 1) {
    end.push('long');
    sent(end, 0);
  }
  end.receive({ run: NOTHING, ack: 0, ping: false, resend: true }, 0);
  expect(end.isUnrecoverable).toBe(true);
});

it('has everything at both ends when the road is good again', () => {
  fc.assert(
    fc.property(fc.infiniteStream(fc.double({ min: 0, max: 0.99, noNaN: true })), (chances) => {
      const chance = () => chances.next().value as number;
      const ends = [new Endpoint(), new Endpoint()] as const;
      const got = [[], []] as [string[], string[]];
      let road: { at: number; to: 0 | 1; envelope: Envelope }[] = [];
      for (let now = 0; now < 200_000; now += 500) {
        for (const from of [0, 1] as const) {
          if (now < 10_000) ends[from].push(`${now}`);
          const envelope = ends[from].poll(now);
          if (!envelope || (now < 30_000 && chance() < 0.4)) continue;
          const copies = chance() < 0.3 ? 2 : 1;
          for (let copy = 0; copy < copies; copy += 1)
            road.push({ at: now + 1000 * chance(), to: from === 0 ? 1 : 0, envelope });
        }
        const arrived = road.filter(({ at }) => at <= now);
        road = road.filter(({ at }) => at > now);
        for (const { to, envelope } of arrived) got[to].push(...ends[to].receive(envelope, now));
      }
      const all = Array.from({ length: 20 }, (_, at) => `${at * 500}`);
      expect(got).toEqual([all, all]);
      for (const end of ends) expect(end.due()).toBe(Number.POSITIVE_INFINITY);
    }),
    { numRuns: 30 },
  );
});

it('never lets a second see more than the rate and the burst', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2000 }), { minLength: 1, maxLength: 60 }), (pauses) => {
      const pace = new TokenBucket(6, 4);
      let now = 0;
      const times = pauses.map((pause) => {
        now = Math.max(now + pause, pace.readyAt());
        pace.spend(now);
        return now;
      });
      for (const start of times)
        expect(times.filter((time) => time >= start && time < start + 999).length).toBeLessThanOrEqual(10);
    }),
  );
});
