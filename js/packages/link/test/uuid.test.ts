import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ensureRandomUuid, uuidOf } from '../src/uuid.ts';

const VERSION_4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('makes a version 4 UUID of any 16 bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      expect(uuidOf(bytes)).toMatch(VERSION_4);
    }),
  );
});

it('gives a crypto without randomUUID a valid one', () => {
  const plain = { getRandomValues: (bytes: Uint8Array) => bytes.fill(0xff) } as unknown as Crypto;
  ensureRandomUuid(plain);
  expect(plain.randomUUID()).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
});

it('leaves a crypto that has one alone', () => {
  const own = () => '00000000-0000-4000-8000-000000000000' as const;
  const full = { randomUUID: own } as unknown as Crypto;
  ensureRandomUuid(full);
  expect(full.randomUUID).toBe(own);
});
