/** Inserts text into a field such that the browser's undo (Ctrl+Z) works. */

/** Replaces the selection, and focuses the field. */
export function insertText(area: HTMLTextAreaElement, text: string): void {
  area.focus();
  // `execCommand` is deprecated, but the only way that the browser's undo records.
  if (document.execCommand?.('insertText', false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Replaces the whole text; undo works only while the field has the focus. */
export function replaceText(area: HTMLTextAreaElement, text: string): void {
  const isFocused = (area.getRootNode() as Document | ShadowRoot).activeElement === area;
  if (isFocused && document.execCommand) {
    area.select();
    if (document.execCommand(text ? 'insertText' : 'delete', false, text)) return;
  }
  area.value = text;
}
