/** File picker: a tree with checkboxes for the files sent to the model in full. */

import { RpcMixin } from '@jupyter-ac/link';
import { t } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { html as staticHtml } from 'lit/static-html.js';
import { KeepScroll } from '../controllers/keep-scroll.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { treeAction } from '../controllers/tree-keys.ts';
import { VirtualList } from '../controllers/virtual-list.ts';
import { excludedSentence } from '../model/excluded.ts';
import type { Progress } from '../model/files.ts';
import { grouped } from '../model/format.ts';
import type { Session } from '../model/session.ts';
import type { TreeNode } from '../model/tree.ts';
import { type Row, rowShift } from '../model/tree-rows.ts';
import { fieldStyles } from '../styles/forms.ts';
import { pickerStyles, ROW_PX } from '../styles/picker.ts';
import { base } from '../styles/tokens.ts';
import { tag } from './element-tags.ts';
import * as icons from './icons.ts';
import { openSearch } from './location-links.ts';
import { pickerRow, rowId, unlistedRow } from './picker-row.ts';
import { requestPart } from './request-part.ts';
import { searchField } from './search-field.ts';

/** An action on a file or folder that the tools of the picker carry out. */
export interface FileRequest {
  readonly kind: 'menu' | 'rename' | 'delete' | 'exclude' | 'include' | 'tick';
  readonly node: TreeNode;
  /** Where the menu opens, in the window. */
  readonly x: number;
  readonly y: number;
}

const REQUESTS: Readonly<Record<string, FileRequest['kind']>> = {
  F2: 'rename',
  Delete: 'delete',
  ContextMenu: 'menu',
};

export class AcPicker extends RpcMixin(LitElement) {
  static override properties = { session: { attribute: false }, open: { type: Boolean } };
  static override styles = [base, fieldStyles, pickerStyles];

  declare session: Session;
  declare open: boolean;
  readonly #window = new VirtualList(this, ROW_PX, () => this.session.files.rows.length);
  #hasFocus = false;
  #revealed = '';
  /** The rows of the last render. */
  #rows: readonly Row[] = [];
  readonly #events = {
    onRow: (row: Row) => this.#pick(row),
    onCheck: (row: Row) => this.#toggle(row.node),
    onExclude: (row: Row) => this.#exclude(row.node),
    onMenu: (row: Row, x: number, y: number) => {
      this.session.files.setActive(row.node.path);
      this.#request('menu', row.node, x, y);
    },
  };
  /** The newest one. */
  #requested: FileRequest | null = null;

  constructor() {
    super();
    this.open = true;
    new KeepScroll(this);
    new StoreController(this, () => [this.session.files]);
  }

  protected override render(): TemplateResult {
    return html`<div class="picker" data-ac="picker">
      ${this.#head()} ${this.open ? html`${this.#filter()} ${staticHtml`<${tag.pickerTools} .session=${this.session} .request=${this.#requested} @ac-done=${this.#focusTree}></${tag.pickerTools}>`} ${this.#trouble()} ${this.#unlisted()} ${this.#tree()}` : nothing}
    </div>`;
  }

  protected override willUpdate(): void {
    const before = this.#rows;
    this.#rows = this.session.files.rows;
    if (this.#rows !== before) this.#window.anchor((index) => rowShift(index, before, this.#rows));
  }

  protected override updated(): void {
    if (this.open && this.session.files.isLoaded) requestPart(this, 'picker');
    this.#window.attach(this.renderRoot.querySelector('.tree'));
    this.#revealBest();
  }

  #head(): TemplateResult {
    const { files, selection } = this.session;
    const count = selection.paths.length;
    const excluded = files.excludedCount;
    return html`<h2>
      <button class="title" type="button" aria-expanded=${this.open} @click=${this.#flip}>
        ${this.open ? icons.chevronDown : icons.chevronRight} ${t('Files')}
        ${
          files.progress
            ? loading(files.progress)
            : html`<span class="muted number">${count ? t('%1 ticked', grouped(count)) : ''}</span>
              ${excluded ? html`<span class="never number" role="img" data-ac="picker-excluded-count" title=${excludedSentence(excluded)} aria-label=${excludedSentence(excluded)}>${icons.ban} ${grouped(excluded)}</span>` : nothing}`
        }
      </button>
      <button
        class="icon-button"
        type="button"
        data-ac="search-everywhere-open"
        title=${t('Search files, symbols and text (Ctrl+K)')}
        aria-label=${t('Search everywhere')}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        @click=${() => openSearch(this)}
      >
        ${icons.search}
      </button>
      <button
        class="icon-button"
        type="button"
        title=${t('Untick all')}
        aria-label=${t('Untick all files')}
        aria-disabled=${count === 0}
        @click=${() => selection.mark(selection.paths, false)}
      >
        ${icons.close}
      </button>
      <button
        class="icon-button"
        type="button"
        title=${t('Read the files again')}
        aria-label=${t('Read the files again')}
        ?disabled=${!this.rpcConnected}
        @click=${() => void this.session.files.refresh()}
      >
        ${icons.refresh}
      </button>
    </h2>`;
  }

  #filter(): TemplateResult {
    const { files } = this.session;
    return searchField({
      ac: 'picker-filter',
      label: t('Filter files by letters of their path'),
      placeholder: t('Filter files'),
      value: files.filter,
      onInput: this.#filterBy,
      onKey: this.#filterKey,
    });
  }

  #tree(): TemplateResult {
    const { files } = this.session;
    const { rows } = files;
    const best = files.best?.path ?? files.active;
    const active = this.#hasFocus ? (rows[files.current]?.node.path ?? '') : best;
    const { first, end } = this.#window.shown;
    return html`<div
      class="tree"
      role="tree"
      tabindex="0"
      aria-label=${t('Files of the repository')}
      aria-multiselectable="true"
      aria-activedescendant=${active ? rowId(active) : nothing}
      @keydown=${this.#treeKey}
      @focus=${() => this.#focused(true)}
      @blur=${() => this.#focused(false)}
    >
      ${rows.length === 0 ? this.#nothing() : nothing}
      <div style="height:${first * ROW_PX}px"></div>
      ${repeat(
        rows.slice(first, end),
        (row) => row.node,
        (row) => {
          const { path } = row.node;
          const isByProgram = this.session.selection.isByProgram(path);
          return pickerRow(
            row,
            {
              ...{ box: files.checkbox(row.node), isActive: path === active, isByProgram },
              exclusion: files.excluded.of(path),
            },
            this.#events,
          );
        },
      )}
      <div style="height:${(rows.length - end) * ROW_PX}px"></div>
    </div>`;
  }

  /** Error of the last refresh; shown above the previous files, which may be outdated. */
  #trouble(): TemplateResult | typeof nothing {
    const { error } = this.session.files;
    if (!error || !this.rpcConnected) return nothing;
    return html`<p class="empty" role="alert">${t('The files could not be read: %1', error)}</p>`;
  }

  #unlisted(): TemplateResult | typeof nothing {
    const { files, selection } = this.session;
    if (files.unlisted.length === 0) return nothing;
    return html`<div class="unlisted">
      <p class="muted">${t('Ticked, but not among the files (deleted, renamed, ignored by git or not shown by your settings):')}</p>
      <ul>
        ${files.unlisted.map((path) => unlistedRow(path, () => selection.mark([path], false)))}
      </ul>
    </div>`;
  }

  #nothing(): TemplateResult | typeof nothing {
    const { files } = this.session;
    if (files.error) return nothing;
    if (!files.isLoaded) return html`<p class="empty muted">${t('Reading the files …')}</p>`;
    if (files.filter)
      return html`<p class="empty muted">${t('No path has these letters in this order.')}</p>`;
    return html`<p class="empty muted">${t('This repository has no files yet.')}</p>`;
  }

  readonly #flip = (): void => {
    this.open = !this.open;
    this.dispatchEvent(new CustomEvent('ac-fold', { detail: this.open }));
  };

  #isExcluded({ path }: TreeNode): boolean {
    return this.session.files.excluded.of(path) === 'all';
  }

  /** Ticks or unticks; the tools include an excluded file first. */
  #toggle(node: TreeNode): void {
    if (this.#isExcluded(node)) this.#request('tick', node);
    else this.session.files.toggle(node);
  }

  #exclude(node: TreeNode): void {
    this.#request(this.#isExcluded(node) ? 'include' : 'exclude', node);
  }

  #pick(row: Row): void {
    const { files } = this.session;
    files.setActive(row.node.path);
    if (row.isExpanded === null) this.#toggle(row.node);
    else files.setExpanded(row.node.path, !row.isExpanded);
  }

  /** Scrolls to the file that matches the filter best, when that is another one. */
  #revealBest(): void {
    const { best, rows } = this.session.files;
    const path = this.#hasFocus ? '' : (best?.path ?? '');
    if (path && path !== this.#revealed) this.#window.reveal(rows.findIndex(({ node }) => node === best));
    this.#revealed = path;
  }

  #focused(hasFocus: boolean): void {
    this.#hasFocus = hasFocus;
    this.requestUpdate();
  }

  /** Sets the filter, and scrolls to the top. */
  readonly #filterBy = (text: string): void => {
    const tree = this.renderRoot.querySelector('.tree');
    if (tree) tree.scrollTop = 0;
    this.session.files.setFilter(text);
  };

  readonly #filterKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && this.session.files.filter) {
      event.preventDefault();
      this.session.files.setFilter('');
    }
    const { best } = this.session.files;
    if (event.key === 'Enter' && !event.isComposing && best) {
      event.preventDefault();
      this.#toggle(best);
    }
    if (event.key !== 'ArrowDown') return;
    event.preventDefault();
    if (best) this.session.files.setActive(best.path);
    this.renderRoot.querySelector<HTMLElement>('.tree')?.focus();
  };

  readonly #focusTree = (): void => this.renderRoot.querySelector<HTMLElement>('.tree')?.focus();

  #request(kind: FileRequest['kind'], node: TreeNode, x = 0, y = 0): void {
    this.#requested = { kind, node, x, y };
    this.requestUpdate();
  }

  /** Whether the key asks for an action on the active row, or for its menu. */
  #requestByKey({ key, shiftKey }: KeyboardEvent): boolean {
    const { rows, current } = this.session.files;
    const kind = shiftKey ? (key === 'F10' ? 'menu' : undefined) : REQUESTS[key];
    const node = rows[current]?.node;
    if (!kind || !node) return false;
    const row = this.renderRoot.querySelector('.row.active') ?? this;
    const { left, bottom } = row.getBoundingClientRect();
    this.#request(kind, node, left + 24, bottom);
    return true;
  }

  readonly #treeKey = (event: KeyboardEvent): void => {
    if (this.#requestByKey(event)) {
      event.preventDefault();
      return;
    }
    const { files } = this.session;
    const { rows } = files;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.shiftKey) {
      const node = rows[files.current]?.node;
      if (event.key !== ' ' || !node) return;
      event.preventDefault();
      this.#exclude(node);
      return;
    }
    const action = treeAction(event.key, rows, files.current);
    if (!action) return;
    event.preventDefault();
    if (action.kind === 'toggle') this.#toggle(action.row.node);
    else if (action.kind !== 'move') files.setExpanded(action.row.node.path, action.kind === 'expand');
    else this.#moveTo(action.index);
  };

  #moveTo(index: number): void {
    const row = this.session.files.rows[index];
    if (!row) return;
    this.session.files.setActive(row.node.path);
    this.#window.reveal(index);
  }
}

function loading({ loaded, total }: Progress): TemplateResult {
  return html`<span class="muted number" data-ac="picker-loading" title=${t('The files are loading')}
    >${t('%1 of %2 …', grouped(loaded), grouped(total))}</span
  >`;
}
