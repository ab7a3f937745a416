/** File list of the commit form: staged, changed, new. */

import { t, tn } from '@jupyter-ac/messages';
import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import type { CommitFile, CommitStore, Tick } from '../model/commit.ts';
import { escapeInvisible } from '../model/file-location.ts';

const CHECKED: Readonly<Record<Tick, string>> = { off: 'false', part: 'mixed', on: 'true' };
const LETTERS: Readonly<Record<string, string>> = {
  new: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  conflicted: 'C',
};

const KINDS: Readonly<Record<string, string>> = {
  new: t('new'),
  modified: t('modified'),
  deleted: t('deleted'),
  renamed: t('renamed'),
  conflicted: t('in conflict'),
};

export function commitFiles(store: CommitStore, onShow: (path: string) => void): TemplateResult {
  const { files } = store;
  const staged = files.filter(({ isStaged }) => isStaged);
  const changed = files.filter(({ isStaged, kind }) => !isStaged && kind !== 'new');
  const fresh = files.filter(({ isStaged, kind }) => !isStaged && kind === 'new');
  return html`<div class="scroll commit-files" role="group" aria-label=${t('Files of the commit')} aria-busy=${store.isListing}>
    ${section(store, t('Staged'), staged, onShow)} ${section(store, t('Changed'), changed, onShow)}
    ${section(store, t('New'), fresh, onShow)}
    ${
      files.length || store.refusal
        ? nothing
        : html`<p class="empty muted">${store.isListing ? t('Looking at what has changed …') : t('Nothing has changed since the last commit.')}</p>`
    }
    ${
      store.leftOut
        ? html`<p class="empty muted">${tn('%1 more file is not listed, and not committed.', '%1 more files are not listed, and not committed.', store.leftOut)}</p>`
        : nothing
    }
  </div>`;
}

function section(
  store: CommitStore,
  title: string,
  files: readonly CommitFile[],
  onShow: (path: string) => void,
): TemplateResult | typeof nothing {
  if (!files.length) return nothing;
  const ticked = files.filter((file) => store.tick(file) !== 'off').length;
  return html`<div class="heading">
      <input type="checkbox" aria-label=${t('All of: %1', title)} .checked=${live(ticked === files.length)}
        .indeterminate=${live(ticked > 0 && ticked < files.length)} ?disabled=${files.every((file) => store.isRequired(file))}
        @change=${() => store.toggleAll(files)} />
      <span>${title}</span> <span class="muted number">${ticked}/${files.length}</span>
    </div>
    ${repeat(
      files,
      ({ path }) => path,
      (file) => row(store, file, onShow),
    )}`;
}

function row(store: CommitStore, file: CommitFile, onShow: (path: string) => void): TemplateResult {
  const tick = store.tick(file);
  const name = escapeInvisible(file.path);
  const shown = file.oldPath ? `${escapeInvisible(file.oldPath)} → ${name}` : name;
  return html`<div class="file" data-ac="commit-row" data-path=${file.path} data-checked=${CHECKED[tick]}>
    <input type="checkbox" aria-label=${t('Commit %1%2', shown, tick === 'part' ? t(', the staged part') : '')}
      .checked=${live(tick === 'on')} .indeterminate=${live(tick === 'part')}
      ?disabled=${store.isRequired(file)} @change=${() => store.toggle(file)} />
    ${
      file.files
        ? html`<span class="name"><bdi>${shown}</bdi></span>`
        : html`<button class="name" type="button" data-ac="commit-diff" title=${t('Show what has changed in %1', shown)}
            @click=${() => onShow(file.path)}><bdi>${shown}</bdi></button>`
    }
    ${file.isPartly ? html`<span class="chip">${PARTS[tick]}</span>` : nothing}
    ${file.files ? html`<span class="muted number">${tn('%1 file', '%1 files', file.files)}</span>` : nothing}
    <span class="badge ${LETTERS[file.kind] ?? ''}" title=${KINDS[file.kind] ?? file.kind}>${LETTERS[file.kind]}</span>
    ${file.reason ? html`<span class="reason ${file.isSecret || file.isTicked ? 'secret' : ''}">${file.reason}</span>` : nothing}
  </div>`;
}

const PARTS: Readonly<Record<Tick, string>> = {
  off: t('partly staged'),
  part: t('staged part'),
  on: t('whole file'),
};
