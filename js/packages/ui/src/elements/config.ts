/** Editor of the settings files. */

import { t, tNodes } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { arrowKeyIndex } from '../controllers/focus.ts';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { ConfigStore, Problem, SettingsFile } from '../model/config.ts';
import { lineRange } from '../model/config.ts';
import type { Session } from '../model/session.ts';
import { configOf } from '../model/settings-parts.ts';
import { configStyles } from '../styles/config.ts';
import { formStyles } from '../styles/forms.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';
import { inlineCode } from './inline-text.ts';

export class AcConfig extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, formStyles, configStyles];

  declare session: Session;
  #marked: Problem | null = null;

  constructor() {
    super();
    new StoreController(this, () => [this.#store]);
    new OverlayController(
      this,
      () => this.#store.isLeaving || this.#store.changes.length > 0,
      () => this.#stay(),
    );
    this.addEventListener('keydown', (event) => this.#key(event));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#store.load();
  }

  get #store(): ConfigStore {
    return configOf(this.session.settings);
  }

  protected override render(): TemplateResult {
    return html`<div class="config">
      <div class="files" role="tablist" aria-label=${t('Settings files')} @keydown=${this.#fileKey}>${this.#files()}</div>
      <div class="editor" id="editor" role="tabpanel" aria-label=${this.#store.file}>
        ${this.#area()} ${this.#messages()} ${this.#foot()}
      </div>
    </div>`;
  }

  protected override updated(_changed: PropertyValues): void {
    const { problem } = this.#store;
    if (problem === this.#marked) return;
    this.#marked = problem;
    if (problem?.line) this.#mark(problem.line);
  }

  #files(): TemplateResult[] {
    const { files } = this.#store;
    const firstPrompt = files.find(({ file }) => file.endsWith('.md'));
    return files.map(
      (file) =>
        html`${
          file === firstPrompt
            ? html`<span class="group muted" role="presentation">${t('Instructions')}</span>`
            : nothing
        }${this.#file(file)}`,
    );
  }

  #file(file: SettingsFile): TemplateResult {
    const { type, isDirty } = this.#store;
    return html`<button
      type="button"
      role="tab"
      data-type=${file.type}
      aria-selected=${file.type === type}
      aria-controls="editor"
      tabindex=${file.type === type ? 0 : -1}
      title=${file.purpose}
      @click=${() => this.#store.open(file.type)}
    >
      <span class="name">${file.file}${file.type === type && isDirty ? ' •' : ''}</span>
      <span class="purpose muted">${file.purpose}</span>
    </button>`;
  }

  #area(): TemplateResult {
    const { text, isLoading, isLocked, file, type } = this.#store;
    return html`<textarea
      data-ac="config-text"
      data-type=${type}
      aria-label=${t('Content of %1', file)}
      spellcheck="false"
      autocomplete="off"
      wrap=${file.endsWith('.md') ? 'soft' : 'off'}
      placeholder=${isLoading ? t('Reading …') : t('Empty: nothing is added.')}
      ?readonly=${isLoading || isLocked}
      .value=${live(text)}
      @input=${(event: Event) => this.#store.edit((event.target as HTMLTextAreaElement).value)}
    ></textarea>`;
  }

  #messages(): TemplateResult {
    const { isLocked, lockedKeys, isDefault, problem, changes, notices, warnings, isLeaving, file } =
      this.#store;
    return html`<div class="messages">
      ${isLocked ? html`<div class="box">${icons.lock} ${t('The administrator has locked this file.')}</div>` : nothing}
      ${
        lockedKeys.length && !isLocked
          ? html`<div class="box">${icons.lock} <span>${tNodes('Locked by the administrator: %1.', inlineCode(lockedKeys.map((key) => `\`${key}\``).join(', ')))}</span></div>`
          : nothing
      }
      ${
        isDefault && !notices.length
          ? html`<div class="box" data-ac="config-default">${inlineCode(t('The defaults. There is no `%1` yet; saving a change writes it.', file))}</div>`
          : nothing
      }
      ${problem ? this.#problem(problem) : warnings.map((warning) => html`<div class="box ask" role="status" data-ac="config-warning">${inlineCode(warning)}</div>`)}
      ${isLeaving ? this.#leaving() : changes.length ? this.#question(changes) : nothing}
      ${notices.length ? html`<div class="box good" role="status" data-ac="config-result">${notices.map((notice) => html`<p>${inlineCode(notice)}</p>`)}</div>` : nothing}
    </div>`;
  }

  #problem({ message, line }: Problem): TemplateResult {
    const show = html`<div class="actions">
      <button class="button" type="button" @click=${() => this.#mark(line ?? 1)}>${t('Show line')} ${line}</button>
    </div>`;
    return html`<div class="box bad" role="alert" data-ac="config-problem" data-line=${line ?? ''}>
      ${inlineCode(message)} ${line ? show : nothing}
    </div>`;
  }

  #question(changes: readonly string[]): TemplateResult {
    return html`<div class="box ask" role="alert" data-ac="confirm">
      <p>${t('This changes where your code or keys go. Please confirm:')}</p>
      <ul>
        ${changes.map((change) => html`<li>${inlineCode(change)}</li>`)}
      </ul>
      <div class="actions">
        <button class="button primary" type="button" data-do="confirm" @click=${() => void this.#save(true)}>${t('Save it')}</button>
        <button class="button" type="button" data-do="cancel" @click=${this.#stay}>${t("Don't save")}</button>
      </div>
    </div>`;
  }

  #leaving(): TemplateResult {
    return html`<div class="box ask" role="alert" data-ac="unsaved">
      <p>${t('%1 has changes that are not saved.', this.#store.file)}</p>
      <div class="actions">
        <button class="button" type="button" data-do="discard" @click=${this.#discard}>${t('Discard them')}</button>
        <button class="button primary" type="button" data-do="stay" @click=${this.#stay}>${t('Keep editing')}</button>
      </div>
    </div>`;
  }

  #foot(): TemplateResult {
    const { isDirty, isSaving, isLocked, isLoading, folder, file } = this.#store;
    return html`<div class="foot">
      <span class="path muted" title=${`${folder}/${file}`}><bdi>${folder ? `${folder}/${file}` : file}</bdi></span>
      <button class="button" type="button" data-do="reload" aria-disabled=${isLoading} @click=${() => this.#store.reload()}>
        ${t('Reload')}<span class="long"> ${t('from disk')}</span>
      </button>
      <button class="button primary" type="button" data-do="save" title=${t('Save (Ctrl+S)')}
        aria-disabled=${!isDirty || isSaving || isLocked} @click=${() => void this.#save()}>
        ${isSaving ? icons.spinner : nothing} ${t('Save')}
      </button>
    </div>`;
  }

  get #textarea(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector('textarea');
  }

  async #save(isConfirmed = false): Promise<void> {
    if (!this.#store.isDirty) return;
    await this.#store.save(isConfirmed);
    await this.updateComplete;
    const question = this.renderRoot.querySelector<HTMLElement>('[data-do="confirm"]');
    if (question) question.focus();
    else this.#textarea?.focus();
  }

  /** Selects a line and brings it into view. */
  #mark(line: number): void {
    const area = this.#textarea;
    if (!area) return;
    const [start, end] = lineRange(area.value, line);
    area.focus();
    area.setSelectionRange(start, end);
    const height = Number.parseFloat(getComputedStyle(area).lineHeight) || 18;
    area.scrollTop = Math.max(0, (line - 3) * height);
  }

  readonly #discard = (): void => {
    this.#store.discard();
    // Discarding may also have closed the settings.
    if (this.isConnected) this.#textarea?.focus();
  };

  readonly #stay = (): void => {
    this.#store.stay();
    this.#textarea?.focus();
  };

  #key(event: KeyboardEvent): void {
    const isSaving = event.key.toLowerCase() === 's' && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (isSaving) {
      event.preventDefault();
      event.stopPropagation();
      void this.#save();
    }
  }

  readonly #fileKey = (event: KeyboardEvent): void => {
    const { files, type } = this.#store;
    const index = files.findIndex((file) => file.type === type);
    const next = files[arrowKeyIndex(event.key, index, files.length) ?? -1];
    if (!next) return;
    event.preventDefault();
    this.#store.open(next.type);
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>('.files [aria-selected="true"]')?.focus(),
    );
  };
}
