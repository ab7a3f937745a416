/** Pane of the elements that the user chooses in a page by clicking them there. */

import { t, tn } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { StoreController } from '../controllers/store-controller.ts';
import * as icons from '../elements/icons.ts';
import type { BrowserStore } from '../model/browser/browser.ts';
import { pictureOf } from '../model/browser/page-items.ts';
import { elementKey } from '../model/browser/page-news.ts';
import type { Selection } from '../model/browser/recorded-rows.ts';
import { shownLine, shownUrl } from '../model/browser/shown-text.ts';
import type { Session } from '../model/session.ts';
import { base } from '../styles/tokens.ts';
import { addToQuestion } from './add-to-question.ts';
import { paneStyles } from './styles.ts';

export class AcBrowserInspect extends LitElement {
  static override properties = { session: { attribute: false }, store: { attribute: false } };
  static override styles = [
    base,
    paneStyles,
    css`
      .element {
        display: flex;
        flex-wrap: wrap;
        gap: 6px 10px;
        align-items: center;
        padding: 8px 12px;
        border-bottom: 1px solid var(--ac-line);
      }
      .words {
        display: flex;
        flex: 1 1 180px;
        flex-direction: column;
        min-width: 0;
      }
      .picture {
        flex: none;
        max-width: 120px;
        max-height: 60px;
        border: 1px solid var(--ac-line);
        border-radius: 4px;
        object-fit: contain;
      }
    `,
  ];

  declare session: Session;
  declare store: BrowserStore;

  constructor() {
    super();
    new StoreController(this, () => [this.store, this.store.elements]);
  }

  protected override render(): TemplateResult {
    const { elements, chosen } = this.store;
    const { isActive, pending, problem, selections, takesPictures, hasPictures } = elements;
    if (!chosen) return html`<p class="none muted">${t('No page is watched. Watch one under “Pages”.')}</p>`;
    return html`<div class="filters">
        <button class="button ${isActive ? '' : 'primary'}" type="button" data-ac="browser-inspect" aria-pressed=${isActive}
          @click=${() => void elements.setActive(!isActive)}>${isActive ? t('Stop choosing') : t('Choose elements')}</button>
        <span class="muted" role="status">${isActive ? t('Click elements in the page; Escape there ends it.') : ''} ${pending ? t('Reading %1 …', tn('%1 element', '%1 elements', pending)) : ''}</span>
        ${
          takesPictures
            ? html`<label title=${t('For models that read images')}><input type="checkbox" data-ac="browser-pictures" .checked=${hasPictures}
              @change=${() => elements.setPictures(!hasPictures)} /> ${t('Add with picture')}</label>`
            : nothing
        }
      </div>
      ${problem ? html`<p class="none bad" role="alert">${problem}</p>` : nothing}
      <div class="scroll">
        ${selections.length ? nothing : html`<p class="none muted">${t('No element is chosen.')}</p>`}
        <ul class="plain">${repeat(
          selections,
          ({ id }) => id,
          (selection) => this.#element(selection),
        )}</ul>
      </div>
      <div class="foot"><span class="muted">${tn('%1 element', '%1 elements', selections.length)}</span><span class="space"></span>
        <button class="button small" type="button" data-ac="browser-clear" ?disabled=${!selections.length} @click=${() => void elements.clear()}>${t('Clear')}</button></div>`;
  }

  #element(selection: Selection): TemplateResult {
    const { id, selector, role, name, tag, words } = selection;
    const picture = pictureOf(this.store.elements.whole(id));
    const label = shownUrl(selector || tag, 120);
    const facts = [role, name && `“${shownLine(name, 80)}”`, !name && words && `“${shownLine(words, 80)}”`];
    return html`<li class="element" data-ac="browser-row" data-kind="element" data-id=${id}>
      ${picture ? html`<img class="picture" src=${picture} alt=${t('Picture of %1', label)} />` : nothing}
      <span class="words">
        <code class="wrap"><bdi>${label}</bdi></code>
        <span class="muted wrap">${facts.filter(Boolean).join(' ') || t('No role and no name')}</span>
      </span>
      <button class="button small" type="button" data-ac="browser-add" aria-label=${t('Add %1 to the conversation', label)}
        @click=${() => void this.#add(selection)}>${icons.check} ${t('Add to conversation')}</button>
    </li>`;
  }

  async #add({ id, selector, tag }: Selection): Promise<void> {
    const { chosen, elements, news } = this.store;
    const target = chosen?.id ?? '';
    const source = shownUrl(chosen?.url ?? '', 200);
    const name = shownLine(selector || tag || 'element', 60);
    const isAdded = await addToQuestion(this.session, 'element', name, () =>
      elements.item(target, id, source),
    );
    if (isAdded) news.leaveOut(elementKey(target, id));
  }
}
