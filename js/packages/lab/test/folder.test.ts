import type { JupyterFrontEnd } from '@jupyterlab/application';
import { expect, it } from 'vitest';
import { currentFolder, folderOf } from '../src/folder.ts';

function lab(currentWidget: object | null): JupyterFrontEnd {
  const contents = { localPath: (path: string) => path.replace(/^RTC:/, '') };
  return { shell: { currentWidget }, serviceManager: { contents } } as unknown as JupyterFrontEnd;
}

it.each([
  ['a.ipynb', ''],
  ['notebooks/a.ipynb', 'notebooks'],
  ['one/two/a.py', 'one/two'],
  ['', ''],
])('the folder of %j is %j', (path, folder) => {
  expect(folderOf(path)).toBe(folder);
});

it('follows the document in front, whatever its drive', () => {
  expect(currentFolder(lab({ context: { path: 'RTC:work/a.ipynb' } }))).toBe('work');
});

it.each([null, {}, { title: {} }])('stays where it is in front of %j', (widget) => {
  expect(currentFolder(lab(widget))).toBeNull();
});
