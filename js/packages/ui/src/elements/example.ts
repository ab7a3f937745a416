/** Element of the tour's recorded example: its questions, and what resets and removes it. */

import { t } from '@jupyter-ac/messages';
import { html, LitElement, nothing, type PropertyValues, svg, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import { ExampleStore, type Intent, type RecordedQuestion } from '../model/example.ts';
import type { Session } from '../model/session.ts';
import { exampleStyles } from '../styles/example.ts';
import { base } from '../styles/tokens.ts';
import { openSettings } from './header.ts';
import * as icons from './icons.ts';
import { inlineCode } from './inline-text.ts';

const PLAY = html`<svg width="14" height="14" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
  ${svg`<path d="M4.500 2.800v10.400a.6.6 0 0 0 .9.5l8-5.200a.6.6 0 0 0 0-1l-8-5.200a.6.6 0 0 0-.9.500Z"/>`}
</svg>`;

export class AcExample extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, exampleStyles];

  declare session: Session;
  #store: ExampleStore | null = null;
  #intent: Intent = '';

  constructor() {
    super();
    new StoreController(this, () => [this.#example, this.session]);
  }

  get #example(): ExampleStore {
    this.#store ??= new ExampleStore(this.session);
    return this.#store;
  }

  protected override render(): TemplateResult | typeof nothing {
    const example = this.#example;
    this.toggleAttribute('data-shown', example.isShown);
    if (!example.isShown) return nothing;
    const { offered } = example;
    return html`<section class=${example.isFirst ? '' : 'later'} aria-label=${t('Recorded example')} data-ac="example">
      <h4>${t('Recorded example')}</h4>
      ${example.isFirst ? this.#introduction() : nothing}
      ${offered.length ? html`<ol>${offered.map((question) => html`<li>${this.#row(question)}</li>`)}</ol>` : this.#end()}
      ${example.intent ? this.#question(example.intent) : this.#actions()}
    </section>`;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#store?.dispose();
    this.#store = null;
  }

  protected override updated(_changed: PropertyValues): void {
    const { intent } = this.#example;
    if (intent === this.#intent) return;
    this.#intent = intent;
    // What changes nothing has the focus.
    const next = intent ? 'example-keep' : 'example-play';
    this.renderRoot.querySelector<HTMLElement>(`[data-ac="${next}"]`)?.focus();
  }

  #introduction(): TemplateResult {
    return html`<p class="muted">
      ${t('Three questions about this sample. Their answers were written by us, not by a model: no key, nothing is sent, nothing is paid. What happens with them is real: edits are made in the files and staged, and you can undo and commit them.')}
    </p>`;
  }

  #end(): TemplateResult {
    return html`<p class="muted">
      ${t('These were all three. What you ask yourself is answered by the model that the header names.')}
    </p>`;
  }

  #row(question: RecordedQuestion): TemplateResult {
    const example = this.#example;
    const { model } = example;
    return html`<button class="button play" type="button" data-ac="example-play" data-question=${question.id}
        aria-disabled=${!example.canAsk} title=${t('Play the recorded answer to: %1', question.question)} @click=${() => this.#play(question)}>
        <span class="icon">${PLAY}</span>
        <span class="words"><b>${question.label}</b><span class="muted">${inlineCode(question.question)}</span></span>
      </button>
      ${
        model
          ? html`<button class="button ask" type="button" data-ac="example-ask" aria-disabled=${!example.canAsk}
              title=${t('Ask %1', model)} aria-label=${t('Ask the model %1: %2', model, question.question)}
              @click=${() => this.#ask(question)}>${t('Ask the model')}</button>`
          : nothing
      }`;
  }

  /** The focus moves to the input, since the example is hidden while an answer runs. */
  #play(question: RecordedQuestion): void {
    if (!this.#example.canAsk) return;
    this.dispatchEvent(new CustomEvent('ac-played', { bubbles: true, composed: true }));
    void this.#example.play(question);
  }

  #ask(question: RecordedQuestion): void {
    if (!this.#example.canAsk) return;
    this.dispatchEvent(new CustomEvent('ac-played', { bubbles: true, composed: true }));
    void this.#example.ask(question);
  }

  #actions(): TemplateResult {
    const example = this.#example;
    return html`<div class="actions">
      ${
        example.model || !this.session.settings.offers('models')
          ? nothing
          : html`<button class="link" type="button" data-ac="example-model"
              @click=${() => openSettings(this, 'models')}>${t('Use a real model …')}</button>`
      }
      ${
        example.changedFiles.length
          ? html`<button class="link" type="button" data-ac="example-reset" aria-disabled=${!example.canAsk}
              @click=${() => example.canAsk && example.intend('reset')}>${t('Reset the example …')}</button>`
          : nothing
      }
      <button class="link" type="button" data-ac="example-remove" aria-disabled=${!example.canAsk}
        @click=${() => example.canAsk && example.intend('remove')}>${t('Remove the example …')}</button>
    </div>`;
  }

  #question(intent: Intent): TemplateResult {
    const example = this.#example;
    const isReset = intent === 'reset';
    const files = example.changedFiles.map((path) => `\`${path}\``).join(', ');
    const words = isReset
      ? t('Write %1 as at the start? Other changes to these files are lost.', files)
      : t(
          'Remove the example? Conversations that hold recorded answers only are deleted, files stay as they are.',
        );
    return html`<div class="ask-first" role="group" aria-label=${isReset ? t('Reset the example') : t('Remove the example')}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        example.intend('');
      }}>
      <p>${inlineCode(words)}</p>
      <div class="actions">
        <button class="button" type="button" data-ac="example-keep" @click=${() => example.intend('')}>${t('Keep')}</button>
        <button class="button" type="button" data-ac="example-confirm" aria-disabled=${example.isBusy}
          @click=${() => void example.confirm()}>
          ${example.isBusy ? icons.spinner : nothing} ${isReset ? t('Reset') : t('Remove')}
        </button>
      </div>
    </div>`;
  }
}
