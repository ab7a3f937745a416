/** Page for a folder without a repository: nearby repositories, and `git init` after a confirmation. */

import { t, tNodes } from '@jupyter-ac/messages';
import type { NearbyRepositories, NearbyRepository } from '@jupyter-ac/page/nearby-repositories';
import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { OverlayController } from '../controllers/overlay-stack.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { escapeInvisible } from '../model/file-location.ts';
import type { Session } from '../model/session.ts';
import { noRepositoryStyles } from '../styles/no-repository.ts';
import { noticeStyles } from '../styles/notices.ts';
import { base } from '../styles/tokens.ts';
import * as icons from './icons.ts';
import { inlineCode } from './inline-text.ts';

export class AcNoRepository extends LitElement {
  static override properties = { session: { attribute: false }, transportNote: { attribute: false } };
  static override styles = [base, noticeStyles, noRepositoryStyles];

  declare session: Session;
  /** Note about the transport; '' when there is none or it was closed. */
  declare transportNote: string;
  #wasAsking = false;

  constructor() {
    super();
    this.transportNote = '';
    new StoreController(this, () => [this.session, this.session.noRepository]);
    new OverlayController(
      this,
      () => this.session.noRepository.isAsking,
      () => this.session.noRepository.ask(false),
    );
  }

  protected override render(): TemplateResult {
    const { nearby, isAsking } = this.session.noRepository;
    return isAsking && nearby ? this.#question(nearby) : this.#offers(nearby);
  }

  protected override updated(_changed: PropertyValues): void {
    const { isAsking } = this.session.noRepository;
    if (isAsking === this.#wasAsking) return;
    this.#wasAsking = isAsking;
    // Don't focus the confirm button: a key held too long must not press it.
    const next = isAsking ? 'init-cancel' : 'init';
    this.renderRoot.querySelector<HTMLElement>(`[data-ac="${next}"]`)?.focus();
  }

  #offers(around: NearbyRepositories | null): TemplateResult {
    const { session, transportNote } = this;
    const { problem } = session.noRepository;
    return html`<div class="overlay" role="alert">
      <div class="brand">${icons.branch} ${t('No repository here')}</div>
      <p>
        ${around ? tNodes('%1 lies in no git repository.', folderName(around.folder)) : inlineCode(session.problem)}
      </p>
      ${transportNote ? html`<p class="muted" data-ac="door-note">${inlineCode(transportNote)}</p>` : nothing}
      ${around ? this.#nearby(around) : nothing}
      ${problem && problem !== session.problem ? html`<div class="muted">${inlineCode(problem)}</div>` : nothing}
      ${around || problem ? nothing : html`<div class="muted">${icons.spinner} ${t('Looking for repositories nearby …')}</div>`}
      ${around?.refusal ? html`<div class="muted">${inlineCode(around.refusal)}</div>` : nothing}
      <div class="actions">
        ${around && !around.refusal ? this.#initButton(around) : nothing}
        ${around?.plainRefusal === '' ? this.#plainButton(around) : nothing}
        <button class="button" type="button" @click=${() => session.rpc.retry()}>${icons.refresh} ${t('Look again')}</button>
      </div>
    </div>`;
  }

  #initButton({ folder, above, below }: NearbyRepositories): TemplateResult {
    // Nearby repositories are the primary choice if there are any.
    const isFirst = above.length + below.length === 0;
    return html`<button
      class="button ${isFirst ? 'primary' : ''}"
      type="button"
      data-ac="init"
      title=${`git init ${escapeInvisible(folder)}`}
      @click=${() => this.session.noRepository.ask(true)}
    >
      <span>${tNodes('Initialise a repository in %1', html`<bdi>${escapeInvisible(lastName(folder))}</bdi>`)}&nbsp;…</span>
    </button>`;
  }

  #plainButton({ folder }: NearbyRepositories): TemplateResult {
    const { opening } = this.session.noRepository;
    return html`<button
      class="button"
      type="button"
      data-ac="plain-open"
      title=${t('Edits are applied and can be undone; nothing is staged or committed, and nothing else is written into the folder')}
      aria-disabled=${opening !== ''}
      @click=${() => void this.session.noRepository.openPlain()}
    >
      ${opening === folder ? icons.spinner : nothing} ${t('Work without git')}
    </button>`;
  }

  #nearby({ above, below, isComplete }: NearbyRepositories): TemplateResult {
    const cut = html`<p class="muted">
      ${t('Not all folders inside were looked at; a folder further down shows what lies there.')}
    </p>`;
    return html`<div class="nearby" data-ac="nearby">
      ${above.length ? this.#rows(t('Open the repository around it'), above) : nothing}
      ${below.length ? this.#rows(t('Open a repository inside'), below) : nothing} ${isComplete ? nothing : cut}
    </div>`;
  }

  #rows(title: string, rows: readonly NearbyRepository[]): TemplateResult {
    return html`<p class="title">${title}</p>
      <ul>
        ${rows.map((row) => html`<li>${this.#row(row)}</li>`)}
      </ul>`;
  }

  #row({ path, name }: NearbyRepository): TemplateResult {
    const { opening } = this.session.noRepository;
    return html`<button
      class="button row"
      type="button"
      data-ac="nearby-row"
      data-path=${path}
      title=${escapeInvisible(path)}
      aria-disabled=${opening !== ''}
      @click=${() => void this.session.noRepository.open(path)}
    >
      ${opening === path ? icons.spinner : icons.branch} <bdi>${escapeInvisible(name)}</bdi>
    </button>`;
  }

  /** Confirmation before `git init`: shows the folder and the repositories inside it. */
  #question(around: NearbyRepositories): TemplateResult {
    const { noRepository } = this.session;
    const { isInitialising } = noRepository;
    return html`<div class="overlay" role="alertdialog" aria-labelledby="title" aria-describedby="what" data-ac="init-question">
      <div class="brand" id="title">${icons.branch} ${t('Make a repository?')}</div>
      <div class="words" id="what">
        <p>
          ${tNodes('%1 makes a repository of %2, with all that lies in it. No file is changed, and nothing is committed.', html`<code>git init</code>`, folderName(around.folder))}
        </p>
        ${nested(around)}
      </div>
      <div class="actions">
        <button
          class="button primary"
          type="button"
          data-ac="init-confirm"
          aria-disabled=${isInitialising}
          @click=${() => void noRepository.init()}
        >
          ${isInitialising ? icons.spinner : nothing} ${t('Make a repository')}
        </button>
        <button
          class="button"
          type="button"
          data-ac="init-cancel"
          aria-disabled=${isInitialising}
          @click=${() => noRepository.ask(false)}
        >
          ${t('Cancel')}
        </button>
      </div>
    </div>`;
  }
}

/** Explains what happens to repositories inside the folder. */
function nested({ below, isComplete }: NearbyRepositories): TemplateResult {
  if (!below.length) {
    const found = isComplete
      ? t(
          'No repository was found inside, two levels deep. One that lies deeper stays a repository of its own: git sees it as embedded, and takes none of its files into the new one.',
        )
      : t(
          'Not all folders inside were looked at. A repository in one of them stays a repository of its own: git sees it as embedded, and takes none of its files into the new one.',
        );
    return html`<p class="muted">${found}</p>`;
  }
  const each = t(
    'Each stays a repository of its own: git sees it as embedded, and takes none of its files into the new one.',
  );
  const more = isComplete ? '' : t(' There may be more of them; the same holds for these.');
  return html`<p class="title">${t('Repositories inside')}</p>
    <ul>
      ${below.map(({ name }) => html`<li data-ac="nested-row">${icons.branch} <bdi>${escapeInvisible(name)}</bdi></li>`)}
    </ul>
    <p class="muted">${each}${more}</p>`;
}

function folderName(folder: string): TemplateResult {
  return html`<code class="folder" data-ac="init-folder">${escapeInvisible(folder)}</code>`;
}

function lastName(folder: string): string {
  return folder.slice(folder.lastIndexOf('/') + 1) || folder;
}
