/** Pane of a page's requests: table with filters; Enter opens the detail of a request. */

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import { VirtualList } from '../controllers/virtual-list.ts';
import type { BrowserStore } from '../model/browser/browser.ts';
import { STATES, TYPES } from '../model/browser/network-requests.ts';
import { requestItem, requestName } from '../model/browser/page-items.ts';
import type { NetworkRow } from '../model/browser/recorded-rows.ts';
import { duration, pathOf, shownLine, shownUrl } from '../model/browser/shown-text.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';
import { addToQuestion } from './add-to-question.ts';
import { networkStyles } from './network-styles.ts';
import { listFoot, listState, RowKeys } from './recorded-rows-view.ts';
import { requestDetail } from './request-detail.ts';
import { paneStyles } from './styles.ts';

const ROW_PX = 28;
/** Characters at the end of an address that are shown however narrow the table is. */
const TAIL = 12;

export class AcBrowserNetwork extends LitElement {
  static override properties = { session: { attribute: false }, store: { attribute: false } };
  static override styles = [base, paneStyles, networkStyles];

  declare session: Session;
  declare store: BrowserStore;
  readonly #list = new VirtualList(this, ROW_PX, () => this.store.network.shown.length);
  readonly #keys = new RowKeys(
    this,
    this.#list,
    () => this.store.network.shown,
    ({ id }) => void this.store.network.open(id),
  );

  constructor() {
    super();
    new StoreController(this, () => [this.store, this.store.network]);
  }

  protected override firstUpdated(): void {
    void this.store.network.refreshGroups();
  }

  protected override willUpdate(): void {
    this.#keys.anchor();
  }

  protected override updated(): void {
    this.#list.attach(this.renderRoot.querySelector<HTMLElement>('.list'));
  }

  protected override render(): TemplateResult {
    const { network } = this.store;
    const { detail } = network;
    const row = detail && network.rows.find(({ id }) => id === detail.id);
    return html`${this.#filters()} ${this.#groups()} ${this.#table()}
      ${
        detail && row
          ? requestDetail(row, detail, {
              add: () => void this.#add(row),
              loadBody: () => void network.loadBody(),
              decide: (decision) => void this.#decide(row, decision),
              close: this.#close,
            })
          : nothing
      }
      ${listFoot(network, 'request', () => void this.store.clear('network'))}`;
  }

  #filters(): TemplateResult {
    const { network } = this.store;
    return html`<div class="filters">
      <input type="search" data-ac="browser-network-filter" placeholder="Filter requests" aria-label="Filter requests" .value=${network.query}
        @input=${(event: Event) => network.search((event.target as HTMLInputElement).value)} />
      ${this.#select('state', 'All states', STATES, network.state, (state) => void network.filter({ state }))}
      ${this.#select('type', 'All types', TYPES, network.type, (type) => void network.filter({ type }))}
    </div>`;
  }

  #select(
    name: string,
    all: string,
    values: readonly string[],
    chosen: string,
    choose: (value: string) => void,
  ): TemplateResult {
    return html`<select data-ac=${`browser-network-${name}`} aria-label=${`Filter by ${name}`}
      @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
      <option value="" ?selected=${!chosen}>${all}</option>
      ${values.map((value) => html`<option value=${value} ?selected=${value === chosen}>${value}</option>`)}
    </select>`;
  }

  /** Groups of filters of the repository; each hides some requests while it is on. */
  #groups(): TemplateResult | typeof nothing {
    const { network } = this.store;
    if (!network.groups.length) return nothing;
    return html`<div class="filters groups" role="group" aria-label="Hide requests by groups of filters">
      <span class="muted">Hide:</span>
      ${network.groups.map(
        ({
          name,
          isEnabled,
        }) => html`<label><input type="checkbox" data-ac="browser-filter-group" data-name=${name} .checked=${isEnabled}
          @change=${() => void this.#setGroup(name, !isEnabled)} /> <bdi>${shownLine(name, 40)}</bdi></label>`,
      )}
      <label><input type="checkbox" data-ac="browser-show-all" .checked=${network.isAllShown}
        @change=${() => void network.filter({ isAllShown: !network.isAllShown })} /> show hidden ones</label>
    </div>`;
  }

  #table(): TemplateResult {
    const { shown } = this.store.network;
    const { first, end } = this.#list.shown;
    const { active } = this.#keys;
    return html`<div class="row titles muted" aria-hidden="true">
        <span class="method">Method</span><span class="outcome">Status</span><span class="type">Type</span><span class="url">Address</span><span class="time">Time</span>
      </div>
      <div class="list" role="listbox" tabindex="0" aria-label="Requests, the newest first" aria-activedescendant=${shown[active] ? `row-${active}` : nothing}
        @keydown=${this.#keys.onKey}>
        <div style="height:${shown.length * ROW_PX}px">
          <div style="transform:translateY(${first * ROW_PX}px)">
            ${shown.slice(first, end).map((row, at) => this.#row(row, first + at))}
          </div>
        </div>
        ${listState(this.store, this.store.network, 'requests')}
      </div>`;
  }

  #row(row: NetworkRow, index: number): TemplateResult {
    const { id, method, url, type, state, timeMs } = row;
    const isOpen = this.store.network.detail?.id === id;
    const outcome = outcomeOf(row);
    const kind = isFailed(row) ? 'failed' : state;
    const label = `${method}, ${outcome}, ${type}, ${shownUrl(pathOf(url), 100)}, ${duration(timeMs)}`;
    return html`<div class="row ${kind} ${index === this.#keys.active ? 'active' : ''} ${isOpen ? 'chosen' : ''}" id=${`row-${index}`} role="option"
      aria-selected=${isOpen} aria-label=${label} aria-setsize=${this.store.network.shown.length} aria-posinset=${index + 1}
      data-ac="browser-row" data-kind="request" data-id=${id} data-state=${state} data-status=${row.status}
      title=${shownUrl(url, 500)} @click=${() => this.#keys.take(index)}>
      <span class="method cut">${shownLine(method, 10)}</span>
      <span class="outcome cut">${outcome}</span>
      <span class="type cut muted">${shownLine(type, 20)}</span>
      <span class="url">${shortAddress(pathOf(url))}</span>
      <span class="time number muted">${duration(timeMs)}</span>
    </div>`;
  }

  readonly #close = (): void => {
    this.store.network.close();
    this.renderRoot.querySelector<HTMLElement>('.list')?.focus();
  };

  async #setGroup(name: string, isEnabled: boolean): Promise<void> {
    this.store.say(await this.store.network.setGroup(name, isEnabled));
  }

  async #decide({ id }: NetworkRow, decision: 'resume' | 'fail'): Promise<void> {
    const { interception, network } = this.store;
    this.store.say(await interception.decide(network.target, id, decision));
    await network.refresh();
  }

  #add(row: NetworkRow): Promise<void> {
    const source = shownUrl(this.store.chosen?.url ?? '', 500);
    return addToQuestion(this.session, 'request', requestName(row), async () =>
      requestItem(row, await this.store.network.read(row.id), source),
    );
  }
}

/** An address whose end is always visible. */
function shortAddress(path: string): TemplateResult {
  const shown = shownUrl(path, 160);
  const at = Math.max(0, shown.length - TAIL);
  return html`<bdi class="cut">${shown.slice(0, at)}</bdi><bdi>${shown.slice(at)}</bdi>`;
}

function isFailed({ state, status }: NetworkRow): boolean {
  return state === 'failed' || status >= 400;
}

/** The status as a word, so that colour is never alone. */
function outcomeOf({ status, state, error }: NetworkRow): string {
  if (state === 'paused') return 'paused';
  if (status) return status >= 400 ? `${status} ✗` : String(status);
  return error || state === 'failed' ? 'failed' : state;
}
