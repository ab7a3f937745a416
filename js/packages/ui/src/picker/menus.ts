/** Menus of the picker: actions on a file, branches, sorting. */

import { t, tn } from '@jupyter-ac/messages';
import { html, nothing, type TemplateResult } from 'lit';
import * as icons from '../elements/icons.ts';
import { escapeInvisible } from '../model/file-location.ts';
import type { BranchChoice } from './changes.ts';
import type { ActionId, FileAction } from './file-actions.ts';
import type { FileSetChoice } from './file-sets.ts';
import { SORT_KEYS, type Sorting, type SortKey } from './sorting.ts';

export function fileMenu(actions: readonly FileAction[], onAct: (id: ActionId) => void): TemplateResult {
  return html`${actions.map(
    ({
      id,
      label,
      keys,
      refusal,
    }) => html`<button class="item" type="button" role="menuitem" tabindex="-1" data-ac="picker-action"
      data-action=${id} aria-disabled=${refusal !== ''} title=${refusal || nothing}
      @click=${() => refusal === '' && onAct(id)}>
      <span class="words">${label}${refusal ? html`<span class="why">${refusal}</span>` : nothing}</span>
      ${keys ? html`<kbd aria-hidden="true">${keys}</kbd>` : nothing}
    </button>`,
  )}`;
}

interface BranchEvents {
  /** Why no branch can be made, and why none can be switched to; '' when they can. */
  readonly newRefusal: string;
  readonly switchRefusal: string;
  onNew(): void;
  onSwitch(name: string): void;
}

export function branchMenu(
  { branches, error }: { readonly branches: readonly BranchChoice[] | null; readonly error: string },
  { newRefusal, switchRefusal, onNew, onSwitch }: BranchEvents,
): TemplateResult {
  const group = (title: string, found: readonly BranchChoice[]) =>
    found.length
      ? html`<p class="group" role="presentation">${title}</p>
        ${found.map(
          ({
            name,
            message,
            isCurrent,
          }) => html`<button class="item" type="button" role="menuitemradio" tabindex="-1" data-ac="branch"
            data-branch=${name} aria-checked=${isCurrent} aria-disabled=${switchRefusal !== '' || isCurrent}
            title=${isCurrent ? t('It is checked out') : switchRefusal || message}
            @click=${() => switchRefusal === '' && !isCurrent && onSwitch(name)}>
            <span class="mark">${isCurrent ? icons.check : nothing}</span><span class="words"><bdi>${escapeInvisible(name)}</bdi></span>
          </button>`,
        )}`
      : nothing;
  return html`<button class="item" type="button" role="menuitem" tabindex="-1" data-ac="branch-new" aria-disabled=${newRefusal !== ''}
      title=${newRefusal || t('It begins at the checked out commit; changes stay')} @click=${() => newRefusal === '' && onNew()}>
      <span class="mark"></span><span class="words">${t('New branch …')}</span>
    </button>
    ${switchRefusal ? html`<p class="why" role="note" data-ac="branch-refusal">${switchRefusal}</p>` : nothing}
    ${branches === null ? html`<p class="why">${t('Reading the branches …')}</p>` : nothing}
    ${error ? html`<p class="why" role="alert">${t('The branches could not be read: %1', error)}</p>` : nothing}
    ${group(t('Local'), branches?.filter(({ isRemote }) => !isRemote) ?? [])}
    ${group(t('Remote'), branches?.filter(({ isRemote }) => isRemote) ?? [])}`;
}

interface SortEvents {
  onKey(key: SortKey): void;
  onExpand(isExpanded: boolean): void;
}

export function sortMenu(sorting: Sorting, { onKey, onExpand }: SortEvents): TemplateResult {
  return html`${SORT_KEYS.map(([key, label, words]) => {
    const isOn = key === sorting.key;
    const title = isOn ? t('%1. Choose it again to reverse the order', words) : words;
    return html`<button class="item" type="button" role="menuitemradio" tabindex="-1" data-ac="sort-key" data-key=${key}
        aria-checked=${isOn} title=${title} @click=${() => onKey(key)}>
        <span class="mark">${isOn ? (sorting.isReversed ? icons.arrowUp : icons.arrowDown) : nothing}</span>
        <span class="words">${label}${isOn && sorting.isReversed ? html`<span class="why">${t('reversed')}</span>` : nothing}</span>
      </button>`;
  })}
    <hr role="separator" />
    <button class="item" type="button" role="menuitem" tabindex="-1" data-ac="expand-all" @click=${() => onExpand(true)}>
      <span class="mark"></span><span class="words">${t('Open all folders')}</span>
    </button>
    <button class="item" type="button" role="menuitem" tabindex="-1" data-ac="collapse-all" @click=${() => onExpand(false)}>
      <span class="mark"></span><span class="words">${t('Close all folders')}</span>
    </button>`;
}

interface SetEvents {
  onSave(): void;
  onLoad(set: FileSetChoice, adds: boolean): void;
  onUpdate(set: FileSetChoice): void;
  onRename(set: FileSetChoice): void;
  onDelete(set: FileSetChoice): void;
}

/** @param ticked number of ticked files */
export function setsMenu(
  { sets, error }: { readonly sets: readonly FileSetChoice[] | null; readonly error: string },
  ticked: number,
  events: SetEvents,
): TemplateResult {
  const small = (set: FileSetChoice, id: string, icon: TemplateResult, label: string, onClick: () => void) =>
    html`<button class="icon-button" type="button" role="menuitem" tabindex="-1" data-ac="set-action" data-action=${id}
      title=${label} aria-label=${`${label}: ${set.name}`} @click=${onClick}>${icon}</button>`;
  return html`<button class="item" type="button" role="menuitem" tabindex="-1" data-ac="set-save" aria-disabled=${ticked === 0}
      @click=${() => ticked > 0 && events.onSave()}>
      <span class="words">${t('Save the ticked files as a set …')}${ticked ? nothing : html`<span class="why">${t('No file is ticked.')}</span>`}</span>
    </button>
    ${sets === null ? html`<p class="why">${t('Reading the sets …')}</p>` : nothing}
    ${error ? html`<p class="why" role="alert">${t('The sets could not be read: %1', error)}</p>` : nothing}
    ${sets?.length ? html`<hr role="separator" />` : nothing}
    ${sets?.map(
      (set) => html`<div class="set" role="none" data-ac="file-set" data-name=${set.name}>
        <button class="item" type="button" role="menuitem" tabindex="-1" data-ac="set-load" title=${t('Tick these files and no others')}
          @click=${() => events.onLoad(set, false)}>
          <span class="words"><bdi>${set.name}</bdi><span class="why">${tn('%1 file', '%1 files', set.paths.length)}</span></span>
        </button>
        ${small(set, 'add', icons.arrowDown, t('Tick these files too'), () => events.onLoad(set, true))}
        ${small(set, 'update', icons.check, t('Put the ticked files into it instead'), () => events.onUpdate(set))}
        ${small(set, 'rename', icons.edit, t('Rename'), () => events.onRename(set))}
        ${small(set, 'delete', icons.trash, t('Forget'), () => events.onDelete(set))}
      </div>`,
    )}`;
}
