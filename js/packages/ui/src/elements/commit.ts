/** Commit button, and the commit form in a popover. */

import { t, tNodes, tn } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { trapTab } from '../controllers/focus.ts';
import { Popover } from '../controllers/popover.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { programKind } from '../model/programs.ts';
import type { Session } from '../model/session.ts';
import { commitStyles } from '../styles/commit.ts';
import { formStyles, popoverStyles } from '../styles/forms.ts';
import { base } from '../styles/tokens.ts';
import { commitFiles } from './commit-files.ts';
import * as icons from './icons.ts';
import { openLocation } from './location-links.ts';

export class AcCommit extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, formStyles, popoverStyles, commitStyles];

  declare session: Session;
  #wasOpen = false;
  readonly #popover = new Popover(this, () => this.renderRoot.querySelector('textarea')?.focus());

  constructor() {
    super();
    new StoreController(this, () => [this.session, this.session.commit, this.session.programs]);
    this.addEventListener('keydown', (event) => this.#key(event));
  }

  protected override willUpdate(): void {
    const { commit } = this.session;
    this.hidden = !commit.isOffered;
    // A command opens the form by its store, which closes it after a commit.
    if (commit.isOpen && !this.#wasOpen) this.#popover.isOpen = true;
    this.#wasOpen = commit.isOpen;
    if (this.#popover.isOpen && !commit.isOpen) this.#popover.close();
  }

  protected override updated(): void {
    // A press outside has closed the popover.
    if (this.session.commit.isOpen && !this.#popover.isOpen) this.session.commit.open(false);
  }

  protected override render(): TemplateResult {
    const { isBusy } = this.session.commit;
    return html`<button
        class="icon-button"
        type="button"
        data-ac="commit"
        title=${isBusy || this.session.status === 'ready' ? t('Commit') : t('Commit: when the panel is ready, and no answer is being made')}
        aria-label=${isBusy ? t('Committing …') : t('Commit')}
        aria-haspopup="dialog"
        aria-expanded=${this.#popover.isOpen}
        ?disabled=${!isBusy && this.session.status !== 'ready'}
        @click=${() => this.#toggle(!this.#popover.isOpen)}
      >
        ${isBusy ? icons.spinner : icons.commit}
      </button>
      ${this.#popover.isOpen ? this.#form() : ''}`;
  }

  #toggle(isOpen: boolean): void {
    this.#popover.isOpen = isOpen;
    this.session.commit.open(isOpen);
    if (isOpen) void this.session.programs.refresh();
  }

  #form(): TemplateResult {
    const { commit } = this.session;
    return html`<div class="popover" role="dialog" aria-label=${t('Commit')} data-ac="commit-form"><form @submit=${this.#submit}>
      ${this.#operation()}
      ${commitFiles(commit, (path) => openLocation(this, { path, line: 0, col: 0, isDiff: true }))}
      ${this.#message()} ${this.#secrets()}
      <div role="status" class="status">
        ${commit.refusal ? html`<p class="runs">${commit.refusal}</p>` : nothing}
        ${commit.error ? html`<p class="runs bad" data-ac="commit-error">${commit.error}</p>` : nothing}
        ${this.#hooks()} ${this.#denied()}
      </div>
      ${this.#undo()}
    </form></div>`;
  }

  #operation(): TemplateResult | typeof nothing {
    const { operation } = this.session.commit;
    if (!operation) return nothing;
    return html`<p class="runs">${t('A %1 is under way: its commit takes everything that git tracks.', operation)}</p>`;
  }

  #message(): TemplateResult {
    const { commit } = this.session;
    const isWriting = commit.writing !== '';
    const { count } = commit;
    const words = count ? tn('Commit %1 file', 'Commit %1 files', count) : t('Commit');
    return html`<textarea rows="4" aria-label=${t('Message of the commit')} data-ac="commit-message" ?readonly=${isWriting}
        placeholder=${t('What does the commit do?')} aria-busy=${isWriting}
        .value=${live(commit.message)} @input=${(event: Event) =>
          commit.edit((event.target as HTMLTextAreaElement).value)}></textarea>
      ${
        commit.isRecorded
          ? html`<p class="runs" data-ac="commit-recorded">${t('Recorded message of the example: no model has written it.')}</p>`
          : nothing
      }
      <div class="row">
        <button class="button" type="button" data-ac="commit-write" data-state=${isWriting ? 'writing' : 'idle'}
          ?disabled=${!isWriting && (commit.noModel !== '' || !count || commit.refusal !== '')}
          title=${commit.noModel || t('The model reads the differences of the ticked files, but of no likely secret')}
          @click=${() => void (isWriting ? commit.stop() : commit.write())}>
          ${isWriting ? html`${icons.stop} ${t('Stop writing')}` : t('Write the message')}
        </button>
        ${
          commit.replacedMessage && !isWriting
            ? html`<button class="button" type="button" data-ac="commit-restore" title=${commit.replacedMessage}
                @click=${() => commit.restore()}>${t('Restore my message')}</button>`
            : nothing
        }
        <span class="space"></span>
        <button class="button primary" data-ac="commit-submit" title=${t('%1 (Ctrl+Enter)', words)}
          ?disabled=${isWriting || commit.refusal !== ''} aria-disabled=${commit.isBusy}>
          ${commit.isBusy ? html`${icons.spinner} ${t('Committing …')}` : words}
        </button>
      </div>`;
  }

  /** Confirmation for files that look like secrets. */
  #secrets(): TemplateResult | typeof nothing {
    const { commit } = this.session;
    if (!commit.secrets.length) return nothing;
    return html`<div class="box ask" role="alert" data-ac="commit-secrets">
      <p>${t('Nothing was committed. These look like secrets, which everybody who gets the repository could read:')}</p>
      <ul>${commit.secrets.map((path) => html`<li><bdi>${escapeInvisible(path)}</bdi></li>`)}</ul>
      <div class="actions">
        <button class="button" type="button" data-ac="commit-secrets-out" @click=${() => commit.leaveSecretsOut()}>${t('Leave them out')}</button>
        <button class="button" type="button" data-ac="commit-secrets-in" @click=${() => void commit.commit(true)}>${t('Commit them, too')}</button>
      </div>
    </div>`;
  }

  #undo(): TemplateResult | typeof nothing {
    const { undo, isBusy } = this.session.commit;
    if (!undo) return nothing;
    return html`<div class="row undo">
      <span class="muted last">${t('Last commit:')} <code>${undo.shortSha}</code> ${escapeInvisible(undo.subject)}</span>
      <button class="button" type="button" data-ac="commit-undo" aria-disabled=${isBusy}
        title=${t("The commit is taken back, what it changed stays and is staged. It isn't pushed yet.")}
        @click=${() => void this.session.commit.undoCommit()}>${t('Undo commit')}</button>
    </div>`;
  }

  /** Programs that the commit will run, shown before it. */
  #hooks(): TemplateResult | typeof nothing {
    const { hooks, folder, commands } = this.session.programs.hooks;
    if (!hooks.length && !commands.length) return nothing;
    const location = folder ? ` (${escapeInvisible(folder)})` : '';
    return html`<p class="runs" data-ac="commit-hooks">${t('Runs %1%2.', [...hooks, ...commands].map(escapeInvisible).join(', '), location)}</p>`;
  }

  #denied(): TemplateResult[] {
    return this.session.programs.denied.map(
      ({ kind, name }) => html`<p class="runs row" data-ac="commit-denied">
        <span>${tNodes("The %1 %2 isn't allowed to run.", programKind(kind), html`<bdi>${escapeInvisible(name)}</bdi>`)}</span>
        <button class="button" type="button" data-ac="commit-allow" aria-label=${t('Allow %1 …', escapeInvisible(name))}
          @click=${() => this.#ask(kind, name)}>${t('Allow …')}</button>
      </p>`,
    );
  }

  #ask(kind: string, name: string): void {
    this.#close();
    void this.session.programs.ask(kind, name);
  }

  #close(): void {
    this.session.commit.open(false);
    this.#popover.close();
  }

  readonly #submit = (event: Event): void => {
    event.preventDefault();
    void this.session.commit.commit();
  };

  #key(event: KeyboardEvent): void {
    const form = this.renderRoot.querySelector('form');
    if (!form || event.isComposing) return;
    trapTab(event, form);
    if (event.key === 'Escape') {
      event.preventDefault();
      if (this.session.commit.writing) void this.session.commit.stop();
      else this.#close();
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      form.requestSubmit();
    }
  }
}
