/** Inline formatting of text: code spans, search matches. */

import { t } from '@jupyter-ac/messages';
import { html, type TemplateResult } from 'lit';

/** A sentence with its backtick spans rendered as `<code>`. */
export function inlineCode(sentence: string): TemplateResult {
  const parts = sentence.split(/`([^`]+)`/);
  return html`${parts.map((part, index) => (index % 2 ? html`<code>${part}</code>` : part))}`;
}

/** The text with the first match marked. */
export function highlightMatch(text: string, query: string): TemplateResult {
  const at = query ? text.toLowerCase().indexOf(query.toLowerCase()) : -1;
  if (at < 0) return html`${text}`;
  const end = at + query.length;
  return html`${text.slice(0, at)}<mark>${text.slice(at, end)}</mark>${text.slice(end)}`;
}

/** Label for the source of an API key. */
export function keySourceLabel(where: string): string {
  if (where === 'environment') return t('in the environment');
  if (where === 'keyring') return t('in the keyring');
  return where ? t('in %1', where) : t('set');
}
