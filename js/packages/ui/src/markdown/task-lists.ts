/** markdown-it plugin for task lists: items that begin with `[ ]` or `[x]`. */

import type { MarkdownIt } from 'markdown-it';

const BOX = /^\[([ xX])\](?=[ \t\n])/;

/** Adds the classes `task` and `done`; `addCheckboxes` inserts the checkboxes. */
export function taskListPlugin(md: MarkdownIt): void {
  md.core.ruler.before('inline', 'tasks', ({ tokens }) => {
    tokens.forEach((token, index) => {
      const [item, paragraph] = tokens.slice(Math.max(0, index - 2), index);
      if (token.type !== 'inline' || paragraph?.type !== 'paragraph_open' || item?.type !== 'list_item_open')
        return;
      const box = BOX.exec(token.content)?.[1];
      if (!box) return;
      item.attrSet('class', box === ' ' ? 'task' : 'task done');
      token.content = token.content.slice(4);
    });
  });
}

/** Inserts a disabled checkbox before each task. */
export function addCheckboxes(nodes: ParentNode): void {
  for (const item of nodes.querySelectorAll('li.task')) {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.disabled = true;
    // The attribute, unlike the property, is copied with the node.
    box.toggleAttribute('checked', item.classList.contains('done'));
    box.setAttribute('aria-label', item.classList.contains('done') ? 'Done' : 'To do');
    const first = item.firstElementChild;
    if (first?.tagName === 'P') first.prepend(box, ' ');
    else item.prepend(box, ' ');
  }
}
