/** The question whether something may be done in a page, with its two answers; and what is allowed there. */

import { t } from '@jupyter-ac/messages';
import { html, nothing, type TemplateResult } from 'lit';
import * as icons from '../elements/icons.ts';
import type { BrowserStore } from '../model/browser/browser.ts';
import { actionWords } from '../model/browser/consent.ts';
import type { Target } from '../model/browser/recorded-rows.ts';
import { shownLine, shownUrl } from '../model/browser/shown-text.ts';

export function consentQuestion(store: BrowserStore): TemplateResult | typeof nothing {
  const { question } = store.consent;
  if (!question) return nothing;
  const target = store.target(question.target);
  const words = actionWords(question.actions);
  return html`<div class="box ask" role="alertdialog" aria-labelledby="consent" aria-describedby="consent-page" data-ac="browser-consent"
    data-actions=${question.actions.join(' ')}>
    <p id="consent"><strong>${t('Allow %1 in this page until it closes?', words)}</strong></p>
    <p id="consent-page" class="muted wrap"><bdi>${shownLine(target?.title ?? '', 100)}</bdi> <bdi>${shownUrl(target?.url ?? question.target, 160)}</bdi></p>
    <div class="actions">
      <button class="button primary" type="button" data-ac="browser-allow" @click=${() => store.consent.answer(true)}>${t('Allow')}</button>
      <button class="button" type="button" data-ac="browser-refuse" @click=${() => store.consent.answer(false)}>${t('Not now')}</button>
    </div>
  </div>`;
}

export function grantedLine(store: BrowserStore, target: Target): TemplateResult | typeof nothing {
  if (!target.isWatched) return nothing;
  if (target.isLaunched) return html`<p class="muted">${t('Started by you: everything is allowed.')}</p>`;
  if (!target.granted.length)
    return html`<p class="muted">${t('Only watched: nothing is done in this page.')}</p>`;
  const takeBack = async () => store.say(await store.consent.set(target.id, []));
  return html`<p class="granted">${icons.lock} <span class="wrap">${t('Allowed: %1.', actionWords(target.granted))}</span>
    <button class="button small" type="button" data-ac="browser-take-back" @click=${() => void takeBack()}>${t('Take back')}</button></p>`;
}
