/** Chips of what goes out with the next question from notebooks and kernels. Loaded on demand. */

import { t, tn } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { arrowKeyIndex } from '../controllers/focus.ts';
import { NotebookMentions } from '../controllers/notebook-mentions.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { ContextChip } from '../model/context-items.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { tokens } from '../model/format.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';
import { urlChipStyles } from '../styles/url-chips.ts';
import * as icons from './icons.ts';

const styles = css`
  .main {
    flex-wrap: wrap;
    row-gap: 0;
  }
  .facts {
    flex: none;
    color: var(--ac-muted);
    white-space: nowrap;
  }
  .chip.adding {
    border-style: dashed;
    background: none;
  }
  .chip.failed .main {
    padding: 3px 4px;
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    text-align: left;
    cursor: pointer;
  }
  .reason {
    flex: 1 1 160px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .refusal {
    margin: 0;
    padding: 0 10px 7px;
    color: var(--ac-danger);
    font-size: 12px;
  }
`;

export class AcContextChips extends LitElement {
  static override properties = { session: { attribute: false }, current: { state: true } };
  static override styles = [base, urlChipStyles, styles];

  declare session: Session;
  /** Key of the chip that Tab goes to; the first one if there is no such chip. */
  declare current: string;
  #hadFocus = false;

  constructor() {
    super();
    this.current = '';
    new StoreController(this, () => [this.session.context]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate('session', null);
  }

  get #isFocused(): boolean {
    return Boolean(this.shadowRoot?.activeElement);
  }

  protected override willUpdate(changed: PropertyValues): void {
    this.#hadFocus = this.#isFocused;
    if (changed.has('session')) this.session.mentions ??= new NotebookMentions(this.session);
  }

  protected override updated(): void {
    if (!this.#hadFocus || this.#isFocused) return;
    // A chip that was tried again and added is another one, the last.
    const last = this.session.context.chips.at(-1);
    if (last) this.#focusChip(last.key);
    else this.dispatchEvent(new CustomEvent('ac-input'));
  }

  protected override render(): TemplateResult {
    const { refusal } = this.session.context;
    const chips = this.#chips;
    const current = chips.some(({ key }) => key === this.current) ? this.current : chips[0]?.key;
    const last = this.session.context.chips.at(-1);
    const announcement = last ? `${escapeInvisible(last.name)}: ${statusText(last)}` : '';
    return html`<span class="announcement" role="status">${announcement}</span>${
      chips.length
        ? html`<div class="chips" role="toolbar" aria-label=${t('Added to the question')} @keydown=${this.#key}>
            ${repeat(
              chips,
              ({ key }) => key,
              (chip) => this.#chip(chip, chip.key === current),
            )}
          </div>`
        : nothing
    }${refusal ? html`<p class="refusal" role="alert" data-ac="context-refusal">${refusal}</p>` : nothing}`;
  }

  /** Failures first: many chips scroll. */
  get #chips(): readonly ContextChip[] {
    const { chips } = this.session.context;
    const hasFailed = ({ state }: ContextChip): boolean => state === 'failed';
    return [...chips.filter(hasFailed), ...chips.filter((chip) => !hasFailed(chip))];
  }

  #chip(chip: ContextChip, isCurrent: boolean): TemplateResult {
    const { key, kind, state } = chip;
    const name = escapeInvisible(chip.name);
    return html`<div
      class="chip ${state}"
      role="group"
      tabindex=${isCurrent ? 0 : -1}
      data-ac="chip"
      data-kind=${kind}
      data-state=${state}
      data-key=${key}
      data-name=${chip.name}
      data-secrets=${chip.secrets}
      aria-label=${`${name}: ${statusText(chip)}`}
      aria-description=${state === 'failed' ? t('Enter tries again, Delete removes it.') : t('Delete removes it.')}
      title=${[`${kind}: ${name}`, escapeInvisible(chip.source), statusText(chip)].filter(Boolean).join('\n')}
      @focusin=${() => {
        this.current = key;
      }}
    >
      ${this.#content(chip, name)}
      <button class="icon-button" type="button" tabindex="-1" data-ac="chip-remove" title=${t("Don't send it")}
        aria-label=${t('Remove %1', name)} @click=${() => this.#remove(key)}>${icons.close}</button>
    </div>`;
  }

  #content(chip: ContextChip, name: string): TemplateResult {
    const label = html`<span class="name"><bdi>${name}</bdi></span>`;
    if (chip.state === 'adding') return html`<span class="main">${icons.spinner} ${label}</span>`;
    if (chip.state === 'failed') {
      return html`<button class="main" type="button" tabindex="-1" data-ac="chip-retry" title=${t('Try again')}
        @click=${() => this.#retry(chip.key)}>${icons.warning} ${label} <span class="reason">${escapeInvisible(chip.error)}</span></button>`;
    }
    return html`<span class="main">${label} <span class="facts number">${facts(chip).join(' · ')}</span></span>`;
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const chips = this.#chips;
    const element = (event.target as HTMLElement).closest<HTMLElement>('.chip');
    const index = chips.findIndex(({ key }) => key === element?.dataset.key);
    const chip = chips[index];
    if (!chip) return;
    const next = arrowKeyIndex(event.key, index, chips.length);
    if (next !== null) this.#focusChip(chips[next]?.key);
    else if (event.key === 'Delete') this.#remove(chip.key);
    else if (event.key === 'Enter' && event.target === element && chip.state === 'failed')
      this.#retry(chip.key);
    else return;
    event.preventDefault();
  };

  /** The pressed button disappears, so the focus moves to its chip. */
  #retry(key: string): void {
    this.#focusChip(key);
    void this.session.context.retry(key);
  }

  /** The focus moves to the chip that takes this one's place, or to the input. */
  #remove(key: string): void {
    const index = this.#chips.findIndex((chip) => chip.key === key);
    void this.session.context.remove(key);
    const next = this.#chips[Math.min(index, this.#chips.length - 1)];
    if (next) this.#focusChip(next.key);
    else this.dispatchEvent(new CustomEvent('ac-input'));
  }

  #focusChip(key: string | undefined): void {
    const chips = [...this.renderRoot.querySelectorAll<HTMLElement>('.chip')];
    chips.find((chip) => chip.dataset.key === key)?.focus();
  }
}

/** Tokens, images and masked secrets. */
function facts({ tokens: count, images, secrets }: ContextChip): string[] {
  return [
    t('%1 tokens', tokens(count)),
    ...(images ? [tn('%1 image', '%1 images', images)] : []),
    ...(secrets ? [tn('%1 secret masked', '%1 secrets masked', secrets)] : []),
  ];
}

function statusText(chip: ContextChip): string {
  if (chip.state === 'adding') return t('being added');
  if (chip.state === 'failed') return chip.error;
  return t('sent with the next question; %1', facts(chip).join(', '));
}
