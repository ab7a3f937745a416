/** The button that commits everything, and the field for the message when it is open. */

import { html, LitElement, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { trapTab } from '../controllers/focus.ts';
import { Popover } from '../controllers/popover.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { legible } from '../model/places.ts';
import type { Session } from '../model/session.ts';
import { commitStyles } from '../styles/commit.ts';
import { popoverStyles } from '../styles/forms.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';

export class AcCommit extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, popoverStyles, commitStyles];

  declare session: Session;
  readonly #popover = new Popover(this, () => this.renderRoot.querySelector('textarea')?.focus());

  constructor() {
    super();
    new StoreController(this, () => [this.session, this.session.commit, this.session.programs]);
    this.addEventListener('keydown', (event) => this.#key(event));
  }

  protected override willUpdate(): void {
    this.hidden = !this.session.commit.isOffered;
  }

  protected override render(): TemplateResult {
    const { isBusy } = this.session.commit;
    return html`<button
        class="icon-button"
        type="button"
        data-ac="commit"
        title="Commit"
        aria-label=${isBusy ? 'Committing …' : 'Commit'}
        aria-haspopup="dialog"
        aria-expanded=${this.#popover.isOpen}
        aria-disabled=${isBusy}
        ?disabled=${!isBusy && this.session.status !== 'ready'}
        @click=${() => {
          this.#popover.isOpen = !this.#popover.isOpen && !isBusy;
          if (this.#popover.isOpen) void this.session.programs.look();
        }}
      >
        ${isBusy ? icons.spinner : icons.commit}
      </button>
      ${this.#popover.isOpen ? this.#form() : ''}`;
  }

  #form(): TemplateResult {
    const { commit } = this.session;
    return html`<form class="popover" role="dialog" aria-label="Commit" @submit=${this.#submit}>
      <textarea rows="3" aria-label="Message of the commit" placeholder="Leave it empty: the model writes the message"
        .value=${live(commit.message)} @input=${(event: Event) => {
          commit.message = (event.target as HTMLTextAreaElement).value;
        }}></textarea>
      <div class="row">
        <span class="muted">Stages and commits every change.</span>
        <button class="button primary" data-ac="commit-all" title="Commit all (Ctrl+Enter)">Commit all</button>
      </div>
      <div role="status">${this.#hooks()} ${this.#denied()}</div>
    </form>`;
  }

  /** What git starts beside itself, before the click that does it. */
  #hooks(): TemplateResult | typeof nothing {
    const { hooks, folder, commands } = this.session.programs.hooks;
    if (!hooks.length && !commands.length) return nothing;
    const place = folder ? ` (${legible(folder)})` : '';
    return html`<p class="runs" data-ac="commit-hooks">Runs ${[...hooks, ...commands].map(legible).join(', ')}${place}.</p>`;
  }

  #denied(): TemplateResult[] {
    return this.session.programs.denied.map(
      ({ kind, name }) => html`<p class="runs row" data-ac="commit-denied">
        <span>The ${kind === 'signing' ? 'signing program' : kind} <bdi>${legible(name)}</bdi> isn't allowed to run.</span>
        <button class="button" type="button" data-ac="commit-allow" aria-label="Allow ${legible(name)} …"
          @click=${() => this.#ask(kind, name)}>Allow …</button>
      </p>`,
    );
  }

  #ask(kind: string, name: string): void {
    this.#popover.close();
    void this.session.programs.ask(kind, name);
  }

  readonly #submit = (event: Event): void => {
    event.preventDefault();
    this.#popover.close();
    void this.session.commit.commit();
  };

  #key(event: KeyboardEvent): void {
    const form = this.renderRoot.querySelector('form');
    if (!form || event.isComposing) return;
    trapTab(event, form);
    if (event.key === 'Escape') {
      event.preventDefault();
      this.#popover.close();
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  }
}
