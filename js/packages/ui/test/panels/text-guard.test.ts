import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TextGuard, write } from '../../src/panels/text-guard.ts';

let field: HTMLInputElement;
let guard: TextGuard;
let sent: string[];
/** Answers of the plugin that have not come yet. */
let answers: (() => void)[];
let isFocused: boolean;

const type = (text: string) => {
  field.value = text;
  guard.typed(field, () => {
    sent.push(field.value);
    return new Promise<void>((resolve) => answers.push(resolve));
  });
};
const answered = async () => {
  for (const answer of answers.splice(0)) answer();
  await vi.advanceTimersByTimeAsync(0);
};

beforeEach(() => {
  vi.useFakeTimers();
  field = document.createElement('input');
  document.body.append(field);
  field.focus();
  isFocused = true;
  guard = new TextGuard(() => isFocused);
  sent = [];
  answers = [];
});

afterEach(() => {
  guard.dispose();
  vi.useRealTimers();
  document.body.replaceChildren();
});

describe('typing', () => {
  it('is sent after a pause', () => {
    type('a');
    vi.advanceTimersByTime(79);
    type('ab');
    vi.advanceTimersByTime(79);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(sent).toEqual(['ab']);
  });

  it('without a pause is sent all the same', () => {
    for (let count = 1; count <= 20; count += 1) {
      type('x'.repeat(count));
      vi.advanceTimersByTime(40);
    }
    expect(sent.map(({ length }) => length)).toEqual([8, 16]);
  });

  it('is sent at once before something else, and not again', () => {
    type('a');
    guard.flush();
    guard.flush();
    vi.advanceTimersByTime(1000);
    expect(sent).toEqual(['a']);
  });

  it('is not sent for a field that is gone', () => {
    type('a');
    guard.forget(field);
    vi.advanceTimersByTime(1000);
    expect(sent).toEqual([]);
  });
});

describe('a value of the plugin', () => {
  it('is shown where nobody types', () => {
    guard.show(field, 'new');
    expect(field.value).toBe('new');
  });

  it('waits while newer text is on its way, until a while after the answer', async () => {
    type('a');
    guard.show(field, 'X');
    guard.flush();
    expect(field.value).toBe('a');
    await answered();
    expect(field.value).toBe('a');
    await vi.advanceTimersByTimeAsync(50);
    expect(field.value).toBe('X');
  });

  it('that waits is forgotten when the user goes on', async () => {
    type('a');
    guard.flush();
    guard.show(field, 'X');
    type('ab');
    guard.flush();
    await answered();
    await vi.advanceTimersByTimeAsync(1000);
    expect(field.value).toBe('ab');
  });

  it('is no older echo', async () => {
    for (const text of ['a', 'ab', 'abc']) {
      type(text);
      guard.flush();
    }
    await answered();
    guard.show(field, 'a');
    guard.show(field, 'ab');
    expect(field.value).toBe('abc');
    guard.show(field, 'ABC');
    expect(field.value).toBe('ABC');
  });

  it('waits for the input method', async () => {
    guard.composing(field, true);
    field.value = 'に';
    guard.show(field, 'X');
    expect(field.value).toBe('に');
    guard.left(field);
    expect(field.value).toBe('X');
  });

  it('is shown when the user has left, but not before the answer', async () => {
    type('a');
    guard.flush();
    guard.show(field, 'X');
    isFocused = false;
    guard.left(field);
    expect(field.value).toBe('a');
    await answered();
    await vi.advanceTimersByTimeAsync(50);
    expect(field.value).toBe('X');
  });
});

describe('a value that the plugin says again', () => {
  const again = () => guard.showAgain(field, () => write(field, ''));

  it('is shown at once where the user has done nothing', () => {
    field.value = 'x';
    again();
    expect(field.value).toBe('');
  });

  it('is shown when all is answered, such as after a submit', async () => {
    type('milk');
    guard.flush();
    again();
    await answered();
    await vi.advanceTimersByTimeAsync(49);
    expect(field.value).toBe('milk');
    await vi.advanceTimersByTimeAsync(1);
    expect(field.value).toBe('');
  });

  it('says nothing of text that the plugin has not got', async () => {
    type('a');
    again();
    guard.flush();
    await answered();
    await vi.advanceTimersByTimeAsync(1000);
    expect(field.value).toBe('a');
  });

  it('is not shown when the user goes on, or another value comes', async () => {
    type('a');
    guard.flush();
    await answered();
    again();
    type('ab');
    await vi.advanceTimersByTimeAsync(60);
    expect(field.value).toBe('ab');
    guard.flush();
    await answered();
    again();
    guard.show(field, 'ab');
    await vi.advanceTimersByTimeAsync(1000);
    expect(field.value).toBe('ab');
  });

  it('of a control that has no text waits for the answer too', async () => {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = true;
    let answer = () => {};
    guard.sent(
      box,
      new Promise<void>((resolve) => {
        answer = resolve;
      }),
    );
    guard.showAgain(box, () => {
      box.checked = false;
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(box.checked).toBe(true);
    answer();
    await vi.advanceTimersByTimeAsync(50);
    expect(box.checked).toBe(false);
  });
});

it('a caret stays where it is, or at the end', () => {
  field.value = 'abcd';
  field.setSelectionRange(2, 2);
  write(field, 'ABCDE');
  expect(field.selectionStart).toBe(2);
  field.setSelectionRange(5, 5);
  write(field, 'ABCDEFG');
  expect(field.selectionStart).toBe(7);
  field.setSelectionRange(3, 3);
  write(field, 'A');
  expect(field.selectionStart).toBe(1);
});
