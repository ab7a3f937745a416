/** List of the files that a review is about: their numbers, their diffs, and the ticks that send them. */

import { t, tn } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import { StoreController } from '../controllers/store-controller.ts';
import { VirtualList } from '../controllers/virtual-list.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { isSubsequence } from '../model/path-filter.ts';
import type { ReviewedFile } from '../model/review-changes.ts';
import type { Session } from '../model/session.ts';
import { fieldStyles } from '../styles/forms.ts';
import { reviewFilesStyles } from '../styles/review-files.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';
import { openLocation } from './location-links.ts';
import { searchField } from './search-field.ts';

/** Same value as in the style sheet. */
const ROW_PX = 26;
/** With more files there is a filter. */
const FILTER_FROM = 20;
const LETTERS: Readonly<Record<string, string>> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  copied: 'C',
  typechange: 'T',
};

export class AcReviewFiles extends LitElement {
  static override properties = {
    session: { attribute: false },
    isOpen: { state: true },
    query: { state: true },
  };
  static override styles = [base, fieldStyles, reviewFilesStyles];

  declare session: Session;
  declare isOpen: boolean;
  declare query: string;
  #shown: readonly ReviewedFile[] = [];
  readonly #list = new VirtualList(this, ROW_PX, () => this.#shown.length);

  constructor() {
    super();
    this.isOpen = true;
    this.query = '';
    new StoreController(this, () => [this.session.review, this.session.selection]);
  }

  protected override willUpdate(): void {
    const { changes } = this.session.review;
    const query = changes.length > FILTER_FROM ? this.query.trim() : '';
    this.#shown = query
      ? changes.filter(({ path, oldPath }) => isSubsequence(query, path) || isSubsequence(query, oldPath))
      : changes;
  }

  protected override updated(_changed: PropertyValues): void {
    this.#list.attach(this.renderRoot.querySelector<HTMLElement>('.rows'));
  }

  protected override render(): TemplateResult {
    const { review, selection } = this.session;
    const { changes } = review;
    const ticked = changes.filter(({ path }) => selection.has(path)).length;
    const isAll = ticked === changes.length;
    return html`<section data-ac="review-files" aria-label=${t('Changed files')}>
      <div class="head">
        <input type="checkbox" data-ac="review-tick-all" aria-label=${t('Send all diffs')} .checked=${live(isAll)}
          .indeterminate=${live(ticked > 0 && !isAll)}
          @change=${() =>
            selection.mark(
              changes.map(({ path }) => path),
              !isAll,
            )} />
        <button class="fold" type="button" aria-expanded=${this.isOpen} aria-controls="rows" @click=${() => {
          this.isOpen = !this.isOpen;
        }}>
          ${this.isOpen ? icons.chevronDown : icons.chevronRight} ${t('Changed files')}
          <span class="muted number" data-ac="review-count">${tn('%2 of %1 diff in context', '%2 of %1 diffs in context', changes.length, ticked)}</span>
        </button>
      </div>
      ${this.isOpen ? this.#rows(changes.length) : nothing}
    </section>`;
  }

  #rows(count: number): TemplateResult {
    const { first, end } = this.#list.shown;
    const after = this.#shown.length - end;
    return html`${count > FILTER_FROM ? this.#filter() : nothing}
      <div class="rows" id="rows" role="list" tabindex="-1">
        <div style="height:${first * ROW_PX}px"></div>
        ${repeat(
          this.#shown.slice(first, end),
          ({ path }) => path,
          (file, index) => this.#row(file, first + index + 1),
        )}
        <div style="height:${after * ROW_PX}px"></div>
        ${this.#shown.length ? nothing : html`<p class="none muted">${t('No changed file has such a name.')}</p>`}
      </div>`;
  }

  #filter(): TemplateResult {
    return html`<div class="filter">${searchField({
      ac: 'review-filter',
      label: t('Filter the changed files'),
      placeholder: t('Filter the changed files'),
      value: this.query,
      onInput: (text) => {
        this.query = text;
      },
    })}</div>`;
  }

  #row(file: ReviewedFile, position: number): TemplateResult {
    const { selection } = this.session;
    const { path, oldPath, status, additions, deletions } = file;
    const name = escapeInvisible(path);
    const shown = oldPath ? `${escapeInvisible(oldPath)} → ${name}` : name;
    const isOn = selection.has(path);
    return html`<div class="row" role="listitem" aria-posinset=${position} aria-setsize=${this.#shown.length}
      data-ac="review-file" data-path=${path} data-status=${status}>
      <input type="checkbox" data-ac="review-tick" aria-label=${t('Send the diff of %1', shown)} .checked=${live(isOn)}
        @change=${() => selection.mark([path], !isOn)} />
      <button class="name" type="button" data-ac="review-open" title=${t('Show what has changed in %1 (%2)', shown, status)}
        @click=${() => openLocation(this, { path, line: 0, col: 0, isReview: true })}><bdi>${shown}</bdi></button>
      <span class="number plus">${additions ? `+${additions}` : ''}</span>
      <span class="number minus">${deletions ? `−${deletions}` : ''}</span>
      <abbr class="badge ${LETTERS[status] ?? ''}" title=${status}>${LETTERS[status] ?? '?'}</abbr>
    </div>`;
  }
}
