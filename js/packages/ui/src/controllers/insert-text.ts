/** Types a text into a field for the person. */

/** At the caret, in place of what is selected; Ctrl+Z takes it back where the browser allows. */
export function insertText(area: HTMLTextAreaElement, text: string): void {
  area.focus();
  // The old way is the only one that the browser's own undo knows of.
  if (document.execCommand?.('insertText', false, text)) return;
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
}
