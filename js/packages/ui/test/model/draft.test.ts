import { describe, expect, it, vi } from 'vitest';
import { DraftStore } from '../../src/model/draft.ts';
import type { KeyValueStorage } from '../../src/model/stored-drafts.ts';

function storage(): KeyValueStorage & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

const talk = (sessionId: string, lastAsked = '') => ({ sessionId, lastAsked });

function opened(place = storage(), at = talk('a', '1')): DraftStore {
  const draft = new DraftStore(place, 'k');
  draft.switchTo(at);
  return draft;
}

describe('a draft', () => {
  it('is found again where drafts are kept, whatever was on show meanwhile', () => {
    const place = storage();
    const first = new DraftStore(place, 'anywhere');
    first.setKey('side:/w');
    first.switchTo(talk('a', '1'));
    first.set('typed');
    const other = new DraftStore(place, 'elsewhere');
    other.setKey('side:/other');
    other.switchTo(talk('b'));
    expect(other.text).toBe('');
    const again = new DraftStore(place, 'elsewhere');
    again.setKey('side:/w');
    again.switchTo(talk('a', '1'));
    expect(again.text).toBe('typed');
    expect([...place.kept.keys()]).toEqual(['side:/w']);
  });

  it('lives on without storage', () => {
    const forbidden = () => {
      throw new Error('forbidden');
    };
    const draft = new DraftStore({ getItem: forbidden, setItem: forbidden, removeItem: forbidden }, 'k');
    draft.switchTo(talk('a', '1'));
    draft.set('text');
    draft.switchTo(talk('b', '2'));
    expect(draft.text).toBe('');
    draft.switchTo(talk('a', '1'));
    expect(draft.text).toBe('text');
  });

  it('tells about changes only', () => {
    const draft = opened();
    const listener = vi.fn();
    draft.subscribe(listener);
    draft.set('a');
    draft.set('a');
    expect(listener).toHaveBeenCalledOnce();
  });

  it('belongs to its conversation', () => {
    const draft = opened();
    draft.set('For a');
    draft.switchTo(talk('b', '2'));
    expect(draft.text).toBe('');
    draft.set('For b');
    draft.switchTo(talk('a', '1'));
    expect(draft.text).toBe('For a');
    expect(draft.generation).toBe(3);
  });

  it('goes on while its conversation does', () => {
    const draft = opened();
    draft.set('Meanwhile');
    draft.switchTo(talk('a', '2'));
    expect([draft.text, draft.generation]).toEqual(['Meanwhile', 1]);
  });

  it('is known again when its conversation has another name after a restart', () => {
    const place = storage();
    opened(place).set('Half');
    const after = opened(place, talk('b', '1'));
    expect(after.text).toBe('Half');
    after.set('');
    expect(opened(place, talk('a', '1')).text).toBe('');
  });

  it('keeps in the storage what is typed, and nothing that has been sent', () => {
    const place = storage();
    const draft = opened(place);
    draft.set('Half');
    expect(place.kept.size).toBe(1);
    draft.set('');
    expect(place.kept.size).toBe(0);
  });

  it.each(['{', '[{"text": 3}]', '{"a": 1}', 'null'])(
    'begins anew after what makes no sense: %s',
    (written) => {
      const place = storage();
      place.setItem('k', written);
      expect(opened(place).text).toBe('');
    },
  );

  it('forgets the oldest of many', () => {
    const place = storage();
    for (let number = 0; number < 21; number += 1) {
      opened(place, talk(`s${number}`, `${number}`)).set('x');
    }
    expect(opened(place, talk('s0', '0')).text).toBe('');
    expect(opened(place, talk('s1', '1')).text).toBe('x');
  });

  it('is not stored when it is huge, and lives on with the page', () => {
    const place = storage();
    const draft = opened(place);
    draft.set('x'.repeat(300_000));
    expect(place.kept.size).toBe(0);
    expect(draft.text).toHaveLength(300_000);
  });

  it('has the line ends of the input', () => {
    const draft = opened();
    draft.set('a\r\nb\rc');
    expect(draft.text).toBe('a\nb\nc');
  });

  it('is behind what is given back, and never lost to it', () => {
    const draft = opened();
    expect(draft.restore('First')).toBe(true);
    expect(draft.restore('Second')).toBe(false);
    draft.prepend('Before');
    expect(draft.text).toBe('Before\n\nFirst');
  });
});

describe('the question that waits', () => {
  it('leaves the input free, and comes back before what is typed since', () => {
    const draft = opened();
    draft.set(' Next? ');
    draft.queue();
    expect([draft.queued, draft.text]).toEqual(['Next?', '']);
    draft.set('More');
    draft.unqueue();
    expect([draft.queued, draft.text]).toEqual(['', 'Next?\n\nMore']);
  });

  it('is given away once', () => {
    const draft = opened();
    draft.set('Next?');
    draft.queue();
    expect([draft.takeQueued(), draft.queued, draft.text]).toEqual(['Next?', '', '']);
  });

  it.each([talk('a', '1'), talk('b', '1')])('is in the input after a reload', (at) => {
    const place = storage();
    const draft = opened(place);
    draft.set('Next?');
    draft.queue();
    draft.set('More');
    expect(opened(place, at).text).toBe('Next?\n\nMore');
  });
});
