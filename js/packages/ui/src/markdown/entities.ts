/**
 * Replacement of the package `entities`, of which markdown-it uses one function: the browser can decode the
 * entities itself, and the package's table would be a tenth of the bundle.
 */

const reader = document.createElement('textarea');

/** Decodes one `&name;`; returns it unchanged when there is no such entity. */
export function decodeHTMLStrict(reference: string): string {
  reader.innerHTML = reference;
  const { value } = reader;
  // Browsers also decode some names without the semicolon and leave it in the text: not an entity here.
  return value === ';' || !value.endsWith(';') ? value : reference;
}
