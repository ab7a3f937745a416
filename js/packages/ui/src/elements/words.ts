/** Sentences from the server, with `code` in them set as code. */

import { html, type TemplateResult } from 'lit';

export function withCode(sentence: string): TemplateResult {
  const parts = sentence.split(/`([^`]+)`/);
  return html`${parts.map((part, index) => (index % 2 ? html`<code>${part}</code>` : part))}`;
}
