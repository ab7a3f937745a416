/** Arguments and results of tools as shown: plain text without invisible characters. Pure. */

import { escapeInvisible } from '../file-location.ts';

/** Text with line ends and tabs kept, and other invisible characters escaped. */
export function shownOutput(output: string): string {
  return output
    .replaceAll('\r\n', '\n')
    .split(/([\n\t])/)
    .map(shownPart)
    .join('');
}

/** Arguments with one value on a line; as they are when they aren't complete JSON. */
export function shownArguments(written: string): string {
  try {
    return shownOutput(JSON.stringify(JSON.parse(written), null, 2));
  } catch {
    return shownOutput(written);
  }
}

function shownPart(part: string): string {
  return part === '\n' || part === '\t' ? part : escapeInvisible(part);
}
