import { beforeEach, describe, expect, it } from 'vitest';
import { imagePath, isImageData, RepositoryImages } from '../../src/markdown/images.ts';
import { MarkdownView } from '../../src/markdown/markdown-view.ts';
import { FakeRpc, settle } from '../support/fake-rpc.ts';

const READ = 'Repo.get_file_base64';
const PIXEL = 'data:image/png;base64,iVBORw0KGgo=';
let rpc: FakeRpc;
let answer: HTMLElement;

beforeEach(async () => {
  rpc = new FakeRpc();
  await rpc.become({ state: 'open', first: true });
  answer = document.createElement('div');
});

async function draw(text: string): Promise<void> {
  answer.replaceChildren();
  new MarkdownView(answer, false).show(text, true);
  new RepositoryImages(() => rpc).draw(answer);
  await settle();
}

const sources = () => [...answer.querySelectorAll('img')].map(({ src }) => src);

it('of the repository come through the server', async () => {
  rpc.ready.set(READ, () => ({ data_uri: PIXEL }));
  await draw('![the chart](docs/a%20b.png "t") ![](./c.svg)');
  expect(rpc.calls.filter(({ method }) => method === READ).map(({ args }) => args[0])).toEqual([
    'docs/a b.png',
    'c.svg',
  ]);
  expect(sources()).toEqual([PIXEL, PIXEL]);
  expect(answer.querySelector('img')?.title).toBe('docs/a b.png');
  expect(answer.querySelector('img')?.alt).toBe('the chart');
});

it('in the text itself are shown at once', async () => {
  await draw(`![x](${PIXEL})`);
  expect(sources()).toEqual([PIXEL]);
  expect(rpc.count(READ)).toBe(0);
});

it.each([
  ['![x](https://e.example/p.png)', 'Image: x https://e.example/p.png'],
  ['![x](https://bücher.example/p.png)', 'Image: x https://xn--bcher-kva.example/p.png'],
  ['![](http://e.example/p)', 'Image: untitled http://e.example/p'],
])('elsewhere are links with their address: %s', async (text, shown) => {
  await draw(text);
  expect(answer.textContent?.trim().replace(/ \((?:xn-)?[^)]*\)/, '')).toBe(shown);
  expect(answer.querySelector('a')?.getAttribute('href')).toMatch(/^https?:/);
  expect(sources()).toEqual([]);
});

it.each([
  '//e.example/p.png',
  '/etc/a.png',
  '../a.png',
  'a/../../b.png',
  'c:a.png',
  'a\\b.png',
  'a.txt',
  'a.png?x=http://e.example',
  'file:///a.png',
  'data:image/svg+xml;base64,AAAA',
  'data:image/png,AAAA',
])('%s is no image of the repository', async (url) => {
  await draw(`![x](${url})`);
  expect(rpc.count(READ)).toBe(0);
  expect(sources()).toEqual([]);
});

describe('a file that is no image', () => {
  it.each([
    [{ data_uri: 'data:text/html;base64,AAAA' }, 'This is no image.'],
    [{ data_uri: 'https://e.example/p.png' }, 'This is no image.'],
    [{ error: 'There is no a.png.' }, 'There is no a.png.'],
  ])('%j stays a name', async (value, reason) => {
    rpc.ready.set(READ, () => value);
    await draw('![x](a.png)');
    expect(sources()).toEqual([]);
    expect(answer.querySelector<HTMLElement>('.image')?.title).toBe(reason);
    expect(answer.textContent).toContain('Image: x');
  });
});

it('are bounded in number', async () => {
  rpc.ready.set(READ, () => ({ data_uri: PIXEL }));
  await draw('![x](a.png)\n'.repeat(50));
  expect(rpc.count(READ)).toBe(20);
});

it('are told by the name and the address', () => {
  expect(imagePath('a%2Fb.PNG')).toBe('a/b.PNG');
  expect(imagePath('100%.png')).toBe('100%.png');
  expect(isImageData('data:image/png;base64,AA"onerror=x')).toBe(false);
});
