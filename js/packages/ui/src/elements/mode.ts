/** Switch between code and documents, and the cross-reference (both maps). */

import { RpcMixin } from '@jupyter-ac/link';
import { t } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { arrowKeyIndex } from '../controllers/focus.ts';
import { StoreController } from '../controllers/store-controller.ts';
import type { Mode, ModeStore } from '../model/mode.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';

const MODES: readonly (readonly [Mode, string, string])[] = [
  ['code', t('Code'), t('Work on code: the model sees the map of symbols')],
  ['doc', t('Docs'), t('Work on documents: the model sees the map of headings')],
];

export class AcMode extends RpcMixin(LitElement) {
  static override properties = { session: { attribute: false } };
  static override styles = [
    base,
    css`
      :host {
        display: inline-flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 4px;
        font-size: 11.5px;
      }
      .modes {
        display: inline-flex;
        border: 1px solid var(--ac-line);
        border-radius: 7px;
      }
      button {
        min-height: 22px;
        padding: 0 7px;
        color: var(--ac-muted);
        white-space: nowrap;
      }
      button:hover {
        color: var(--ac-ink);
      }
      .modes [aria-checked='true'] {
        background: var(--ac-raised);
        color: var(--ac-ink);
        font-weight: 600;
      }
      .cross {
        border: 1px dashed var(--ac-edge);
        border-radius: 7px;
      }
      .cross[aria-checked='true'] {
        border: 1px solid var(--ac-accent);
        background: var(--ac-tint);
        color: var(--ac-ink);
      }
      @container (max-width: 479px) {
        .long {
          display: none;
        }
        button {
          padding: 0 5px;
        }
      }
      .indexing {
        display: inline-flex;
        align-items: center;
        gap: 4px;
      }
    `,
  ];

  declare session: Session;

  constructor() {
    super();
    new StoreController(this, () => [this.session.mode, this.session]);
  }

  protected override render(): TemplateResult | typeof nothing {
    const { mode } = this.session;
    if (!mode.isOffered) return nothing;
    const isOff = mode.isSwitching || this.session.status !== 'ready';
    return html`<span class="modes" role="radiogroup" aria-label=${t('Mode')} data-ac="mode-switch" data-mode=${mode.mode} @keydown=${this.#key}>
        ${MODES.map(([name, label, title]) => {
          const isOn = name === mode.mode;
          return html`<button type="button" role="radio" data-mode=${name} title=${title} aria-checked=${isOn}
            aria-disabled=${isOff} tabindex=${isOn ? 0 : -1} @click=${() => this.#choose(name)}>${label}</button>`;
        })}
      </span>
      ${this.#cross(mode, isOff)} ${this.#indexing(mode)}`;
  }

  #cross({ mode, isCrossReferenced }: ModeStore, isOff: boolean): TemplateResult {
    const [other, label, title] =
      mode === 'code'
        ? [
            t('docs'),
            t('Cross-reference: also the map of docs'),
            t('Cross-reference: the model sees the map of docs as well'),
          ]
        : [
            t('code'),
            t('Cross-reference: also the map of code'),
            t('Cross-reference: the model sees the map of code as well'),
          ];
    return html`<button class="cross" type="button" role="switch" data-ac="cross-ref" aria-checked=${isCrossReferenced} aria-disabled=${isOff}
      aria-label=${label} title=${title}
      @click=${() => isOff || void this.session.mode.setCrossReference(!isCrossReferenced)}>+<span class="long"> ${other}</span></button>`;
  }

  /** Unobtrusive: the panel works without the index. */
  #indexing({ indexing, problem }: ModeStore): TemplateResult | typeof nothing {
    if (problem)
      return html`<span class="indexing" data-ac="index-trouble" role="img" aria-label=${problem} title=${problem}>${icons.warning}</span>`;
    if (!indexing) return nothing;
    const percent = indexing.percent ? `${Math.round(indexing.percent)} %` : '';
    return html`<span class="indexing muted" data-ac="indexing" title=${indexing.message} aria-label=${`${indexing.message} ${percent}`} role="img">${icons.spinner} ${percent}</span>`;
  }

  #choose(mode: Mode): void {
    if (!this.session.mode.isSwitching && this.session.status === 'ready')
      void this.session.mode.switchTo(mode);
  }

  readonly #key = (event: KeyboardEvent): void => {
    const names = MODES.map(([name]) => name);
    const buttons = [...this.renderRoot.querySelectorAll<HTMLElement>('[role="radio"]')];
    const at = buttons.indexOf(this.shadowRoot?.activeElement as HTMLElement);
    const next = arrowKeyIndex(event.key, at, names.length);
    if (next === null || next === at) return;
    event.preventDefault();
    buttons[next]?.focus();
    this.#choose(names[next] as Mode);
  };
}
