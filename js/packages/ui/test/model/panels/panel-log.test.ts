import { beforeEach, describe, expect, it } from 'vitest';
import { MAX_LINES, PanelLog } from '../../../src/model/panels/panel-log.ts';

let log: PanelLog;
let frames: (() => void)[];

const texts = () => log.lines.map(({ text }) => text);

beforeEach(() => {
  frames = [];
  log = new PanelLog((update) => frames.push(update));
});

describe('the log of a panel', () => {
  it('has texts as they are, and other values as JSON', () => {
    log.add('info', ['answer:', 42, { a: [true, null] }]);
    expect(log.lines).toEqual([{ id: 1, level: 'info', text: 'answer: 42 {"a":[true,null]}', times: 1 }]);
    expect(log.hasErrors).toBe(false);
  });

  it('counts the same line in a row', () => {
    for (const text of ['a', 'a', 'a', 'b', 'a']) log.add('log', [text]);
    log.add('error', ['a']);
    expect(log.lines.map(({ level, text, times }) => `${level} ${text} ${times}`)).toEqual([
      'log a 3',
      'log b 1',
      'log a 1',
      'error a 1',
    ]);
    expect(log.hasErrors).toBe(true);
  });

  it('keeps the last lines of a flood, and says it once a frame', () => {
    let changes = 0;
    log.subscribe(() => {
      changes += 1;
    });
    for (let count = 1; count <= 10_000; count += 1) log.add('log', [`line ${count}`]);
    expect([changes, frames.length]).toEqual([0, 1]);
    for (const run of frames.splice(0)) run();
    expect(changes).toBe(1);
    expect(texts()).toHaveLength(MAX_LINES);
    expect(texts().at(-1)).toBe('line 10000');
    expect(log.dropped).toBe(10_000 - MAX_LINES);
    log.add('log', ['after']);
    expect(frames).toHaveLength(1);
  });

  it('cuts long lines, and many values', () => {
    log.add('log', ['x'.repeat(1 << 20)]);
    log.add(
      'log',
      Array.from({ length: 100_000 }, (_, at) => at),
    );
    expect(texts().map(({ length }) => length <= 2001)).toEqual([true, true]);
    expect(texts()[1]).toMatch(/^0 1 2 .* 49$/);
  });

  it('can be cleared', () => {
    log.add('error', ['x']);
    log.clear();
    expect([log.lines, log.dropped, log.hasErrors]).toEqual([[], 0, false]);
  });
});
