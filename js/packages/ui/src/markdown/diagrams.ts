/** Shows blocks of Mermaid as pictures, where something can draw them; the source on a click. */

import type { Diagram, DiagramRenderer } from '@jupyter-ac/page';

const LANGUAGE = 'mermaid';
const MAX_SOURCE = 20_000;
/** While it is drawn, a diagram stands in a page: nothing in it may fetch, or hide that it does. */
const FETCHES = /\/\/|url\s{0,9}\(|@import|\\/i;

/** One for a panel. */
export class DiagramBlocks {
  #isDark = false;
  /** Blocks that have a picture, drawn for one background. */
  readonly #shown = new Set<WeakRef<HTMLElement>>();

  /** @param diagrams - what draws them at this moment; null for nothing */
  constructor(private readonly diagrams: () => DiagramRenderer | null) {}

  /** @param nodes - drawn Markdown that will not change */
  draw(nodes: ParentNode): void {
    for (const block of nodes.querySelectorAll<HTMLElement>('.code')) {
      if (block.querySelector('.code-head span')?.textContent !== LANGUAGE) continue;
      const source = sourceOf(block);
      if (source.length <= MAX_SOURCE && !FETCHES.test(source)) this.#draw(block);
    }
  }

  /** Says how dark the background is; pictures for another one are drawn again. */
  setDark(isDark: boolean): void {
    if (isDark === this.#isDark) return;
    this.#isDark = isDark;
    const shown = [...this.#shown];
    this.#shown.clear();
    for (const block of shown.flatMap((reference) => reference.deref() ?? [])) this.#draw(block);
  }

  #draw(block: HTMLElement): void {
    const isDark = this.#isDark;
    void this.diagrams()
      ?.render(sourceOf(block), isDark)
      .then(
        (diagram) => {
          showPicture(block, diagram);
          if (isDark !== this.#isDark) this.#draw(block);
          else this.#shown.add(new WeakRef(block));
        },
        (error: unknown) => showError(block, error),
      );
  }
}

function sourceOf(block: HTMLElement): string {
  return block.querySelector('code')?.textContent ?? '';
}

/** As an image it runs no script and fetches nothing. */
function showPicture(block: HTMLElement, { svg, width }: Diagram): void {
  const image = block.querySelector<HTMLImageElement>('.diagram img') ?? addPicture(block);
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  // An SVG that gives its size in percent would be as wide as the answer.
  if (width) image.width = Math.ceil(width);
}

function addPicture(block: HTMLElement): HTMLImageElement {
  const image = document.createElement('img');
  image.alt = 'Diagram';
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
  return image;
}

function showError(block: HTMLElement, error: unknown): void {
  const name = block.querySelector<HTMLElement>('.code-head span');
  if (!name) return;
  name.textContent = `${LANGUAGE}: not drawn`;
  name.title = error instanceof Error ? error.message : String(error);
}
