/** Toasts below the panel's header. */

import { t } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { StoreController } from '../controllers/store-controller.ts';
import type { Toast, ToastKind, ToastStore } from '../model/toasts.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';
import { inlineCode } from './inline-text.ts';

const ICONS: Readonly<Record<ToastKind, TemplateResult>> = {
  info: icons.info,
  success: icons.check,
  warning: icons.warning,
  error: icons.warning,
};

/** Whether the upper edge of an element, where its toasts are, can be seen. */
function isOnScreen(element: HTMLElement): boolean {
  const { top, width } = element.getBoundingClientRect();
  return width > 0 && top >= 0 && top < window.innerHeight;
}

export class AcToasts extends LitElement {
  static override properties = { store: { attribute: false } };
  static override styles = [
    base,
    css`
      :host {
        position: absolute;
        inset: 46px 12px auto;
        z-index: 3;
        display: flex;
        flex-direction: column;
        align-items: center;
        gap: 6px;
        pointer-events: none;
      }
      .toast {
        display: flex;
        align-items: center;
        gap: 8px;
        max-width: min(100%, 560px);
        padding: 6px 6px 6px 12px;
        border: 1px solid var(--ac-line);
        border-radius: 8px;
        background: var(--ac-bg);
        box-shadow: 0 4px 16px rgb(0 0 0 / 22%);
        overflow-wrap: anywhere;
        pointer-events: auto;
      }
      @media (prefers-reduced-motion: no-preference) {
        .toast {
          animation: rise 0.16s ease-out;
        }
      }
      .success > svg {
        color: var(--ac-success);
      }
      .warning > svg {
        color: var(--ac-warning);
      }
      .error > svg {
        color: var(--ac-danger);
      }
      .info > svg {
        color: var(--ac-accent);
      }
      progress {
        width: 64px;
        height: 6px;
        accent-color: var(--ac-accent);
      }
      @keyframes rise {
        from {
          opacity: 0;
          transform: translateY(-6px);
        }
      }
    `,
  ];

  declare store: ToastStore;

  constructor() {
    super();
    new StoreController(this, () => [this.store]);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#join();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.store.leave();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has('store')) return;
    changed.get('store')?.leave();
    this.#join();
  }

  #join(): void {
    this.store.isVisible = () => isOnScreen(this);
    this.store.join();
  }

  protected override render(): TemplateResult {
    return html`${repeat(
      this.store.toasts,
      (toast) => toast.id,
      (toast) => this.#toast(toast),
    )}`;
  }

  #toast({ id, kind, message, percent }: Toast): TemplateResult {
    return html`<div class="toast ${kind}" data-ac="toast" data-type=${kind} role=${kind === 'error' ? 'alert' : 'status'}>
      ${ICONS[kind]} <span>${inlineCode(message)}</span>
      ${percent === null ? nothing : html`<progress max="100" value=${percent} aria-label=${t('Done')}></progress>`}
      <button class="icon-button" type="button" aria-label=${t('Close this notice')} @click=${() => this.store.dismiss(id)}>
        ${icons.close}
      </button>
    </div>`;
  }
}
