import { expect, it } from 'vitest';
import { ModeMemory } from '../../../src/model/agent/mode-memory.ts';

function storage(first: string | null = null) {
  let kept = first;
  return {
    getItem: () => kept,
    setItem: (_key: string, text: string) => {
      kept = text;
    },
    removeItem: () => {
      kept = null;
    },
  };
}

it('knows the mode of each conversation after a reload, and asks in new ones', () => {
  const kept = storage();
  const memory = new ModeMemory(kept);
  memory.set('one', 'agent');
  memory.set('two', 'plan');
  memory.set('two', 'ask');
  const again = new ModeMemory(kept);
  expect(['one', 'two', 'three'].map((id) => again.modeOf(id))).toEqual(['agent', 'ask', 'ask']);
});

it('keeps the choices of another panel of the page', () => {
  const kept = storage();
  const [one, other] = [new ModeMemory(kept), new ModeMemory(kept)];
  one.set('a', 'plan');
  other.set('b', 'agent');
  expect(new ModeMemory(kept).modeOf('a')).toBe('plan');
});

it('forgets the oldest, and what is damaged', () => {
  const kept = storage();
  const memory = new ModeMemory(kept);
  for (let n = 0; n < 60; n += 1) memory.set(`c${n}`, 'agent');
  const again = new ModeMemory(kept);
  expect([again.modeOf('c0'), again.modeOf('c59')]).toEqual(['ask', 'agent']);
  expect(new ModeMemory(storage('{')).modeOf('c0')).toBe('ask');
  expect(new ModeMemory(storage('[["c0","root"]]')).modeOf('c0')).toBe('ask');
});

it('lasts as long as the page where nothing can be stored', () => {
  const full = {
    ...storage(),
    setItem: () => {
      throw new Error('full');
    },
  };
  const memory = new ModeMemory(full);
  memory.set('a', 'sandbox');
  expect(memory.modeOf('a')).toBe('sandbox');
  expect(new ModeMemory(null).modeOf('a')).toBe('ask');
});
