/** Marks list items that begin with `[ ]` or `[x]` as tasks. */

import type { MarkdownIt } from 'markdown-it';

const BOX = /^\[([ xX])\](?=[ \t\n])/;

/** Gives such items the class `task`, and `done`; the boxes are put in by `addBoxes`. */
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

/** Puts a box before each task; nobody can tick it. */
export function addCheckboxes(nodes: ParentNode): void {
  for (const item of nodes.querySelectorAll('li.task')) {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.disabled = true;
    // Unlike the property, it stays when the node is copied.
    box.toggleAttribute('checked', item.classList.contains('done'));
    box.setAttribute('aria-label', item.classList.contains('done') ? 'Done' : 'To do');
    const first = item.firstElementChild;
    if (first?.tagName === 'P') first.prepend(box, ' ');
    else item.prepend(box, ' ');
  }
}
