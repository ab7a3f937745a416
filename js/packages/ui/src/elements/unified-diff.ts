/** Templates of unified diffs of several files; `styles/edits.ts` has the styles of their lines. */

import { t, tNodes, tn } from '@jupyter-ac/messages';
import { css, html, nothing, type TemplateResult } from 'lit';
import type { ShownDiff } from '../model/diff-store.ts';
import { escapeInvisible } from '../model/file-location.ts';
import { grouped } from '../model/format.ts';
import type { FileDiff } from '../model/unified-diff.ts';
import { diffTemplate } from './edit-diff.ts';
import * as icons from './icons.ts';

/** More files than this are folded. */
const MAX_UNFOLDED = 8;
const MAX_FILES = 300;
const MAX_LINES = 1000;
const KINDS: Readonly<Record<FileDiff['kind'], string>> = {
  changed: '',
  new: t('new'),
  deleted: t('deleted'),
  renamed: t('renamed'),
};

export const unifiedDiffStyles = css`
  .changes {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
  }
  .file-diff {
    min-width: 0;
    border: 1px solid var(--ac-line);
    border-radius: var(--ac-radius);
    overflow: hidden;
  }
  .file-diff summary {
    padding: 4px 10px;
    background: var(--ac-surface);
    font-size: 12px;
    cursor: pointer;
    overflow-wrap: anywhere;
  }
  .file-diff summary bdi {
    font-family: var(--ac-mono);
    font-weight: 600;
  }
  .file-diff .added {
    color: var(--ac-success);
  }
  .file-diff .removed {
    color: var(--ac-danger);
  }
  .file-diff > p {
    padding: 4px 10px;
  }
`;

/**
 * A diff as far as it is shown: a folding part for each file.
 *
 * @param name - its `data-ac`; that of its button ends in `-open`
 */
export function shownDiffTemplate(shown: ShownDiff | null, name: string): TemplateResult | typeof nothing {
  if (!shown) return nothing;
  const { isLoading, files, error } = shown;
  return html`<div class="changes" data-ac=${name} role="group" aria-label=${t('Changes')}>
    ${isLoading ? html`<p class="muted" role="status">${icons.spinner} ${t('Loading …')}</p>` : nothing}
    ${error ? html`<p class="bad" role="alert">${error}</p>` : nothing}
    ${!isLoading && !error && !files.length ? html`<p class="muted">${t('Nothing differs.')}</p>` : nothing}
    ${filesTemplate(files)}
  </div>`;
}

/** The button that shows a diff and hides it. */
export function diffButton(
  shown: ShownDiff | null,
  name: string,
  toggle: () => Promise<void>,
): TemplateResult {
  return html`<button class="button" type="button" data-ac=${`${name}-open`} aria-expanded=${shown !== null}
    @click=${() => void toggle()}>${shown ? t('Hide changes') : t('Show changes')}</button>`;
}

function filesTemplate(files: readonly FileDiff[]): TemplateResult {
  const more = files.length - MAX_FILES;
  return html`${files.slice(0, MAX_FILES).map((file) => fileTemplate(file, files.length <= MAX_UNFOLDED))}
    ${more > 0 ? html`<p class="muted">${t('and %1', tn('%1 more file', '%1 more files', more))}</p>` : nothing}`;
}

function fileTemplate(file: FileDiff, isOpen: boolean): TemplateResult {
  const { path, oldPath, kind, added, removed, isBinary, lines } = file;
  const more = lines.length - MAX_LINES;
  return html`<details class="file-diff" data-ac="diff-file" data-path=${path} ?open=${isOpen}>
    <summary><bdi>${escapeInvisible(path)}</bdi>
      ${oldPath ? html`<span class="muted">${tNodes('from %1', html`<bdi>${escapeInvisible(oldPath)}</bdi>`)}</span>` : nothing}
      <span class="muted">${KINDS[kind]}</span>
      <span class="number">${added ? html`<span class="added">+${grouped(added)}</span>` : nothing}
        ${removed ? html`<span class="removed">−${grouped(removed)}</span>` : nothing}</span></summary>
    ${lines.length ? diffTemplate(lines.slice(0, MAX_LINES)) : html`<p class="muted">${isBinary ? t('Not text.') : t('No line differs.')}</p>`}
    ${more > 0 ? html`<p class="muted">${tn('%1 more line', '%1 more lines', more)}</p>` : nothing}
  </details>`;
}
