/**
 * Stands in for the package `entities`, of which markdown-it uses one function: the browser knows the
 * two thousand names as well, and their table would be a tenth of what the page loads.
 */

const reader = document.createElement('textarea');

/** The characters that one `&name;` stands for; itself when there is no such name. */
export function decodeHTMLStrict(reference: string): string {
  reader.innerHTML = reference;
  const { value } = reader;
  // A browser also takes some names without their semicolon, which is left then.
  return value === ';' || !value.endsWith(';') ? value : reference;
}
