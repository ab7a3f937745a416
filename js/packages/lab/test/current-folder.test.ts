import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { IDefaultFileBrowser } from '@jupyterlab/filebrowser';
import { expect, it } from 'vitest';
import { anyFolder, currentFolder, folderOf } from '../src/current-folder.ts';

function lab(currentWidget: object | null, widgets: readonly object[] = []): JupyterFrontEnd {
  const contents = {
    localPath: (path: string) => path.replace(/^\w+:/, ''),
    driveName: (path: string) => /^(\w+):/.exec(path)?.[1] ?? '',
  };
  const shell = { currentWidget, widgets: () => widgets };
  return { shell, serviceManager: { contents } } as unknown as JupyterFrontEnd;
}

const browser = (path: string): IDefaultFileBrowser => ({
  model: { path, restored: Promise.resolve(), pathChanged: { connect() {} } },
  selectedItems: () => [],
});
const notebook = { context: { path: 'work/a.ipynb' } };

it.each([
  ['a.ipynb', ''],
  ['notebooks/a.ipynb', 'notebooks'],
  ['one/two/a.py', 'one/two'],
  ['', ''],
])('the folder of %j is %j', (path, folder) => {
  expect(folderOf(path)).toBe(folder);
});

it('follows the document in front, whatever its drive', () => {
  expect(currentFolder(lab({ context: { path: 'RTC:work/a.ipynb' } }), browser('other'))).toBe('work');
});

it.each([null, {}, { title: {} }])('follows the file browser in front of %j', (widget) => {
  expect(currentFolder(lab(widget, widget ? [widget] : []), browser('some/folder'))).toBe('some/folder');
  expect(currentFolder(lab(widget), browser('RTC:some/folder'))).toBe('some/folder');
  expect(currentFolder(lab(widget), browser(''))).toBe('');
});

it('stays where it is while a document is open behind something else', () => {
  expect(currentFolder(lab({}, [{}, notebook]), browser('other'))).toBeNull();
});

it('stays where it is in front of files of another place, or without a file browser', () => {
  expect(currentFolder(lab(null), browser('Cloud:folder'))).toBeNull();
  expect(currentFolder(lab(null), null)).toBeNull();
});

it('follows the file that a viewer of ours shows', () => {
  const viewer = { content: { shown: { repo: 'work/src' } } };
  expect(currentFolder(lab(viewer, [viewer]), browser('other'))).toBe('work/src');
});

it('finds the folder of some document behind something else', () => {
  expect(anyFolder(lab({}, [{}, notebook]))).toBe('work');
  expect(anyFolder(lab({}, [{}]))).toBeNull();
});
