/** Pane of the rules for a page's requests: answer, block, delay or pause them by a pattern of addresses. */

import { t, tNodes } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import type { BrowserStore } from '../model/browser/browser.ts';
import { RULE_KINDS, type Rule, type RuleKind } from '../model/browser/fetch-rules.ts';
import { base } from '../styles/tokens.ts';
import { paneStyles } from './styles.ts';

const LABELS: Readonly<Record<RuleKind, string>> = {
  mock: t('Answer with'),
  block: t('Block'),
  delay: t('Delay'),
  pause: t('Pause'),
};

export class AcBrowserRules extends LitElement {
  static override properties = { store: { attribute: false } };
  static override styles = [
    base,
    paneStyles,
    css`
      .rule {
        display: flex;
        flex-wrap: wrap;
        gap: 6px;
        align-items: center;
        padding: 8px 12px;
        border-bottom: 1px solid var(--ac-line);
      }
      .pattern {
        flex: 1 1 110px;
        font-family: var(--ac-mono);
      }
      .ms,
      .status {
        width: 76px;
      }
      .rule textarea {
        flex: 1 1 100%;
        height: 60px;
        padding: 5px 8px;
        font: 12px/1.5 var(--ac-mono);
        resize: vertical;
      }
    `,
  ];

  declare store: BrowserStore;

  constructor() {
    super();
    new StoreController(this, () => [this.store, this.store.interception]);
  }

  protected override render(): TemplateResult {
    const { interception, chosen } = this.store;
    const { rows, problem, isChanged, isSaving, isLoaded } = interception;
    if (!chosen) return html`<p class="none muted">${t('No page is watched. Watch one under “Pages”.')}</p>`;
    return html`<p class="none muted">${tNodes('Rules hold for this page only, before its requests are sent. %1 in a pattern stands for anything. Of several rules for one address, answers come first, then blocks, delays and pauses.', html`<code>*</code>`)}</p>
      <div class="scroll">
        ${rows.map((rule, index) => this.#rule(rule, index))}
        ${isLoaded && !rows.length ? html`<p class="none muted">${t('No rules: no request is touched.')}</p>` : nothing}
      </div>
      ${problem ? html`<p class="none bad" role="alert">${problem}</p>` : nothing}
      <div class="foot">
        <button class="button" type="button" data-ac="browser-rule-add" @click=${this.#add}>${t('Add a rule')}</button>
        <span class="space"></span>
        <span class="muted" role="status">${isChanged ? t('Not set yet') : isLoaded ? t('As set in the page') : ''}</span>
        <button class="button primary" type="button" data-ac="browser-rules-save" ?disabled=${!isChanged} aria-disabled=${isSaving}
          @click=${() => void interception.save()}>${isSaving ? icons.spinner : nothing} ${t('Set the rules')}</button>
      </div>`;
  }

  #rule({ kind, pattern, value, status }: Rule, index: number): TemplateResult {
    const number = index + 1;
    return html`<div class="rule" role="group" aria-label=${t('Rule %1', number)} data-ac="browser-rule" data-kind=${kind}>
      <select aria-label=${t('What rule %1 does', number)} data-field="kind" @change=${this.#take(index, (text) => ({ kind: text as RuleKind }))}>
        ${RULE_KINDS.map((each) => html`<option value=${each} ?selected=${each === kind}>${LABELS[each]}</option>`)}
      </select>
      <input class="pattern" type="text" data-field="pattern" .value=${pattern} placeholder=${t('*/api/*')} spellcheck="false" aria-label=${t('Pattern of rule %1', number)}
        @input=${this.#take(index, (text) => ({ pattern: text }))} />
      ${
        kind === 'delay'
          ? html`<label><input class="ms" type="number" min="0" max="60000" data-field="value" .value=${value} aria-label=${t('Delay of rule %1 in milliseconds', number)}
            @input=${this.#take(index, (text) => ({ value: text }))} /> ${t('ms')}</label>`
          : nothing
      }
      ${
        kind === 'mock'
          ? html`<label>${t('Status')} <input class="status" type="number" min="200" max="599" data-field="status" .value=${String(status)}
            @input=${this.#take(index, (text) => ({ status: Number(text) }))} /></label>`
          : nothing
      }
      <button class="icon-button" type="button" data-ac="browser-rule-remove" title=${t('Remove')} aria-label=${t('Remove rule %1', number)} @click=${() => void this.#remove(index)}>${icons.close}</button>
      ${
        kind === 'mock'
          ? html`<textarea data-field="value" .value=${value} placeholder=${t('Body of the answer')} spellcheck="false" aria-label=${t('Body of the answer of rule %1', number)}
            @input=${this.#take(index, (text) => ({ value: text }))}></textarea>`
          : nothing
      }
    </div>`;
  }

  #take(index: number, change: (text: string) => Partial<Rule>): (event: Event) => void {
    return (event) => this.store.interception.change(index, change((event.target as HTMLInputElement).value));
  }

  readonly #add = async (): Promise<void> => {
    this.store.interception.add();
    await this.updateComplete;
    [...this.renderRoot.querySelectorAll<HTMLElement>('.pattern')].at(-1)?.focus();
  };

  async #remove(index: number): Promise<void> {
    this.store.interception.remove(index);
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('[data-ac="browser-rule-add"]')?.focus();
  }
}
