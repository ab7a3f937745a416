/** Pane of a page's requests: table with filters; Enter opens the detail of a request. */

import { t, tn } from '@jupyter-ac/messages';
import { LitElement, nothing, html as plainHtml, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { saveFile } from '../controllers/save-file.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { VirtualList } from '../controllers/virtual-list.ts';
import type { BrowserStore } from '../model/browser/browser.ts';
import type { Decision } from '../model/browser/interception.ts';
import { STATES, TYPES } from '../model/browser/network-requests.ts';
import { requestItem, requestName } from '../model/browser/page-items.ts';
import type { NetworkRow, Pausing } from '../model/browser/recorded-rows.ts';
import { duration, pathOf, shownLine, shownUrl } from '../model/browser/shown-text.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';
import { addToQuestion } from './add-to-question.ts';
import { networkStyles } from './network-styles.ts';
import { paneTag } from './pane-tags.ts';
import { listFoot, listState, type NoRows, RowKeys } from './recorded-rows-view.ts';
import { requestDetail } from './request-detail.ts';
import { paneStyles } from './styles.ts';

const ROW_PX = 28;
/** Characters at the end of an address that are shown however narrow the table is. */
const TAIL = 12;
const NONE: NoRows = {
  noMatch: t('No requests match the filter.'),
  none: t('No requests yet. Reload the page to record it from its start.'),
};
const PAUSING: readonly [Pausing, string][] = [
  ['nothing', t('Pause nothing')],
  ['requests', t('Pause requests')],
  ['both', t('Pause requests and answers')],
];

export class AcBrowserNetwork extends LitElement {
  static override properties = {
    session: { attribute: false },
    store: { attribute: false },
    isEditingGroups: { state: true },
  };
  static override styles = [base, paneStyles, networkStyles];

  declare session: Session;
  declare store: BrowserStore;
  declare isEditingGroups: boolean;
  readonly #list = new VirtualList(this, ROW_PX, () => this.store.network.shown.length);
  readonly #keys = new RowKeys(
    this,
    this.#list,
    () => this.store.network.shown,
    ({ id }) => void this.store.network.open(id),
  );

  constructor() {
    super();
    this.isEditingGroups = false;
    new StoreController(this, () => {
      const { store } = this;
      return [store, store.network, store.filters, store.interception];
    });
  }

  protected override firstUpdated(): void {
    void this.store.filters.refresh();
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
    return html`${this.#filters()} ${this.#pausingAndGroups()}
      ${this.isEditingGroups ? html`<${paneTag.filters} .store=${this.store}></${paneTag.filters}>` : nothing}
      ${this.#table()}
      ${
        detail && row
          ? requestDetail(row, detail, {
              add: () => void this.#add(row),
              loadBody: () => void network.loadBody(),
              reveal: (isRevealed) => void network.reveal(isRevealed),
              decide: (decision) => void this.#decide(row, decision),
              close: this.#close,
            })
          : nothing
      }
      ${listFoot(
        network,
        (count) => tn('%1 request', '%1 requests', count),
        () => void this.store.clear('network'),
        this.#harButton(),
      )}`;
  }

  #filters(): TemplateResult {
    const { network } = this.store;
    return html`<div class="filters">
      <input type="search" data-ac="browser-network-filter" placeholder=${t('Filter')} aria-label=${t('Filter requests')} .value=${network.query}
        @input=${(event: Event) => network.search((event.target as HTMLInputElement).value)} />
      ${this.#select('state', t('Filter by state'), t('All states'), STATES, network.state, (state) => void network.filter({ state }))}
      ${this.#select('type', t('Filter by type'), t('All types'), TYPES, network.type, (type) => void network.filter({ type }))}
    </div>`;
  }

  #select(
    name: string,
    label: string,
    all: string,
    values: readonly string[],
    chosen: string,
    choose: (value: string) => void,
  ): TemplateResult {
    return html`<select data-ac=${`browser-network-${name}`} aria-label=${label}
      @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
      <option value="" ?selected=${!chosen}>${all}</option>
      ${values.map((value) => html`<option value=${value} ?selected=${value === chosen}>${value}</option>`)}
    </select>`;
  }

  #pausingAndGroups(): TemplateResult | typeof nothing {
    const { chosen, interception, page } = this.store;
    if (!chosen) return nothing;
    const pausing = interception.pausingOf(chosen, page);
    const { paused } = chosen;
    return html`<div class="filters groups">
      <select data-ac="browser-pausing" aria-label=${t('What is paused for a decision')}
        @change=${(event: Event) => void this.#setPausing(event.target as HTMLSelectElement, pausing)}>
        ${PAUSING.map(([value, label]) => plainHtml`<option value=${value} .selected=${value === pausing}>${label}</option>`)}
      </select>
      ${
        paused || pausing !== 'nothing'
          ? html`<span class="waiting" role="status">${t('%1 paused', tn('%1 request', '%1 requests', paused))}</span>
            <button class="button small" type="button" data-ac="browser-let-go" @click=${() => void this.#letGo()}>${t('Let all go')}</button>`
          : nothing
      }
      ${this.#groups()}
      <span class="space"></span>
      <button class="button small" type="button" data-ac="browser-groups-edit" aria-expanded=${this.isEditingGroups}
        @click=${() => {
          this.isEditingGroups = !this.isEditingGroups;
        }}>${t('Filters …')}</button>
    </div>`;
  }

  /** Groups of filters of the repository; each hides some requests while it is on. */
  #groups(): TemplateResult | typeof nothing {
    const { network, filters } = this.store;
    if (!filters.groups.length) return nothing;
    return html`<span class="muted">${t('Hide:')}</span>
      ${filters.groups.map(
        ({
          name,
          isEnabled,
        }) => html`<label><input type="checkbox" data-ac="browser-filter-group" data-name=${name} .checked=${isEnabled}
          @change=${() => void this.#setGroup(name, !isEnabled)} /> <bdi>${shownLine(name, 40)}</bdi></label>`,
      )}
      <label><input type="checkbox" data-ac="browser-show-all" .checked=${network.isAllShown}
        @change=${() => void network.filter({ isAllShown: !network.isAllShown })} /> ${t('show hidden ones')}</label>`;
  }

  #table(): TemplateResult {
    const { shown } = this.store.network;
    const { first, end } = this.#list.shown;
    const { active } = this.#keys;
    return html`<div class="row titles muted" aria-hidden="true">
        <span class="method">${t('Method')}</span><span class="outcome">${t('Status')}</span><span class="type">${t('Type')}</span><span class="url">${t('Address')}</span><span class="time">${t('Time')}</span>
      </div>
      <div class="list" role="listbox" tabindex="0" aria-label=${t('Requests, the newest first')} aria-activedescendant=${shown[active] ? `row-${active}` : nothing}
        @keydown=${this.#keys.onKey}>
        <div style="height:${shown.length * ROW_PX}px">
          <div style="transform:translateY(${first * ROW_PX}px)">
            ${shown.slice(first, end).map((row, at) => this.#row(row, first + at))}
          </div>
        </div>
        ${listState(this.store, this.store.network, NONE)}
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
      title=${shownUrl(url, 200)} @click=${() => this.#keys.take(index)}>
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

  #harButton(): TemplateResult {
    const { rows } = this.store.network;
    return html`<button class="button small" type="button" data-ac="browser-har" title=${t('All recorded requests as a HAR file, secrets masked')}
      ?disabled=${!rows.length} @click=${() => void this.#saveHar()}>${t('Save as HAR')}</button>`;
  }

  async #saveHar(): Promise<void> {
    const { network, chosen } = this.store;
    const { value, error } = await network.har();
    this.store.say(error);
    if (!error) saveFile(harName(chosen?.url ?? ''), JSON.stringify(value, null, 1));
  }

  async #setGroup(name: string, isEnabled: boolean): Promise<void> {
    const { filters, network } = this.store;
    this.store.say(await filters.set(name, isEnabled, network.target));
    await network.refresh();
  }

  /** Where it is refused, the choice shows again what is set. */
  async #setPausing(select: HTMLSelectElement, before: Pausing): Promise<void> {
    const { chosen, interception, network } = this.store;
    if (!chosen) return;
    const error = await interception.setPausing(chosen, select.value as Pausing);
    if (error) select.value = before;
    this.store.say(error);
    await network.refresh();
  }

  async #letGo(): Promise<void> {
    const { chosen, interception, network } = this.store;
    if (chosen) this.store.say(await interception.setPausing(chosen, 'nothing'));
    await network.refresh();
  }

  async #decide({ id }: NetworkRow, decision: Decision): Promise<void> {
    const { interception, network } = this.store;
    const error = await interception.decide(network.target, id, decision);
    this.store.say(error);
    await network.refresh();
    if (error || network.detail?.id !== id) return;
    // The buttons of a paused request are gone.
    this.renderRoot.querySelector<HTMLElement>('.list')?.focus();
    await network.open(id, network.detail.isRevealed);
  }

  #add(row: NetworkRow): Promise<boolean> {
    const source = shownUrl(this.store.chosen?.url ?? '', 200);
    return addToQuestion(this.session, 'request', requestName(row), async () =>
      requestItem(row, await this.store.network.read(row.id), source),
    );
  }
}

function harName(url: string): string {
  const host = /^[a-z]+:\/\/([^/?#@]+)/i.exec(url)?.[1] ?? 'page';
  return `${host.replace(/[^a-z0-9.-]+/gi, '-')}.har`;
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
