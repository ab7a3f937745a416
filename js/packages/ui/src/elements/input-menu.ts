/** The menu above the input: its list, its keys, and what choosing an item does to the text. */

import { t } from '@jupyter-ac/messages';
import { css, html, nothing, type TemplateResult } from 'lit';
import { insertText } from '../controllers/insert-text.ts';
import type { InputMenuStore, MenuItem } from '../model/input-menu.ts';

export const INPUT_MENU_ID = 'input-menu';

export const inputMenuStyles = css`
  .menu {
    position: absolute;
    right: -1px;
    bottom: calc(100% + 4px);
    left: -1px;
    z-index: 2;
    max-height: 260px;
    padding: 4px;
    overflow: auto;
    border: 1px solid var(--ac-edge);
    border-radius: 8px;
    background: var(--ac-bg);
    box-shadow: 0 6px 20px rgb(0 0 0 / 20%);
  }
  .option {
    display: flex;
    gap: 8px;
    align-items: baseline;
    padding: 3px 8px;
    border-radius: 5px;
    cursor: pointer;
  }
  .option[aria-selected='true'] {
    background: var(--ac-tint);
    box-shadow: inset 2px 0 0 var(--ac-accent);
  }
  .option[aria-disabled='true'] {
    cursor: default;
    opacity: 0.6;
  }
  .option .title {
    flex: 0 1 auto;
    min-width: 60px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .option .detail {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    font-size: 12px;
    text-align: right;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .option[data-kind='kernel'] {
    flex-wrap: wrap;
    opacity: 1;
  }
  .option[data-kind='kernel'] .title {
    min-width: 0;
  }
  .option[data-kind='kernel'] .detail {
    flex: 1 1 200px;
    text-align: left;
    white-space: normal;
  }
`;

export function inputMenuTemplate(
  menu: InputMenuStore,
  choose: (item: MenuItem) => void,
): TemplateResult | typeof nothing {
  if (!menu.isOpen) return nothing;
  // Pressing the mouse in the menu must not take the focus from the input.
  return html`<div class="menu" id=${INPUT_MENU_ID} role="listbox" data-ac="input-menu" aria-label=${t('Suggestions')}
    @pointerdown=${(event: Event) => event.preventDefault()}>
    ${menu.items.map(
      (
        item,
        index,
      ) => html`<div class="option" id=${`option-${index}`} role="option" data-ac="input-option" data-kind=${item.kind}
        aria-selected=${index === menu.active} aria-disabled=${item.obstacle !== ''} @click=${() => choose(item)}>
        <span class="title"><bdi>${item.title}</bdi></span>
        <span class="detail muted">${item.obstacle || item.detail}</span>
      </div>`,
    )}
  </div>`;
}

/** Handles a key while the menu is open; returns whether it was one of the menu's. */
export function handleMenuKey(
  event: KeyboardEvent,
  menu: InputMenuStore,
  choose: (item: MenuItem) => void,
): boolean {
  if (!menu.isOpen || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
  const item = menu.items[menu.active];
  if (event.key === 'ArrowDown') menu.move(1);
  else if (event.key === 'ArrowUp') menu.move(-1);
  else if (item && !event.shiftKey && (event.key === 'Enter' || event.key === 'Tab')) choose(item);
  else return false;
  event.preventDefault();
  return true;
}

/** Chooses an item: its text takes the place of what opened the menu. */
export function chooseItem(area: HTMLTextAreaElement, menu: InputMenuStore, item: MenuItem): void {
  const { trigger } = menu;
  if (!trigger || item.obstacle) return;
  if (!item.isKept) menu.close();
  area.focus();
  area.setSelectionRange(trigger.start, trigger.end);
  insertText(area, item.choose());
}
