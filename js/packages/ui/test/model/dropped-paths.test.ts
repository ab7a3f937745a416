import { describe, expect, it } from 'vitest';
import { droppedFiles, repositoryPath, serverPath } from '../../src/model/dropped-paths.ts';
import { treeOf } from '../support/trees.ts';

describe('a path of the file browser', () => {
  it.each([
    ['repo/a.py', '/srv', '/srv/repo', 'a.py'],
    ['repo', '/srv', '/srv/repo', ''],
    ['b/a.py', '/srv/repo/sub', '/srv/repo', 'sub/b/a.py'],
    ['RTC:repo/a.py', '/srv', '/srv/repo', 'a.py'],
    ['x/repo/a.py', '', '/x/repo', 'a.py'],
    ['work/repo/a.py', '~', '/home/me/work/repo', 'a.py'],
    ['repo/a.py', '~', '/home/me/work/repo', null],
    ['repo/a.py', '~/work', '/data/me/work/repo', 'a.py'],
    ['other/a.py', '/srv', '/srv/repo', null],
    ['repository/a.py', '/srv', '/srv/repo', null],
    ['S3:repo/a.py', '/srv', '/srv/repo', null],
    ['repo/a.py', '/srv', '', null],
  ])('%j under %j in %j is %j', (written, server, repository, path) => {
    expect(repositoryPath(written, { server, repository })).toBe(path);
  });
});

describe('a file of the repository', () => {
  it.each([
    ['a.py', '/srv', '/srv/repo', 'repo/a.py'],
    ['sub/b/a.py', '/srv/repo/sub', '/srv/repo', 'b/a.py'],
    ['a.py', '/srv/repo/sub', '/srv/repo', null],
    ['a.py', '', '/x/repo', 'x/repo/a.py'],
    ['a.py', '~', '/home/me/work/repo', 'work/repo/a.py'],
    ['a.py', '~/work', '/home/me/work/repo', 'repo/a.py'],
    ['a.py', '~/work', '/data/me/work/repo', null],
    ['a.py', '/srv', '/srvother/repo', null],
    ['a.py', '/srv', '', null],
    ['', '/srv', '/srv/repo', null],
  ])('%j under %j in %j is %j on the server', (path, server, repository, expected) => {
    expect(serverPath(path, { server, repository })).toBe(expected);
    if (expected !== null) expect(repositoryPath(expected, { server, repository })).toBe(path);
  });
});

describe('what is dropped', () => {
  const roots = { server: '/srv', repository: '/srv/repo' };
  const tree = treeOf(['a.py', 'docs/b.md', 'docs/deep/c.md', 'docs/d.png'], { binary: ['docs/d.png'] });

  it('is ticked once, folders with their files', () => {
    const dropped = ['repo/docs', 'repo/docs/b.md', 'repo/a.py'];
    const { paths, refusal } = droppedFiles(dropped, roots, tree);
    expect([...paths].sort()).toEqual(['a.py', 'docs/b.md', 'docs/deep/c.md']);
    expect(refusal).toContain('1 file not ticked');
  });

  it('from elsewhere, or unknown to git, is refused with a sentence', () => {
    const { paths, refusal } = droppedFiles(['x/y.py', 'repo/ignored.log'], roots, tree);
    expect(paths).toEqual([]);
    expect(refusal).toContain('2 dropped items not ticked');
  });
});
