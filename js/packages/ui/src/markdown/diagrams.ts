/** Replaces Mermaid code blocks by rendered diagrams, where a renderer is available; a click shows the source. */

import { t } from '@jupyter-ac/messages';
import type { Diagram, DiagramRenderer } from '@jupyter-ac/page';

const LANGUAGE = 'mermaid';
const MAX_SOURCE = 20_000;
/** Sources that could cause a request while Mermaid renders them in the page, or hide one by escapes: not rendered. */
const FETCHES = /\/\/|url\s{0,9}\(|@import|\\/i;

/** One instance per panel. */
export class DiagramBlocks {
  #isDark = false;
  /** Rendered blocks; they are rendered again when the theme changes. */
  readonly #shown = new Set<WeakRef<HTMLElement>>();

  /** @param diagrams - returns the current renderer; null for none */
  constructor(private readonly diagrams: () => DiagramRenderer | null) {}

  /** @param nodes - rendered Markdown that won't change any more */
  draw(nodes: ParentNode): void {
    for (const block of nodes.querySelectorAll<HTMLElement>('.code')) {
      if (block.querySelector('.code-head span')?.textContent !== LANGUAGE) continue;
      const refusal = this.diagrams() ? refusalOf(sourceOf(block)) : '';
      if (refusal) showError(block, refusal);
      else this.#draw(block);
    }
  }

  /** Sets the theme; diagrams rendered for the other one are rendered again. */
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

/** Why a diagram stays source; "" when it may be drawn. */
function refusalOf(source: string): string {
  if (source.length > MAX_SOURCE) return t('It is too long to be drawn.');
  return FETCHES.test(source) ? t('It names an address or has a backslash: it might load something.') : '';
}

function sourceOf(block: HTMLElement): string {
  return block.querySelector('code')?.textContent ?? '';
}

/** Shown as an image: an SVG image runs no scripts and makes no requests. */
function showPicture(block: HTMLElement, { svg, width }: Diagram): void {
  const image = block.querySelector<HTMLImageElement>('.diagram img') ?? addPicture(block);
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  // An SVG with a size in percent would be as wide as the answer.
  if (width) image.width = Math.ceil(width);
}

function addPicture(block: HTMLElement): HTMLImageElement {
  const image = document.createElement('img');
  image.alt = t('Diagram');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'diagram';
  button.title = t('Show or hide the source');
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
  name.textContent = t('%1: not drawn', LANGUAGE);
  name.title = error instanceof Error ? error.message : String(error);
}
