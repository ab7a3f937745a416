import '../support/jsdom-editor.ts';
import { RpcError } from '@jupyter-ac/link/rpc';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { focused, tabStops } from '../../src/controllers/focus.ts';
import type { FileLocation } from '../../src/model/file-location.ts';
import { ReviewStore } from '../../src/model/review.ts';
import type { ReviewComment } from '../../src/model/review-comments.ts';
import { type OpenViewer, openViewer } from '../../src/viewer/index.ts';
import { languageOf } from '../../src/viewer/languages.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { all, click, deep, drawn, press } from '../support/page.ts';

const TEXT = 'def top(days):\n    return max(days)\n\n\ntop([1])\n';
const target = (file: string, line: number) => ({ file, range: { startLineNumber: line, startColumn: 1 } });

let rpc: FakeRpc;
let review: ReviewStore;
let comments: ReviewComment[];
let host: HTMLElement;
let viewer: OpenViewer;
let moved: FileLocation[];

const shown = (selector: string) =>
  [...deep(document)].find((element) => element.matches(selector)) as HTMLElement | undefined;
const tab = (name: string) => shown(`[data-tab="${name}"][role="tab"]`);

beforeEach(async () => {
  rpc = new FakeRpc();
  rpc.ready.set('Repo.get_file_content', (_path, version) =>
    version ? 'def top(days):\n    return 0\n' : TEXT,
  );
  await rpc.become({ state: 'open', first: true });
  host = document.createElement('div');
  document.body.append(host);
  moved = [];
  review = new ReviewStore(rpc);
  comments = [];
  const markdown = (text: string) => document.createTextNode(text);
  viewer = openViewer(
    host,
    { path: 'src/a.py', line: 2, col: 0 },
    {
      rpc,
      review,
      conversation: review,
      comments: () => comments,
      markdown,
      moved: (location) => moved.push(location),
    },
  );
  await drawn();
});
afterEach(() => {
  viewer.dispose();
  document.body.replaceChildren();
});

describe('the viewer with its code', () => {
  it('shows a file at its line, for reading only', () => {
    const content = shown('.cm-content');
    expect(content?.textContent).toContain('def top(days):');
    expect(content?.getAttribute('aria-label')).toBe('The text of the file, src/a.py');
    expect(content?.getAttribute('aria-readonly')).toBe('true');
    expect(shown('.cm-place')?.textContent).toBe('    return max(days)');
    expect(moved.at(-1)).toEqual({ path: 'src/a.py', line: 2, col: 0 });
  });

  it('shows what has changed, and what was committed, by mouse and keyboard', async () => {
    await click(tab('diff'));
    expect(shown('.cm-deletedChunk')?.textContent).toContain('return 0');
    tab('diff')?.focus();
    await press('ArrowRight');
    expect(tab('head')?.getAttribute('aria-selected')).toBe('true');
    expect(shown('.cm-content')?.textContent).toContain('return 0');
    expect(shown('[data-do="define"]')).toBeUndefined();
  });

  it('goes to a definition and back by keys', async () => {
    viewer.focus();
    await press('F12');
    expect(rpc.last('LLMService.lsp_get_definition').args).toEqual(['src/a.py', 2, 1]);
    await rpc.last('LLMService.lsp_get_definition').answer(target('src/b.py', 1));
    await drawn();
    expect(moved.at(-1)?.path).toBe('src/b.py');
    await press('ArrowLeft', { altKey: true });
    expect(moved.at(-1)).toEqual({ path: 'src/a.py', line: 2, col: 1 });
    await press('ArrowRight', { altKey: true });
    expect(moved.at(-1)?.path).toBe('src/b.py');
  });

  it('lists uses; Escape closes the list and then is left to the dialog', async () => {
    viewer.focus();
    await press('F12', { shiftKey: true });
    await rpc.last('LLMService.lsp_get_references').answer([target('src/a.py', 5), target('src/c.py', 9)]);
    await drawn();
    expect(all('use').map(({ dataset }) => [dataset.path, dataset.line])).toEqual([
      ['src/a.py', '5'],
      ['src/c.py', '9'],
    ]);
    expect(all('use')[0]?.textContent).toContain('top([1])');
    all('use')[0]?.focus();
    await press('ArrowDown');
    const closing = await press('Escape');
    expect(closing.defaultPrevented).toBe(true);
    expect(all('use')).toEqual([]);
    expect((await press('Escape')).defaultPrevented).toBe(false);
  });

  it('tells from the keyboard what the cursor is on', async () => {
    viewer.show({ path: 'src/a.py', line: 1, col: 5 });
    await drawn();
    await press('i', { ctrlKey: true });
    expect(rpc.last('LLMService.lsp_get_hover').args).toEqual(['src/a.py', 1, 5]);
    await rpc.last('LLMService.lsp_get_hover').answer({ contents: 'function top' });
    await drawn();
    expect(all('hover').map(({ textContent }) => textContent)).toEqual(['function top']);
    expect((await press('Escape')).defaultPrevented).toBe(true);
    expect(all('hover')).toEqual([]);
  });

  it('keeps the keyboard when what it was on goes, and is reached by Tab', async () => {
    expect(host.tabIndex).toBeLessThan(0);
    expect(host.hasAttribute('tabindex')).toBe(false);
    expect(tabStops(document).map((stop) => stop.getAttribute('aria-label') ?? stop.textContent)).toEqual([
      ...['Back (Alt+Left)', 'Forward (Alt+Right)', 'File', 'Definition', 'Uses'],
      'The text of the file, src/a.py',
    ]);
    shown('[data-do="uses"]')?.focus();
    rpc.ready.set('Repo.get_file_content', (_path, version) => {
      if (version) return TEXT;
      throw new RpcError('gone', 'not_found', -32000);
    });
    await rpc.emit('filesModified', ['src/a.py']);
    await drawn();
    expect(shown('.note')?.textContent).toContain('has been deleted');
    expect(focused()?.getAttribute('role')).toBe('tab');
    rpc.ready.set('Repo.get_file_content', () => TEXT);
    await rpc.emit('filesModified', ['src/a.py']);
    await drawn();
    expect(tab('file')?.getAttribute('aria-selected')).toBe('true');
    expect(shown('.note')).toBeUndefined();
  });

  it('says what it cannot show', async () => {
    rpc.ready.delete('Repo.get_file_content');
    viewer.focus();
    viewer.show({ path: 'a.bin', line: 0, col: 0 });
    await rpc.last('Repo.get_file_content').fail('binary_file', 'a.bin is a binary file.');
    await drawn();
    expect(shown('.instead')?.textContent).toContain('a.bin is a binary file.');
    expect(shown('.cm-content')).toBeUndefined();
    // The keyboard hasn't gone with the text.
    await press('ArrowLeft', { altKey: true });
    expect(moved.at(-1)?.path).toBe('src/a.py');
  });
});

it.each(['a.py', 'b.tsx', 'c.h', 'Dockerfile', 'x/Gemfile', 'y.toml', 'z.sh', 'w.vue'])(
  'knows the language of %s',
  (path) => {
    expect(languageOf(path)).not.toEqual([]);
  },
);

it('colours a notebook by the language of its kernel', () => {
  expect(languageOf('n.ipynb', 'rust')).not.toEqual([]);
  expect(languageOf('n.ipynb', 'julia')).toEqual([]);
});

it.each(['a.unknown', 'README', 'py', ''])('knows none of %s', (path) => {
  expect(languageOf(path)).toEqual([]);
});

describe('the review of a file', () => {
  const OPEN = { active: true, branch: 'f', branch_tip: 'b'.repeat(40), parent_commit: 'a'.repeat(40) };
  const changed = (path: string, status: string, old_path = '') => ({ path, status, old_path });
  const visit = async (path: string, line = 0) => {
    viewer.show({ path, line, col: 0, isReview: true });
    await drawn();
  };

  beforeEach(async () => {
    rpc.ready.set('LLMService.get_review_state', () => ({
      ...OPEN,
      changed_files: [changed('new.py', 'renamed', 'old.py'), changed('src/a.py', 'modified')],
    }));
    review.adopt(OPEN);
    await drawn();
  });

  it('compares the commits of the review, of a renamed file under both names', async () => {
    await visit('new.py');
    const read = rpc.calls.filter(({ method }) => method === 'Repo.get_file_content').slice(-2);
    expect(read.map(({ args }) => args)).toEqual([
      ['old.py', OPEN.parent_commit],
      ['new.py', OPEN.branch_tip],
    ]);
    expect(tab('review')?.getAttribute('aria-selected')).toBe('true');
    expect(shown('.note')?.textContent).toBe('The branch renames old.py to this.');
    await press('PageDown', { altKey: true });
    expect(moved.at(-1)?.path).toBe('src/a.py');
    await press('PageUp', { altKey: true });
    expect(moved.at(-1)?.path).toBe('new.py');
  });

  it('marks the lines that answers comment on, and shows their texts as they are', async () => {
    const text = '<b>Line</b> 2 waits.';
    comments = [{ path: 'src/a.py', line: 2, end: 2, text }];
    await visit('src/a.py', 2);
    expect(all('review-mark').map(({ title }) => title)).toEqual([text]);
    expect(all('review-comment')).toEqual([]);
    viewer.focus();
    await press('ArrowDown', { altKey: true, shiftKey: true });
    expect(all('review-comment').map(({ textContent }) => textContent)).toEqual([text]);
    expect(shown('.note')?.textContent).toBe(`Comment 1 of 1, line 2: ${text}`);
  });

  it('goes with the review', async () => {
    await visit('src/a.py');
    review.adopt({ active: false });
    await drawn();
    expect(tab('review')).toBeUndefined();
    expect(tab('file')?.getAttribute('aria-selected')).toBe('true');
  });
});
