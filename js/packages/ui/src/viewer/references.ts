/** List of the references of a symbol. */

import { t, tn } from '@jupyter-ac/messages';
import { html, nothing, type TemplateResult } from 'lit';
import { arrowKeyIndex } from '../controllers/focus.ts';
import * as icons from '../elements/icons.ts';
import { type FileLocation, locationLabel } from '../model/file-location.ts';
import type { ViewerStore } from '../model/viewer.ts';

const NONE = { isLoading: false, locations: [], more: 0 } as const;

export function referencesTemplate(store: ViewerStore): TemplateResult {
  const { isLoading, locations, more } = store.references ?? NONE;
  const title = isLoading ? t('Looking for uses …') : tn('%1 use', '%1 uses', locations.length + more);
  return html`<section class="uses" data-ac="uses" aria-label=${t('Uses')}>
    <div class="uses-head">
      <strong role="status">${title}</strong>
      <button class="icon-button" type="button" title=${t('Close the list (Escape)')} aria-label=${t('Close the list')}
        @click=${() => store.closeReferences()}>${icons.close}</button>
    </div>
    <div class="rows" @keydown=${move}>
      ${locations.map((location) => row(store, location))}
      ${more ? html`<p class="muted">${t('… and %1.', tn('%1 more use', '%1 more uses', more))}</p>` : nothing}
    </div>
  </section>`;
}

function row(store: ViewerStore, location: FileLocation): TemplateResult {
  const line = store.references?.texts.get(location.path)?.[location.line - 1]?.trim().slice(0, 200);
  return html`<button class="use" type="button" data-ac="use" data-path=${location.path} data-line=${location.line}
    @click=${() => store.open(location)}>
    <span class="where"><bdi>${locationLabel(location)}</bdi></span>
    ${line ? html`<code class="muted">${line}</code>` : nothing}
  </button>`;
}

function move(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement;
  const rows = [...list.querySelectorAll<HTMLElement>('.use')];
  const at = rows.indexOf((event.target as HTMLElement).closest('.use') as HTMLElement);
  const next = event.altKey ? undefined : rows[arrowKeyIndex(event.key, at, rows.length) ?? -1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
