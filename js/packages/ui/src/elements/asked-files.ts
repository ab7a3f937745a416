/** Element at the input: files that were ticked when the question, which is asked anew, was asked first. */

import type { LeftOutFile, QuestionFiles } from '@jupyter-ac/link/rpc';
import { t, tn } from '@jupyter-ac/messages';
import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { StoreController } from '../controllers/store-controller.ts';
import { escapeInvisible } from '../model/file-location.ts';
import type { Session } from '../model/session.ts';
import { fields, list, strings, text } from '../model/wire.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';

/** At most this many files are named; the others are counted. */
const MAX_NAMES = 3;

interface Offer {
  /** What can be ticked and isn't. */
  readonly files: readonly string[];
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
}

const styles = css`
  .offer {
    display: grid;
    grid-template-columns: 1fr auto auto;
    align-items: start;
    gap: 4px 8px;
    margin: 0 4px 6px;
    padding: 4px 4px 4px 10px;
    border: 1px dashed var(--ac-edge);
    border-radius: 8px;
    font-size: 12px;
  }
  .words {
    min-width: 0;
    padding: 2px 0;
    overflow-wrap: anywhere;
  }
  .button {
    padding: 1px 8px;
  }
  @container (max-width: 479px) {
    .offer {
      grid-template-columns: 1fr auto;
    }
    .button {
      grid-row: 2;
      justify-self: start;
      margin-bottom: 2px;
    }
  }
`;

export class AcAskedFiles extends LitElement {
  static override properties = { session: { attribute: false } };
  static override styles = [base, styles];

  declare session: Session;

  constructor() {
    super();
    new StoreController(this, () => {
      const { askedFiles, selection, chat } = this.session;
      return [askedFiles, selection, chat];
    });
  }

  protected override render(): TemplateResult {
    return html`<div role="status">${this.#offer()}</div>`;
  }

  #offer(): TemplateResult | typeof nothing {
    const { askedFiles, selection, chat } = this.session;
    const { current } = askedFiles;
    if (!current || current.sessionId !== chat.sessionId) return nothing;
    const { files, leftOut } = parseOffer(current.raw, (path) => selection.has(path));
    if (!files.length && !leftOut.length) return nothing;
    return html`<div class="offer" data-ac="asked-files">
      <div class="words">
        ${files.length ? html`<p title=${files.map(escapeInvisible).join('\n')}>${offerSentence(files)}</p>` : nothing}
        ${leftOut
          .slice(0, MAX_NAMES)
          .map(
            ({ path, reason }) =>
              html`<p class="muted" data-ac="asked-file-left-out">${t('%1 was ticked, too, and is left out: %2.', escapeInvisible(path), reason)}</p>`,
          )}
        ${leftOut.length > MAX_NAMES ? html`<p class="muted">${tn('… and %1 more is left out.', '… and %1 more are left out.', leftOut.length - MAX_NAMES)}</p>` : nothing}
      </div>
      ${
        files.length
          ? html`<button class="button" type="button" data-ac="asked-files-tick" @click=${() => this.#tick(files)}>${tn('Tick it again', 'Tick them again', files.length)}</button>`
          : nothing
      }
      <button class="icon-button" type="button" data-ac="asked-files-close" title=${t('Leave the ticks as they are')}
        aria-label=${t('Leave the ticks as they are')} @click=${() => this.#close()}>${icons.close}</button>
    </div>`;
  }

  #tick(files: readonly string[]): void {
    const { selection, toasts } = this.session;
    selection.mark(files, true);
    toasts.show('success', tn('%1 file ticked', '%1 files ticked', files.length));
    this.#close();
  }

  /** The pressed button disappears, so the focus moves to the input. */
  #close(): void {
    this.session.askedFiles.set(null);
    this.dispatchEvent(new CustomEvent('ac-input'));
  }
}

function parseOffer(raw: unknown, isTicked: (path: string) => boolean): Offer {
  const offer = fields<QuestionFiles>(raw);
  return {
    files: strings(offer.files).filter((path) => !isTicked(path)),
    leftOut: list(offer.left_out)
      .map(fields<LeftOutFile>)
      .map(({ path, reason }) => ({ path: text(path), reason: text(reason) }))
      .filter(({ path }) => !isTicked(path)),
  };
}

function offerSentence(files: readonly string[]): string {
  const names = files.slice(0, MAX_NAMES).map(escapeInvisible).join(', ');
  const more = files.length - MAX_NAMES;
  return more > 0
    ? t(
        '%1 files were ticked when this was asked, and aren’t now: %2 and %3 more.',
        files.length,
        names,
        more,
      )
    : tn(
        '%1 file was ticked when this was asked, and isn’t now: %2.',
        '%1 files were ticked when this was asked, and aren’t now: %2.',
        files.length,
        names,
      );
}
