import { expect, it } from 'vitest';
import { controlValue } from '../../src/panels/event-arguments.ts';

function files(...given: File[]): HTMLInputElement {
  const input = document.createElement('input');
  input.type = 'file';
  Object.defineProperty(input, 'files', { value: given });
  return input;
}

it('of files are names, sizes and types; contents only where the plugin asks for them', async () => {
  const input = files(new File(['hé'], 'a.txt', { type: 'text/plain' }));
  const row = { name: 'a.txt', size: 3, type: 'text/plain' };
  expect(await controlValue(input, {})).toEqual([row]);
  expect(await controlValue(input, { contents: 'text' })).toEqual([{ ...row, content: 'hé' }]);
  expect(await controlValue(input, { contents: 'base64' })).toEqual([{ ...row, content: 'aMOp' }]);
});

it('of files have a bound for all contents together', async () => {
  const input = files(new File(['abc'], 'a'), new File(['def'], 'b'), new File(['g'], 'c'));
  const rows = (await controlValue(input, { contents: 'text', maxBytes: 4 })) as {
    content?: string;
    error?: string;
  }[];
  expect(rows.map(({ content, error }) => content ?? error)).toEqual([
    'abc',
    'larger than the 4 bytes that may be read',
    'g',
  ]);
});
