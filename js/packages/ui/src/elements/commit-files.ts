/** File list of the commit form: staged, changed, new. */

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

export function commitFiles(store: CommitStore, onShow: (path: string) => void): TemplateResult {
  const { files } = store;
  const staged = files.filter(({ isStaged }) => isStaged);
  const changed = files.filter(({ isStaged, kind }) => !isStaged && kind !== 'new');
  const fresh = files.filter(({ isStaged, kind }) => !isStaged && kind === 'new');
  return html`<div class="scroll commit-files" role="group" aria-label="Files of the commit" aria-busy=${store.isListing}>
    ${section(store, 'Staged', staged, onShow)} ${section(store, 'Changed', changed, onShow)}
    ${section(store, 'New', fresh, onShow)}
    ${
      files.length || store.refusal
        ? nothing
        : html`<p class="empty muted">${store.isListing ? 'Looking at what has changed …' : 'Nothing has changed since the last commit.'}</p>`
    }
    ${
      store.leftOut
        ? html`<p class="empty muted">${store.leftOut.toLocaleString('en')} more files are not listed, and not committed.</p>`
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
      <input type="checkbox" aria-label="All of: ${title}" .checked=${live(ticked === files.length)}
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
    <input type="checkbox" aria-label="Commit ${shown}${tick === 'part' ? ', the staged part' : ''}"
      .checked=${live(tick === 'on')} .indeterminate=${live(tick === 'part')}
      ?disabled=${store.isRequired(file)} @change=${() => store.toggle(file)} />
    ${
      file.files
        ? html`<span class="name"><bdi>${shown}</bdi></span>`
        : html`<button class="name" type="button" data-ac="commit-diff" title="Show what has changed in ${shown}"
            @click=${() => onShow(file.path)}><bdi>${shown}</bdi></button>`
    }
    ${file.isPartly ? html`<span class="chip">${PARTS[tick]}</span>` : nothing}
    ${file.files ? html`<span class="muted number">${file.files.toLocaleString('en')} ${file.files === 1 ? 'file' : 'files'}</span>` : nothing}
    <span class="badge ${LETTERS[file.kind] ?? ''}" title=${file.kind}>${LETTERS[file.kind]}</span>
    ${file.reason ? html`<span class="reason ${file.isSecret || file.isTicked ? 'secret' : ''}">${file.reason}</span>` : nothing}
  </div>`;
}

const PARTS: Readonly<Record<Tick, string>> = {
  off: 'partly staged',
  part: 'staged part',
  on: 'whole file',
};
