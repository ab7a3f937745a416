/** Controller for the layout of files, conversation and context: what is folded, shown and how large. */

import { t } from '@jupyter-ac/messages';
import {
  html,
  nothing,
  type ReactiveController,
  type ReactiveControllerHost,
  type TemplateResult,
} from 'lit';
import { type Edge, splitter } from '../elements/splitter.ts';
import {
  LayoutStore,
  SHOWN_SECTIONS,
  type ShownSection,
  SIZE_NAMES,
  type SizeName,
  type Sizes,
} from '../model/layout.ts';
import { StoreController } from './store-controller.ts';
import { WidthController } from './width.ts';

const SECTION_NAMES: Readonly<Record<ShownSection, string>> = {
  all: t('All'),
  chat: t('Chat'),
  files: t('Files'),
  context: t('Context'),
};
/** About as the style sheet has them. */
const USUAL_SIZES: Readonly<Record<SizeName, number>> = {
  filesHeight: 26,
  contextHeight: 26,
  contextShare: 48,
  leftWidth: 26,
  rightWidth: 22,
};
const SIZE_PROPERTIES: Readonly<Record<SizeName, string>> = {
  filesHeight: '--files-height',
  contextHeight: '--context-height',
  contextShare: '--context-share',
  leftWidth: '--left-width',
  rightWidth: '--right-width',
};

type Host = ReactiveControllerHost & HTMLElement & { readonly renderRoot: ParentNode };

export class SectionLayout implements ReactiveController {
  /** Sizes of the sections, and which of them a narrow panel shows. */
  store = new LayoutStore(null);
  #areFilesOpen = true;
  /** Null until the user decides: open if there is room. */
  #isContextOpen: boolean | null = null;
  readonly #width: WidthController;

  constructor(private readonly host: Host) {
    host.addController(this);
    this.#width = new WidthController(host);
    new StoreController(host, () => [this.store]);
    host.addEventListener('ac-section', (event) => this.#show((event as CustomEvent<ShownSection>).detail));
  }

  hostConnected(): void {}

  get areFilesOpen(): boolean {
    return this.#areFilesOpen;
  }

  set areFilesOpen(isOpen: boolean) {
    this.#areFilesOpen = isOpen;
    this.host.requestUpdate();
  }

  get isContextOpen(): boolean {
    return this.#isContextOpen ?? !this.#width.isNarrow;
  }

  set isContextOpen(isOpen: boolean) {
    this.#isContextOpen = isOpen;
    this.host.requestUpdate();
  }

  /** Classes of the sections' container. */
  get classes(): string {
    const shown = this.#width.isNarrow ? this.store.shown : 'all';
    return `only-${shown} ${this.areFilesOpen ? '' : 'files-folded'}`;
  }

  /** Inline style of the sections' container. */
  get style(): string {
    const { sizes }: { sizes: Sizes } = this.store;
    return SIZE_NAMES.filter((name) => sizes[name] !== undefined)
      .map((name) => `${SIZE_PROPERTIES[name]}:${sizes[name]}%`)
      .join(';');
  }

  /** Of a narrow panel: buttons for all sections, or one of them. */
  buttons(isInert: boolean): TemplateResult | typeof nothing {
    if (!this.#width.isNarrow) return nothing;
    return html`<nav class="sections" aria-label=${t('Sections')} ?inert=${isInert}>
      ${SHOWN_SECTIONS.map(
        (section) => html`<button type="button" data-ac="section" data-section=${section}
          aria-pressed=${this.store.shown === section} @click=${() => this.#show(section)}>
          ${SECTION_NAMES[section]}</button>`,
      )}
    </nav>`;
  }

  /** The bars between the sections; in their container. */
  splitters(): TemplateResult {
    return html`${this.#filesSplitter()} ${this.#contextSplitter()}`;
  }

  #show(section: ShownSection): void {
    this.store.show(section);
    if (section === 'files') this.areFilesOpen = true;
    if (section === 'context') this.isContextOpen = true;
  }

  #filesSplitter(): TemplateResult | typeof nothing {
    const { columns } = this.#width;
    if (columns === 1 && !this.areFilesOpen) return nothing;
    const isRow = columns === 1;
    return this.#splitter(
      t('Height of the files'),
      t('Width of the files'),
      isRow ? 'top' : 'left',
      'files',
      {
        rows: 'filesHeight',
        columns: 'leftWidth',
      },
    );
  }

  #contextSplitter(): TemplateResult | typeof nothing {
    const { columns } = this.#width;
    if (columns !== 3 && !this.isContextOpen) return nothing;
    const edge = columns === 3 ? 'right' : 'bottom';
    return this.#splitter(t('Height of the context'), t('Width of the context'), edge, 'context', {
      rows: columns === 1 ? 'contextHeight' : 'contextShare',
      columns: 'rightWidth',
    });
  }

  #splitter(
    height: string,
    width: string,
    edge: Edge,
    section: 'files' | 'context',
    names: { rows: SizeName; columns: SizeName },
  ): TemplateResult {
    const isRow = edge === 'top' || edge === 'bottom';
    const name = isRow ? names.rows : names.columns;
    const size = (): number => this.store.sizes[name] ?? USUAL_SIZES[name];
    const container = (): HTMLElement | null => this.host.renderRoot.querySelector('main');
    const percent = (): number => {
      const box = container()?.getBoundingClientRect();
      const own = this.host.renderRoot.querySelector(`.${section}`)?.getBoundingClientRect();
      if (!box?.height || !box.width || !own) return size();
      return (isRow ? own.height / box.height : own.width / box.width) * 100;
    };
    return splitter({
      area: section,
      label: isRow ? height : width,
      edge,
      value: size(),
      percent,
      container,
      onResize: (size) => this.store.resize(name, size),
      onReset: () => this.store.reset(name),
    });
  }
}
