/** Dialog that chooses what to review: the commit graph, a filter of branches, and the start. */

import { t, tNodes, tn } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { trapTab } from '../controllers/focus.ts';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { VirtualList } from '../controllers/virtual-list.ts';
import { type Branch, type Choice, type Commit, ReviewStartStore } from '../model/review-start.ts';
import type { Session } from '../model/session.ts';
import { barStyles } from '../styles/bar.ts';
import { cardStyles } from '../styles/card.ts';
import { formStyles } from '../styles/forms.ts';
import { reviewStartStyles } from '../styles/review-start.ts';
import { base } from '../styles/tokens.ts';
import { GRAPH_ROW_PX, graphCell } from './graph-cell.ts';
import * as icons from './icons.ts';
import { inlineCode } from './inline-text.ts';

/** More branches than this are found by the filter only. */
const MAX_CHIPS = 60;

export class AcReviewStart extends LitElement {
  static override properties = {
    session: { attribute: false },
    active: { state: true },
    query: { state: true },
  };
  static override styles = [base, barStyles, cardStyles, formStyles, reviewStartStyles];

  declare session: Session;
  /** Index of the row that the keyboard is at. */
  declare active: number;
  /** Filter of the branches. */
  declare query: string;
  #store: ReviewStartStore | null = null;
  readonly #rows = new VirtualList(this, GRAPH_ROW_PX, () => this.store.shown.length);

  constructor() {
    super();
    this.active = 0;
    this.query = '';
    new StoreController(this, () => [this.session, this.store]);
    new OverlayController(
      this,
      () => true,
      () => this.#close(),
    );
    this.addEventListener('keydown', (event) => trapTab(event, this.renderRoot));
  }

  get store(): ReviewStartStore {
    this.#store ??= new ReviewStartStore(this.session.rpc);
    return this.#store;
  }

  protected override firstUpdated(): void {
    this.#list?.focus();
    void this.store.open();
  }

  protected override updated(): void {
    this.#rows.attach(this.#list);
    void this.store.more(this.#rows.shown.end);
  }

  get #list(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('.list');
  }

  protected override render(): TemplateResult {
    return html`<div class="scrim" @pointerdown=${this.#pressed}>
      <div class="card" role="dialog" aria-modal="true" aria-label=${t('Review a branch')} data-ac="review-selector" tabindex="-1">
        <div class="bar">
          <h2>${t('Review a branch')}</h2>
          <button class="icon-button" type="button" title=${t('Close (Escape)')} aria-label=${t('Close')} @click=${() => this.#close()}>${icons.close}</button>
        </div>
        ${this.#obstacle()} ${this.#filter()} ${this.#graph()} ${this.#footer()}
      </div>
    </div>`;
  }

  #obstacle(): TemplateResult | typeof nothing {
    const { obstacle } = this.store;
    if (!obstacle) return nothing;
    return html`<div class="box" role="status">${icons.warning} <p>${inlineCode(obstacle)}</p>
      <button class="button" type="button" data-ac="review-check" @click=${() => void this.store.check()}>${t('Check again')}</button></div>`;
  }

  #filter(): TemplateResult {
    const { store } = this;
    const wanted = this.query.trim().toLowerCase();
    const found = store.branches.filter(({ name }) => name.toLowerCase().includes(wanted));
    return html`<div class="filter">
      <input type="search" data-ac="branch-filter" placeholder=${t('Filter branches')} aria-label=${t('Filter branches')} .value=${this.query}
        @input=${(event: Event) => {
          this.query = (event.target as HTMLInputElement).value;
        }} />
      <label><input type="checkbox" data-ac="branch-remotes" .checked=${store.withRemotes}
        @change=${() => void store.showRemotes(!store.withRemotes)} /> ${t('Remote branches')}</label>
      <div class="chips" role="group" aria-label=${t('Branches')}>
        ${found.slice(0, MAX_CHIPS).map((branch) => this.#chip(branch))}
        ${found.length > MAX_CHIPS ? html`<span class="muted">${t('and %1 more', found.length - MAX_CHIPS)}</span>` : nothing}
      </div>
    </div>`;
  }

  #chip({ name, isCurrent }: Branch): TemplateResult {
    const { hidden } = this.store;
    const isShown = !hidden.has(name);
    const flip = () =>
      this.store.hide(isShown ? [...hidden, name] : [...hidden].filter((other) => other !== name));
    return html`<span class="chip ${isShown ? '' : 'off'}">
      <button type="button" data-ac="branch-toggle" data-branch=${name} aria-pressed=${isShown}
        title=${isShown ? t('Hide what only %1 contains', name) : t('Show %1', name)} @click=${flip}>${name}${isCurrent ? t(' (here)') : ''}</button>
      ${
        isCurrent
          ? nothing
          : html`<button type="button" class="take" data-ac="branch-review" data-branch=${name} title=${t('Review all of %1', name)}
              aria-label=${t('Review all of %1', name)} @click=${() => this.store.chooseBranch(name)}>${icons.check}</button>`
      }
    </span>`;
  }

  #graph(): TemplateResult {
    const { store } = this;
    const { first, end } = this.#rows.shown;
    const { length } = store.shown;
    const active = store.shown[this.active];
    return html`<div class="list" role="listbox" tabindex="0" aria-label=${t('Commits, the newest first')} aria-activedescendant=${active ? `row-${this.active}` : nothing}
      @keydown=${this.#key}>
      <div class="space" style="height:${length * GRAPH_ROW_PX}px">
        <div class="rows" style="transform:translateY(${first * GRAPH_ROW_PX}px)">
          ${store.shown.slice(first, end).map((commit, at) => this.#row(commit, first + at))}
        </div>
      </div>
      ${length === 0 && !store.isLoading ? html`<p class="muted none">${t('No commits.')}</p>` : nothing}
      ${store.isLoading ? html`<p class="muted none" role="status">${icons.spinner} ${t('Reading commits …')}</p>` : nothing}
    </div>`;
  }

  #row(commit: Commit, index: number): TemplateResult {
    const { store } = this;
    const { sha, short, message, author, date, age, parents } = commit;
    const isChosen = store.choice?.sha === sha;
    const title = t(
      '%1\n%2\n%3, %4\nParents: %5',
      message,
      sha,
      author,
      date,
      parents.join(', ') || t('none'),
    );
    return html`<div class="row ${index === this.active ? 'active' : ''} ${isChosen ? 'chosen' : ''}" id=${`row-${index}`} role="option"
      aria-selected=${isChosen} data-ac="graph-row" data-sha=${sha} title=${title} @click=${() => this.#take(index)}>
      ${graphCell(store.lanes[index])}
      <span class="text">
        ${store.tipsAt(sha).map((tip) => html`<span class="tip ${tip.isRemote ? 'remote' : ''}">${icons.branch} ${tip.name}</span>`)}
        <span class="message">${message}</span>
      </span>
      <span class="who muted">${author}</span>
      <span class="age muted">${age}</span>
      <code class="sha muted">${short}</code>
    </div>`;
  }

  #footer(): TemplateResult {
    const { store } = this;
    const { choice, error, isStarting } = store;
    const isReady = choice !== null && store.obstacle === '' && this.session.rpc.connected;
    return html`<div class="foot">
      ${error ? html`<p class="bad" role="alert">${inlineCode(error)}</p>` : nothing}
      <p role="status">${choice ? this.#summary(choice) : t('Choose the first commit of the review, or a branch.')}</p>
      <button class="button primary" type="button" data-ac="review-start" ?disabled=${!isReady} aria-disabled=${isStarting}
        @click=${() => void this.#start()}>${isStarting ? icons.spinner : nothing} ${t('Start the review')}</button>
    </div>`;
  }

  #summary(choice: Choice): TemplateResult {
    const { sha, branch, branches, count } = choice;
    const commit = this.store.commits.find((one) => one.sha === sha);
    const which =
      branches.length > 1
        ? html`<select data-ac="review-branch" aria-label=${t('Branch to review')}
            @change=${(event: Event) => this.store.choose(sha, (event.target as HTMLSelectElement).value)}>
            ${branches.map((name) => html`<option value=${name} ?selected=${name === branch}>${name}</option>`)}
          </select>`
        : html`<code>${branch}</code>`;
    const what = commit
      ? tNodes(
          'Review %1 of %2, from %3 %4.',
          tn('%1 commit', '%1 commits', count),
          which,
          html`<code>${commit.short}</code>`,
          commit.message,
        )
      : html`${tNodes('Review all of %1 since it left what is checked out.', which)}`;
    return html`${what} <span class="muted">${t('The files on disk will be those of the branch until you end the review.')}</span>`;
  }

  async #start(): Promise<void> {
    if (await this.store.start()) {
      await this.session.review.refresh();
      this.#close();
    }
  }

  #take(index: number): void {
    this.active = index;
    const commit = this.store.shown[index];
    if (commit) this.store.choose(commit.sha);
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.store.shown.length - 1;
    const page = Math.max(1, Math.floor((this.#list?.clientHeight ?? 0) / GRAPH_ROW_PX) - 1);
    const next: Readonly<Record<string, number>> = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      PageDown: this.active + page,
      PageUp: this.active - page,
      Home: 0,
      End: last,
    };
    const target = next[event.key];
    if (target !== undefined) {
      this.active = Math.max(0, Math.min(last, target));
      this.#rows.reveal(this.active);
    } else if (event.key === 'Enter' || event.key === ' ') this.#take(this.active);
    else return;
    event.preventDefault();
  };

  readonly #pressed = (event: PointerEvent): void => {
    if (event.target === event.currentTarget) this.#close();
  };

  #close(): void {
    this.dispatchEvent(new CustomEvent('ac-close'));
  }
}
