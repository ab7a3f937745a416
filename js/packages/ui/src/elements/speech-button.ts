/** Button for speech input, where the browser has it; asks once, since the voice may leave the machine. */

import { t } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { isSpeechOffered, SpeechInput } from '../controllers/speech.ts';
import type { Session } from '../model/session.ts';
import { popoverStyles } from '../styles/forms.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';

const ALLOWED_KEY = 'jupyter-ac.speech';

export class AcSpeechButton extends LitElement {
  static override properties = {
    session: { attribute: false },
    isListening: { state: true },
    isAsking: { state: true },
  };
  static override styles = [
    base,
    popoverStyles,
    css`
      .listening {
        color: var(--ac-danger);
      }
      .popover {
        bottom: 42px;
        left: 8px;
        width: min(300px, calc(100% - 16px));
        padding: 10px 12px;
      }
      .buttons {
        display: flex;
        gap: 8px;
      }
    `,
  ];

  declare session: Session;
  declare isListening: boolean;
  /** The question before the first use is shown. */
  declare isAsking: boolean;
  readonly #speech = new SpeechInput({
    heard: (text) => this.dispatchEvent(new CustomEvent('ac-insert', { detail: text })),
    changed: (isListening, problem) => {
      this.isListening = isListening;
      if (problem) this.session.toasts.show('warning', problem);
    },
  });

  constructor() {
    super();
    this.isListening = false;
    this.isAsking = false;
    new OverlayController(
      this,
      () => this.isAsking || this.isListening,
      () => this.#close(),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#speech.stop();
  }

  protected override willUpdate(): void {
    this.hidden = !isSpeechOffered();
  }

  protected override updated(): void {
    if (this.isAsking) this.renderRoot.querySelector<HTMLElement>('.primary')?.focus();
  }

  protected override render(): TemplateResult {
    const words = this.isListening ? t('Stop listening (Escape)') : t('Speak');
    return html`<button class="icon-button ${this.isListening ? 'listening' : ''}" type="button" data-ac="speech"
        title=${words} aria-label=${words} aria-pressed=${this.isListening} @click=${this.#flip}>${icons.microphone}</button>
      <span role="status">${this.isListening ? html`<span class="muted">${t('Listening …')}</span>` : nothing}</span>
      ${this.isAsking ? this.#question() : nothing}`;
  }

  #question(): TemplateResult {
    return html`<div class="popover" role="dialog" aria-label=${t('Speech input')} data-ac="speech-question">
      <p>${t('Your browser recognises speech. Some browsers send your voice to a service of their maker for that.')}</p>
      <span class="buttons">
        <button class="button primary" type="button" data-ac="speech-allow" @click=${this.#allow}>${t('Allow')}</button>
        <button class="button" type="button" @click=${() => this.#close()}>${t('Cancel')}</button>
      </span>
    </div>`;
  }

  readonly #flip = (): void => {
    if (this.#speech.isListening) this.#speech.stop();
    else if (isAllowed()) this.#speech.start();
    else this.isAsking = !this.isAsking;
  };

  readonly #allow = (): void => {
    try {
      localStorage.setItem(ALLOWED_KEY, 'allowed');
    } catch {
      // Without storage the question comes again.
    }
    this.isAsking = false;
    this.#speech.start();
    this.renderRoot.querySelector('button')?.focus();
  };

  #close(): void {
    if (this.isAsking) this.renderRoot.querySelector('button')?.focus();
    this.isAsking = false;
    this.#speech.stop();
  }
}

function isAllowed(): boolean {
  try {
    return localStorage.getItem(ALLOWED_KEY) === 'allowed';
  } catch {
    return false;
  }
}
