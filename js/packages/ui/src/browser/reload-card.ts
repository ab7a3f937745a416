/** Card at the input after edits: reload the page, look for new errors, ask to fix them. */

import { t, tn } from '@jupyter-ac/messages';
import { css, html, nothing, type TemplateResult } from 'lit';
import * as icons from '../elements/icons.ts';
import type { ReloadCheckStore } from '../model/browser/reload-check.ts';
import { shownLine, shownUrl } from '../model/browser/shown-text.ts';

const MAX_LISTED = 8;

export const reloadCardStyles = css`
  .reload {
    margin: 0 8px 7px;
    font-size: 12px;
  }
  .reload svg {
    display: inline-block;
    vertical-align: -3px;
  }
  /* The close button stays at the top right, however often the others wrap. */
  .reload .head {
    position: relative;
    display: flex;
    flex-wrap: wrap;
    gap: 4px 8px;
    align-items: center;
    min-height: 26px;
    padding-right: 28px;
  }
  .reload .head .icon-button {
    position: absolute;
    top: 0;
    right: -6px;
  }
  .reload .head p {
    flex: 1 1 160px;
    min-width: 0;
  }
  .box.ask {
    margin: 0 8px 7px;
    font-size: 12px;
  }
  .button.small {
    min-height: 24px;
    padding: 1px 9px;
    font-size: 12px;
  }
`;

export function reloadCard(store: ReloadCheckStore): TemplateResult | typeof nothing {
  const { step, page, fresh } = store;
  if (step === 'none') return nothing;
  const title = shownLine(page?.title ?? '', 60) || shownUrl(page?.url ?? '', 60);
  const look = step === 'done' ? (fresh.length ? 'bad' : 'good') : step === 'failed' ? 'bad' : '';
  return html`<section class="box reload ${look}" aria-label=${t('The page after the edits')} data-ac="browser-reload-card" data-step=${step} data-new=${fresh.length}>
    <div class="head">
      <p role="status">${words(store)} <bdi class="muted">${title}</bdi></p>
      ${buttons(store)}
      <button class="icon-button" type="button" title=${t('Close')} aria-label=${t('Close the offer to reload')} @click=${() => store.dismiss()}>${icons.close}</button>
    </div>
    ${
      fresh.length
        ? html`<ul>${fresh.slice(0, MAX_LISTED).map(({ kind, name }) => html`<li>${kind}: <bdi>${shownLine(name, 120)}</bdi></li>`)}
          ${fresh.length > MAX_LISTED ? html`<li>${t('and %1 more', fresh.length - MAX_LISTED)}</li>` : nothing}</ul>`
        : nothing
    }
    ${store.problem ? html`<p role="alert">${store.problem}</p>` : nothing}
  </section>`;
}

function words({ step, fresh, again }: ReloadCheckStore): TemplateResult | string {
  switch (step) {
    case 'offered':
      return t('Files were edited. Reload the page and look for new errors?');
    case 'checking':
      return html`${icons.spinner} ${t('Reloading the page …')}`;
    case 'failed':
      return html`${icons.warning} ${t('The page was not checked.')}`;
    default: {
      const old = again
        ? tn('; %1 error of before is still there', '; %1 errors of before are still there', again)
        : '';
      return fresh.length
        ? html`${icons.warning} ${t('%1 after the reload%2.', tn('%1 new error', '%1 new errors', fresh.length), old)}`
        : html`${icons.check} ${t('No new errors%1.', old)}`;
    }
  }
}

function buttons(store: ReloadCheckStore): TemplateResult | typeof nothing {
  const { step, fresh } = store;
  if (step === 'offered' || step === 'failed') {
    return html`<button class="button small primary" type="button" data-ac="browser-reload-check" @click=${() => void store.check()}>${t('Reload the page and look for new errors')}</button>`;
  }
  if (step !== 'done') return nothing;
  if (!fresh.length)
    return html`<button class="button small" type="button" data-ac="browser-reload-check" @click=${() => void store.check()}>${t('Look again')}</button>`;
  return html`<button class="button small primary" type="button" data-ac="browser-fix" @click=${() => void store.fix()}>${t('Fix these')}</button>`;
}
