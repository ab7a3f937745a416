/** History button, and its popover with the earlier conversations. */

import { t, tn } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { arrowKeyIndex, focused, trapTab } from '../controllers/focus.ts';
import { Popover } from '../controllers/popover.ts';
import { saveFile } from '../controllers/save-file.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { ago } from '../model/format.ts';
import type { ExportFormat, HistoryStore, PastSession, SearchHit } from '../model/history.ts';
import type { Session } from '../model/session.ts';
import { formStyles, popoverStyles } from '../styles/forms.ts';
import { sessionsStyles } from '../styles/sessions.ts';
import { base } from '../styles/tokens.ts';
import { openInTab, showTab } from './header.ts';
import * as icons from './icons.ts';
import { highlightMatch, inlineCode } from './inline-text.ts';
import { searchField } from './search-field.ts';

export class AcSessions extends LitElement {
  static override properties = {
    session: { attribute: false },
    renaming: { state: true },
    deleting: { state: true },
  };
  static override styles = [base, formStyles, popoverStyles, sessionsStyles];

  declare session: Session;
  /** Id of the conversation whose name is being edited; '' for none. */
  declare renaming: string;
  /** Id of the conversation that is to be deleted, if the user says so once more; '' for none. */
  declare deleting: string;
  readonly #popover = new Popover(this, () => this.#opened());

  constructor() {
    super();
    this.renaming = '';
    this.deleting = '';
    new StoreController(this, () => [this.#store, this.session]);
    this.addEventListener('keydown', (event) => this.#key(event));
  }

  get #store(): HistoryStore {
    return this.session.history;
  }

  protected override willUpdate(): void {
    this.dataset.ac = 'sessions';
  }

  protected override render(): TemplateResult {
    return html`<button
        class="icon-button"
        type="button"
        title=${t('Earlier conversations')}
        aria-label=${t('Earlier conversations')}
        aria-haspopup="dialog"
        aria-expanded=${this.#popover.isOpen}
        @click=${() => this.#flip()}
      >
        ${icons.history}
      </button>
      ${this.#popover.isOpen ? this.#list() : nothing}`;
  }

  /** Loads the list; also syncs the current conversation, which other hosts or notebook cells may have extended. */
  #opened(): void {
    this.renaming = '';
    this.deleting = '';
    this.#store.reset();
    void this.#store.refresh();
    if (this.session.status === 'ready') void this.session.sync();
    const popover = this.renderRoot.querySelector<HTMLElement>('.popover');
    (popover?.querySelector('input') ?? popover)?.focus();
  }

  #list(): TemplateResult {
    const { hits, error } = this.#store;
    return html`<div class="popover" role="dialog" aria-label=${t('Earlier conversations')} tabindex="-1">
      ${this.#store.isSearchOffered ? this.#search() : nothing}
      ${error ? html`<div class="box bad" role="alert">${inlineCode(error)}</div>` : nothing}
      <div class="scroll">${hits ? this.#hits(hits) : this.#sessions()}</div>
      ${this.#exports()}
    </div>`;
  }

  #exports(): TemplateResult | typeof nothing {
    const { chat, history } = this.session;
    if (!history.isExportOffered || !chat.messages.length) return nothing;
    const button = (format: ExportFormat, label: string) => html`<button class="button" type="button"
      data-ac="export" data-format=${format} @click=${() => void this.#export(format)}>${label}</button>`;
    return html`<div class="exports muted">
      <span>${t('Save this conversation:')}</span> ${button('markdown', t('Markdown'))} ${button('ipynb', t('Notebook'))}
    </div>`;
  }

  async #export(format: ExportFormat): Promise<void> {
    const file = await this.#store.export(this.session.chat.sessionId, format);
    if (file) saveFile(file.name, file.content);
  }

  #search(): TemplateResult {
    return searchField({
      ac: 'search',
      label: t('Search all conversations'),
      placeholder: t('Search all conversations'),
      value: this.#store.query,
      onInput: (text) => this.#store.search(text),
    });
  }

  #sessions(): TemplateResult {
    const { sessions, error } = this.#store;
    if (!sessions)
      return error ? html`` : html`<p class="empty muted">${icons.spinner} ${t('Reading the history …')}</p>`;
    if (!sessions.length) return html`<p class="empty muted">${t('No conversation has been kept yet.')}</p>`;
    const now = Date.now();
    return html`${repeat(
      sessions,
      ({ id }) => id,
      (session) => this.#session(session, now),
    )}`;
  }

  #session(session: PastSession, now: number): TemplateResult {
    const { id } = session;
    if (id === this.renaming) return this.#nameForm(session);
    if (id === this.deleting) return this.#deletion(session);
    return html`<div class="session">
      ${this.#row(session, now)}
      <span class="actions">
        ${this.#canOpenTabs ? this.#action('session-open', t('Open in a new tab'), icons.openInTab, () => this.#openInTab(id)) : nothing}
        ${
          this.#store.isManagementOffered
            ? html`${this.#action('session-rename', t('Rename'), icons.edit, () => this.#startRenaming(id))}
              ${this.#action('session-delete', t('Delete'), icons.trash, () => this.#startDeleting(id), this.#deleteObstacle(id))}`
            : nothing
        }
      </span>
    </div>`;
  }

  #row(session: PastSession, now: number): TemplateResult {
    const { id, preview, title, count, time, isFromCell, isTrusted } = session;
    const isCurrent = id === this.session.chat.sessionId;
    return html`<button
      class="row"
      type="button"
      data-ac="session-row"
      data-session=${id}
      title=${this.#rowTitle || nothing}
      aria-current=${isCurrent ? 'true' : nothing}
      aria-disabled=${this.#isBusy}
      @click=${() => void this.#load(id)}
    >
      <span class="preview ${title ? 'title' : ''}">${title || preview || t('Without a question')}</span>
      <span class="facts muted">
        ${this.#store.loading === id ? icons.spinner : nothing}
        ${isCurrent ? html`<span class="chip good">${t('current')}</span>` : nothing}
        ${isTrusted ? nothing : html`<span class="chip warn" data-ac="untrusted">${t('not kept by you, read only')}</span>`}
        ${isFromCell ? html`<span class="chip">${t('from a cell or a terminal')}</span>` : nothing}
        <span>${time ? `${ago(time, now)} · ` : ''}${tn('%1 message', '%1 messages', count)}</span>
      </span>
    </button>`;
  }

  /** @param obstacle - why it can't be done now; '' when it can */
  #action(ac: string, label: string, icon: TemplateResult, run: () => void, obstacle = ''): TemplateResult {
    return html`<button class="icon-button" type="button" data-ac=${ac} title=${obstacle || label} aria-label=${label}
      aria-description=${obstacle || nothing} aria-disabled=${obstacle !== ''} ?disabled=${this.#store.loading !== ''}
      @click=${() => {
        if (!obstacle) run();
      }}>${icon}</button>`;
  }

  #deleteObstacle(id: string): string {
    const { sessionId, stream } = this.session.chat;
    return stream && id === sessionId ? t('Delete: stop the answer in this conversation first') : '';
  }

  #nameForm({ id, title, preview }: PastSession): TemplateResult {
    return html`<form class="session form" @submit=${(event: Event) => {
      event.preventDefault();
      void this.#rename(id, this.#nameField?.value ?? '');
    }}>
      <label class="field"><input data-ac="session-title" aria-label=${t('Name of the conversation')} maxlength="200"
        placeholder=${preview || t('Name')} .value=${title} /></label>
      <button class="button primary" type="submit">${t('Save')}</button>
      <button class="button" type="button" @click=${() => void this.#endEditing(id)}>${t('Cancel')}</button>
    </form>`;
  }

  #deletion({ id, title, preview }: PastSession): TemplateResult {
    return html`<div class="session form" role="group" aria-label=${t('Delete the conversation')}>
      <span class="question">${t('Delete “%1” for good? Files stay as they are.', title || preview)}</span>
      <button class="button danger" type="button" data-ac="session-delete-confirm"
        @click=${() => void this.#delete(id)}>${t('Delete')}</button>
      <button class="button" type="button" @click=${() => void this.#endEditing(id)}>${t('Keep')}</button>
    </div>`;
  }

  get #nameField(): HTMLInputElement | null {
    return this.renderRoot.querySelector<HTMLInputElement>('[data-ac="session-title"]');
  }

  async #startRenaming(id: string): Promise<void> {
    this.deleting = '';
    this.renaming = id;
    await this.updateComplete;
    this.#nameField?.focus();
    this.#nameField?.select();
  }

  async #startDeleting(id: string): Promise<void> {
    this.renaming = '';
    this.deleting = id;
    await this.updateComplete;
    // What is harmless has the focus.
    this.renderRoot.querySelector<HTMLElement>('.question ~ .button:last-child')?.focus();
  }

  /** Shows the row again, and focuses it. */
  async #endEditing(id: string): Promise<void> {
    this.renaming = '';
    this.deleting = '';
    await this.updateComplete;
    const rows = [...this.renderRoot.querySelectorAll<HTMLElement>('.row')];
    const row = rows.find(({ dataset }) => dataset.session === id) ?? rows[0];
    (row ?? this.renderRoot.querySelector<HTMLElement>('.popover'))?.focus();
  }

  async #rename(id: string, title: string): Promise<void> {
    if (await this.#store.rename(id, title)) await this.#endEditing(id);
  }

  async #delete(id: string): Promise<void> {
    await this.#store.remove(id);
    await this.#endEditing(id);
  }

  #hits(hits: readonly SearchHit[]): TemplateResult {
    if (!hits.length) return html`<p class="empty muted">${t('No message has this in it.')}</p>`;
    const now = Date.now();
    return html`${repeat(
      hits,
      ({ sessionId }) => sessionId,
      (hit) => this.#hit(hit, now),
    )}`;
  }

  #hit({ sessionId, isQuestion, preview, time, count }: SearchHit, now: number): TemplateResult {
    const more = count > 1 ? tn(' · and %1 more message', ' · and %1 more messages', count - 1) : '';
    return html`<button
      class="row"
      type="button"
      data-ac="search-hit"
      data-session=${sessionId}
      title=${this.#rowTitle || nothing}
      aria-disabled=${this.#isBusy}
      @click=${() => void this.#load(sessionId)}
    >
      <span class="preview">${highlightMatch(preview, this.#store.query.trim())}</span>
      <span class="facts muted">
        ${this.#store.loading === sessionId ? icons.spinner : nothing}
        <span>${isQuestion ? t('Question') : t('Answer')}${time ? ` · ${ago(time, now)}` : ''}${more}</span>
      </span>
    </button>`;
  }

  get #canOpenTabs(): boolean {
    return this.session.rpc.offers('LLMService.open_conversation');
  }

  /** While an answer is running, the panel can't show another conversation in its place. */
  get #isBusy(): boolean {
    return (this.session.chat.stream !== null && !this.#canOpenTabs) || this.#store.loading !== '';
  }

  /** What a press on a conversation does; '' for the usual. */
  get #rowTitle(): string {
    if (this.session.chat.stream === null) return '';
    return this.#canOpenTabs
      ? t('Opens in a new tab: the answer in this one goes on')
      : t('Wait for the end of the answer, or stop it');
  }

  #flip(): void {
    if (this.#popover.isOpen) this.#popover.close();
    else this.#popover.isOpen = true;
  }

  async #load(id: string): Promise<void> {
    if (this.#isBusy) return;
    if (id === this.session.chat.sessionId || showTab(this, id)) this.#popover.close();
    else if (this.session.chat.stream) this.#openInTab(id);
    else if (await this.#store.load(id)) this.#popover.close();
  }

  #openInTab(id: string): void {
    this.#popover.close();
    openInTab(this, id);
  }

  #key(event: KeyboardEvent): void {
    if (!this.#popover.isOpen || event.isComposing) return;
    const popover = this.renderRoot.querySelector('.popover');
    if (popover) trapTab(event, popover);
    const edited = this.renaming || this.deleting;
    if (event.key === 'Escape' && edited) {
      event.preventDefault();
      void this.#endEditing(edited);
    } else if (event.key === 'Escape' && this.#store.query) {
      event.preventDefault();
      this.#store.search('');
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') this.#move(event);
  }

  /** Arrow keys move between the search field and the rows. */
  #move(event: KeyboardEvent): void {
    const stops = [...this.renderRoot.querySelectorAll<HTMLElement>('.popover input, .row')];
    const next = stops[arrowKeyIndex(event.key, stops.indexOf(focused() as HTMLElement), stops.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }
}
