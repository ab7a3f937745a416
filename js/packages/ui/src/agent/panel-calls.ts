/** Over all views: what panels want to do and ask the user about. */

import { t } from '@jupyter-ac/messages';
import { css, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { html } from 'lit/static-html.js';
import { StoreController } from '../controllers/store-controller.ts';
import { escapeInvisible } from '../model/file-location.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';
import { questionTag } from './tool-calls.ts';

export class AcPanelCalls extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [
    base,
    css`
      :host {
        position: absolute;
        inset: auto 8px 8px;
        z-index: 3;
        display: grid;
        gap: 6px;
        max-height: 80%;
        overflow: auto;
        pointer-events: none;
      }
      section {
        border: 1px solid color-mix(in srgb, var(--ac-warning) 50%, var(--ac-bg));
        border-radius: 8px;
        background: var(--ac-bg);
        box-shadow: 0 4px 16px rgb(0 0 0 / 22%);
        overflow: hidden;
        pointer-events: auto;
      }
      h2 {
        padding: 4px 10px;
        font-size: 12px;
      }
    `,
  ];

  declare session: Session;

  constructor() {
    super();
    new StoreController(this, () => {
      const { agent } = this.session;
      return [this.session, ...(agent ? [agent, agent.panelCalls] : [])];
    });
  }

  protected override render(): TemplateResult | typeof nothing {
    const { agent } = this.session;
    const waiting = agent?.panelCalls.waiting ?? [];
    return html`${repeat(
      waiting,
      ({ requestId, call }) => `${requestId} ${call.id}`,
      ({ requestId, panel, call }) => html`<section data-ac="panel-call" data-tool=${call.tool || nothing}
        aria-label=${t('Asked by the panel %1', panel)}>
        <h2>${t('Panel: %1', escapeInvisible(panel))}</h2>
        <${questionTag} .agent=${agent} .requestId=${requestId} .call=${call} .asksReason=${false}></${questionTag}>
      </section>`,
    )}`;
  }
}
