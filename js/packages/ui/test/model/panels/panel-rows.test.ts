import { describe, expect, it } from 'vitest';
import { callsByNamespace, parsePanels } from '../../../src/model/panels/panel-rows.ts';
import { panelRow } from '../../support/panel-links.ts';

describe('listed panels', () => {
  it('are read as they are', () => {
    const row = panelRow('tests', {
      title: 'Test runner',
      origin: 'built-in',
      state: 'failed',
      error: { message: 'ended', stack: 'line 3' },
      calls: ['Repo.get_file_tree'],
      loads: 2,
    });
    expect(parsePanels([row])).toEqual([row]);
  });

  it.each([
    ['no list', { a: 1 }, []],
    ['no objects', [null, 3, 'x'], []],
    ['no id', [panelRow(''), { id: 4 }], []],
  ])('can be nonsense: %s', (_, value, expected) => {
    expect(parsePanels(value)).toEqual(expected);
  });

  it('have known words, one row for each id, and a title in any case', () => {
    const rows = [
      { id: 'a', origin: 'constructor', state: 'toString', error: 'x', calls: [1, 'Repo.x'] },
      panelRow('a', { title: 'again' }),
    ];
    expect(parsePanels(rows)).toEqual([
      {
        id: 'a',
        title: 'a',
        origin: 'connected',
        state: 'stopped',
        error: null,
        calls: ['Repo.x'],
        loads: 0,
      },
    ]);
  });

  it('are bounded', () => {
    expect(parsePanels(Array.from({ length: 1000 }, (_, at) => panelRow(`${at}`)))).toHaveLength(200);
  });
});

it('groups calls by their namespaces', () => {
  expect(callsByNamespace(['Repo.b', 'Kernel.x', 'Repo.a', '__proto__.y', 'odd'])).toEqual([
    ['Kernel', ['x']],
    ['Repo', ['a', 'b']],
    ['__proto__', ['y']],
    ['odd', ['']],
  ]);
});
