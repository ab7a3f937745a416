/** The question above the files: a form with a field, or what is to be confirmed; and the work that follows. */

import { t } from '@jupyter-ac/messages';
import { html, nothing, type ReactiveController, type ReactiveElement, type TemplateResult } from 'lit';
import type { Confirmation } from './file-actions.ts';

/** A question with a field. */
export interface Form {
  readonly title: string;
  readonly value: string;
  readonly button: string;
  /** Resolves to what went wrong; '' for nothing. */
  submit(text: string): Promise<string>;
}

/** What can't be undone. */
export interface Asked extends Confirmation {
  /** Resolves to what went wrong; '' for nothing. */
  confirm(): Promise<string>;
}

export class QuestionController implements ReactiveController {
  #form: Form | null = null;
  #asked: Asked | null = null;
  #error = '';
  #isBusy = false;

  /** @param done - called when the question is answered, cancelled, or its work is done */
  constructor(
    private readonly host: ReactiveElement,
    private readonly done: () => void,
  ) {
    host.addController(this);
  }

  open(form: Form): void {
    this.clear();
    this.#form = form;
    this.host.requestUpdate();
  }

  ask(asked: Asked): void {
    this.clear();
    this.#asked = asked;
    this.host.requestUpdate();
  }

  /** Does work whose failure is shown in the question's place. */
  async run(work: () => Promise<string>): Promise<void> {
    this.#isBusy = true;
    this.host.requestUpdate();
    const error = await work();
    this.#isBusy = false;
    if (error) this.#fail(error);
    else this.close();
  }

  clear(): void {
    this.#form = null;
    this.#asked = null;
    this.#error = '';
  }

  readonly close = (): void => {
    this.clear();
    this.host.requestUpdate();
    this.done();
  };

  /** What can't be undone isn't done by the Enter that opened its question. */
  hostUpdated(): void {
    const field = this.host.renderRoot.querySelector<HTMLElement>(
      'form input, [role="alertdialog"] [data-ac="picker-cancel"]',
    );
    if (!field || field.dataset.seen) return;
    field.dataset.seen = 'true';
    field.focus();
    if (field instanceof HTMLInputElement) field.setSelectionRange(...nameRange(field.value));
  }

  render(): TemplateResult | typeof nothing {
    const error = this.#error
      ? html`<p class="error" role="alert" data-ac="picker-problem">${this.#error}</p>`
      : nothing;
    if (this.#form) return this.#formTemplate(this.#form, error);
    if (this.#asked) return this.#askedTemplate(this.#asked, error);
    return error === nothing ? nothing : html`<div class="box bad">${error}</div>`;
  }

  #formTemplate({ title, value, button }: Form, error: TemplateResult | typeof nothing): TemplateResult {
    return html`<form class="box" data-ac="picker-form" @submit=${this.#submit} @keydown=${this.#onKey}>
      <label>${title}<span class="field"><input name="text" type="text" autocomplete="off" spellcheck="false" .value=${value} /></span></label>
      ${error}
      <div class="actions">
        <button class="button primary" type="submit" data-ac="picker-submit" ?disabled=${this.#isBusy}>${button}</button>
        <button class="button" type="button" data-ac="picker-cancel" @click=${this.close}>${t('Cancel')}</button>
      </div>
    </form>`;
  }

  #askedTemplate({ question, loss, button }: Asked, error: TemplateResult | typeof nothing): TemplateResult {
    return html`<div class="box ask" role="alertdialog" aria-label=${question} data-ac="picker-confirmation" @keydown=${this.#onKey}>
      <p><b>${question}</b></p>
      <p>${loss}</p>
      ${error}
      <div class="actions">
        <button class="button primary" type="button" data-ac="picker-confirm" ?disabled=${this.#isBusy} @click=${this.#confirm}>${button}</button>
        <button class="button" type="button" data-ac="picker-cancel" @click=${this.close}>${t('Cancel')}</button>
      </div>
    </div>`;
  }

  readonly #submit = (event: Event): void => {
    event.preventDefault();
    const form = this.#form;
    const text = this.host.renderRoot.querySelector<HTMLInputElement>('form input')?.value ?? '';
    if (!form || this.#isBusy) return;
    if (text.trim()) void this.run(() => form.submit(text));
    else this.#fail(t('Type a name first.'));
  };

  readonly #confirm = (): void => {
    const asked = this.#asked;
    if (asked && !this.#isBusy) void this.run(() => asked.confirm());
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    this.close();
  };

  #fail(error: string): void {
    this.#error = error;
    this.host.requestUpdate();
  }
}

/** The name without its folder and its extension, which is what a rename usually changes. */
function nameRange(path: string): [start: number, end: number] {
  const start = path.lastIndexOf('/') + 1;
  const dot = path.lastIndexOf('.');
  return [start, dot > start ? dot : path.length];
}
