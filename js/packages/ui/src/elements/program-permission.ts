/** Permission prompt for a program in git's configuration; empty while nothing is asked. */

import { t, tNodes } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { type Program, programKind } from '../model/programs.ts';
import type { Session } from '../model/session.ts';
import { formStyles } from '../styles/forms.ts';
import { programPermissionStyles } from '../styles/program-permission.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';

const SCOPES: Readonly<Record<string, string>> = {
  local: t("this repository's configuration"),
  worktree: t("this working tree's configuration"),
  global: t('your own configuration'),
  system: t("this machine's configuration"),
  command: t('the environment'),
};

export class AcProgramPermission extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, formStyles, programPermissionStyles];

  declare session: Session;
  #asked: Program | null = null;

  constructor() {
    super();
    new StoreController(this, () => [this.session.programs]);
    new OverlayController(
      this,
      () => this.session.programs.question !== null,
      () => this.#cancel(),
    );
  }

  protected override render(): TemplateResult | typeof nothing {
    const { question, waiting, error, isSending } = this.session.programs;
    if (!question) return nothing;
    const { kind, name, command, scope, files, state, reason } = question;
    const words = waiting.length ? t('Allow and stage') : t('Allow');
    return html`<div class="box ask" role="alertdialog" aria-labelledby="title" aria-describedby="what" data-ac="program-question">
      <p id="title">${tNodes('Let the %1 %2 run in this repository?', programKind(kind), html`<bdi>${escapeInvisible(name)}</bdi>`)}</p>
      <div id="what">
        <pre class="command">${command.split('\n').map(escapeInvisible).join('\n')}</pre>
        <p class="muted">${tNodes(
          'From %1%2. %3 You are asked again when the command or one of its files changes.',
          SCOPES[scope] ?? scope,
          state === 'changed' ? html`; ${escapeInvisible(reason)}` : nothing,
          files.length
            ? html`${tNodes('It runs %1 of this repository; look at it first.', html`<bdi>${files.map(escapeInvisible).join(', ')}</bdi>`)}`
            : nothing,
        )}</p>
      </div>
      ${error ? html`<div class="box bad" role="alert">${escapeInvisible(error)}</div>` : nothing}
      <div class="actions">
        <button class="button primary" type="button" data-ac="program-allow" aria-disabled=${isSending}
          @click=${() => void this.session.programs.allow()}>${isSending ? icons.spinner : nothing} ${words}</button>
        <button class="button" type="button" data-ac="program-cancel" @click=${() => this.#cancel()}>${t('Cancel')}</button>
      </div>
    </div>`;
  }

  protected override updated(_changed: PropertyValues): void {
    const { question } = this.session.programs;
    if (question === this.#asked) return;
    const wasAsked = this.#asked !== null;
    this.#asked = question;
    // Don't focus the allow button: a key held too long must not press it.
    if (question) this.renderRoot.querySelector<HTMLElement>('[data-ac="program-cancel"]')?.focus();
    else if (wasAsked) this.dispatchEvent(new CustomEvent('ac-input'));
  }

  #cancel(): void {
    this.session.programs.cancel();
  }
}
