/** The dialog that blocks a watched page, with its two answers and the field of a prompt. */

import { t } from '@jupyter-ac/messages';
import { html, nothing, type TemplateResult } from 'lit';
import * as icons from '../elements/icons.ts';
import type { PageDialogStore } from '../model/browser/page-dialog.ts';
import { shownLine, shownLines, shownUrl } from '../model/browser/shown-text.ts';

const TITLES: Readonly<Record<string, string>> = {
  alert: t('The page shows a message, and waits:'),
  confirm: t('The page asks, and waits:'),
  prompt: t('The page asks for a text, and waits:'),
  beforeunload: t('The page asks whether it may be left:'),
};

export function dialogBox(store: PageDialogStore): TemplateResult | typeof nothing {
  const { shown, isBusy, problem } = store;
  if (!shown) return nothing;
  const { target, type, message, proposed } = shown;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const field = (event.currentTarget as HTMLFormElement).elements.namedItem('words');
    void store.answer(true, field instanceof HTMLInputElement ? field.value : '');
  };
  return html`<form class="box ask" role="group" aria-labelledby="dialog-title" aria-describedby="dialog-words" data-ac="browser-dialog" data-type=${type} @submit=${submit}>
    <p id="dialog-title" role="alert"><strong>${TITLES[type] ?? t('The page shows a dialog, and waits:')}</strong></p>
    <p id="dialog-words" class="words wrap"><bdi>${shownLines(message, 1000)}</bdi></p>
    <p class="muted wrap"><bdi>${shownLine(target.title, 100)}</bdi> <bdi>${shownUrl(target.url, 160)}</bdi></p>
    ${type === 'prompt' ? html`<input class="answer" name="words" type="text" aria-label=${t('Answer to the page')} data-ac="browser-dialog-words" .value=${proposed} />` : nothing}
    ${problem ? html`<p class="bad" role="alert">${problem}</p>` : nothing}
    <div class="actions">
      <button class="button primary" type="submit" data-ac="browser-dialog-ok" aria-disabled=${isBusy}>${isBusy ? icons.spinner : nothing} ${t('OK')}</button>
      ${type === 'alert' ? nothing : html`<button class="button" type="button" data-ac="browser-dialog-cancel" aria-disabled=${isBusy} @click=${() => void store.answer(false, '')}>${t('Cancel')}</button>`}
    </div>
  </form>`;
}
