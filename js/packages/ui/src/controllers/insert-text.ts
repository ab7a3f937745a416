/** Types texts into a field for the person, so that Ctrl+Z takes them back. */

/** At the caret, in place of what is selected; the field gets the focus. */
export function insertText(area: HTMLTextAreaElement, text: string): void {
  area.focus();
  // The old way is the only one that the browser's own undo knows of.
  if (document.execCommand?.('insertText', false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}

/** In place of all that the field has; only where it has the focus does the browser's undo know of it. */
export function replaceText(area: HTMLTextAreaElement, text: string): void {
  const isFocused = (area.getRootNode() as Document | ShadowRoot).activeElement === area;
  if (isFocused && document.execCommand) {
    area.select();
    if (document.execCommand(text ? 'insertText' : 'delete', false, text)) return;
  }
  area.value = text;
}
