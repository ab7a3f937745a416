/** Shows blocks of Mermaid as pictures, where the page can draw them; the source on a click. */

import { type Diagram, type Diagrams, pageDiagrams } from '@jupyter-ac/page';

const LANGUAGE = 'mermaid';
const LONGEST = 20_000;
/** While it is drawn, a diagram stands in the page: nothing in it may fetch, or hide that it does. */
const FETCHES = /\/\/|url\s{0,9}\(|@import|\\/i;

/** @param nodes - drawn Markdown that will not change */
export function showDiagrams(nodes: ParentNode, diagrams: Diagrams | null = pageDiagrams()): void {
  if (!diagrams) return;
  for (const block of nodes.querySelectorAll<HTMLElement>('.code')) {
    if (block.querySelector('.code-head span')?.textContent !== LANGUAGE) continue;
    const source = block.querySelector('code')?.textContent ?? '';
    if (source.length > LONGEST || FETCHES.test(source)) continue;
    void diagrams.draw(source).then(
      (diagram) => showPicture(block, diagram),
      (error: unknown) => showError(block, error),
    );
  }
}

/** As an image it runs no script and fetches nothing. */
function showPicture(block: HTMLElement, { svg, width }: Diagram): void {
  const image = document.createElement('img');
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  image.alt = 'Diagram';
  // An SVG that gives its size in percent would be as wide as the answer.
  if (width) image.width = Math.ceil(width);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'diagram';
  button.title = 'Show or hide the source';
  button.setAttribute('aria-expanded', 'false');
  button.append(image);
  const code = block.querySelector('pre');
  if (code) code.hidden = true;
  button.addEventListener('click', () => {
    if (!code) return;
    code.hidden = !code.hidden;
    button.setAttribute('aria-expanded', String(!code.hidden));
  });
  block.querySelector('.code-head')?.after(button);
}

function showError(block: HTMLElement, error: unknown): void {
  const name = block.querySelector<HTMLElement>('.code-head span');
  if (!name) return;
  name.textContent = `${LANGUAGE}: not drawn`;
  name.title = error instanceof Error ? error.message : String(error);
}
