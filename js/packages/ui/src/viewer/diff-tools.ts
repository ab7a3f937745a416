/** Buttons and keys of a diff: unified or side by side, next change, comment and file. */

import { t } from '@jupyter-ac/messages';
import { html, nothing, type TemplateResult } from 'lit';

type Move = (direction: 1 | -1) => void;

export interface DiffActions {
  /** Both sides fit beside each other. */
  readonly isWide: boolean;
  /** Number of comments of the shown file. */
  readonly comments: number;
  /** There is a list of files to step through. */
  readonly hasFiles: boolean;
  choose(isUnified: boolean): void;
  readonly change: Move;
  readonly comment: Move;
  readonly file: Move;
}

const KEY = 'jupyter-ac-diff';
const UNIFIED = 'unified';
/** The choice of this page, for a browser that forbids storage. */
let chosen: string | null = null;

/** Whether the user has chosen unified diffs. */
export function isUnified(): boolean {
  try {
    return (chosen ?? globalThis.localStorage.getItem(KEY)) === UNIFIED;
  } catch {
    return false;
  }
}

export function setUnified(isWanted: boolean): void {
  chosen = isWanted ? UNIFIED : 'side';
  try {
    globalThis.localStorage.setItem(KEY, chosen);
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
}

export function diffTools(actions: DiffActions): TemplateResult {
  return html`<span class="diff-tools" role="group" aria-label=${t('Diff')}>
    ${actions.isWide ? layoutSwitch(actions) : nothing}
    ${pair('change', t('change'), [t('Previous change'), t('Next change')], ['Alt+Up', 'Alt+Down'], actions.change)}
    ${actions.comments ? pair('comment', t('comment (%1)', actions.comments), [t('Previous comment'), t('Next comment')], ['Alt+Shift+Up', 'Alt+Shift+Down'], actions.comment) : nothing}
    ${actions.hasFiles ? pair('file', t('file'), [t('Previous file'), t('Next file')], ['Alt+PageUp', 'Alt+PageDown'], actions.file) : nothing}
  </span>`;
}

/**
 * Handles a key pressed with Alt.
 *
 * @returns whether the key means something
 */
export function diffKey(event: KeyboardEvent, actions: DiffActions): boolean {
  if (event.ctrlKey || event.metaKey) return false;
  const direction = event.key.endsWith('Down') ? 1 : -1;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
    (event.shiftKey ? actions.comment : actions.change)(direction);
  else if ((event.key === 'PageDown' || event.key === 'PageUp') && actions.hasFiles) actions.file(direction);
  else return false;
  return true;
}

function layoutSwitch({ choose }: DiffActions): TemplateResult {
  const isOne = isUnified();
  return html`<button class="small" type="button" data-do="unified" aria-pressed=${isOne} @click=${() => choose(true)}>${t('Unified')}</button>
    <button class="small" type="button" data-do="side-by-side" aria-pressed=${!isOne} @click=${() => choose(false)}>${t('Side by side')}</button>`;
}

function pair(
  what: string,
  label: string,
  [previous, next]: readonly [string, string],
  [up, down]: readonly [string, string],
  move: Move,
): TemplateResult {
  return html`<span class="muted">${label}</span>
    <button class="small" type="button" data-do="previous-${what}" title=${`${previous} (${up})`} aria-label=${previous} @click=${() => move(-1)}>↑</button>
    <button class="small" type="button" data-do="next-${what}" title=${`${next} (${down})`} aria-label=${next} @click=${() => move(1)}>↓</button>`;
}
