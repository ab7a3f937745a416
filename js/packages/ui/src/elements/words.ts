/** Words of the server's, for people. */

import { html, type TemplateResult } from 'lit';

/** A sentence, with `code` in it set as code. */
export function withCode(sentence: string): TemplateResult {
  const parts = sentence.split(/`([^`]+)`/);
  return html`${parts.map((part, index) => (index % 2 ? html`<code>${part}</code>` : part))}`;
}

/** Where a key is. */
export function whereWords(where: string): string {
  if (where === 'environment' || where === 'keyring') return `in the ${where}`;
  return where ? `in ${where}` : 'set';
}
