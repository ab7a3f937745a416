/** The list of where a name is used. */

import { html, nothing, type TemplateResult } from 'lit';
import { step } from '../controllers/focus.ts';
import * as icons from '../elements/icons.ts';
import { plural } from '../model/format.ts';
import { type Place, placeWords } from '../model/places.ts';
import type { ViewerStore } from '../model/viewer.ts';

const NONE = { isLoading: false, places: [], more: 0 } as const;

export function usesTemplate(store: ViewerStore): TemplateResult {
  const { isLoading, places, more } = store.uses ?? NONE;
  const title = isLoading ? 'Looking for uses …' : plural(places.length + more, 'use');
  return html`<section class="uses" data-ac="uses" aria-label="Uses">
    <div class="uses-head">
      <strong role="status">${title}</strong>
      <button class="icon-button" type="button" title="Close the list (Escape)" aria-label="Close the list"
        @click=${() => store.closeUses()}>${icons.close}</button>
    </div>
    <div class="rows" @keydown=${move}>
      ${places.map((place) => row(store, place))}
      ${more ? html`<p class="muted">… and ${plural(more, 'more use')}.</p>` : nothing}
    </div>
  </section>`;
}

function row(store: ViewerStore, place: Place): TemplateResult {
  const line = store.uses?.texts.get(place.path)?.[place.line - 1]?.trim().slice(0, 200);
  return html`<button class="use" type="button" data-ac="use" data-path=${place.path} data-line=${place.line}
    @click=${() => store.open(place)}>
    <span class="where"><bdi>${placeWords(place)}</bdi></span>
    ${line ? html`<code class="muted">${line}</code>` : nothing}
  </button>`;
}

function move(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement;
  const rows = [...list.querySelectorAll<HTMLElement>('.use')];
  const at = rows.indexOf((event.target as HTMLElement).closest('.use') as HTMLElement);
  const next = event.altKey ? undefined : rows[step(event.key, at, rows.length) ?? -1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
