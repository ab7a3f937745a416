/** A catalogue from the JSON that JupyterLab's language packs have too. */

import Tannin, { type TanninDomainMetadata } from 'tannin';
import type { Catalogue } from './index.ts';

const DOMAIN = 'jupyter_ac';

/** Messages by their English text, with the context and U+0004 before it; under '' the header. */
export type CatalogueData = Record<string, TanninDomainMetadata | readonly string[]>;

export function jsonCatalogue(data: CatalogueData, language: string): Catalogue {
  const gettext = new Tannin({ [DOMAIN]: data as never });
  return {
    language,
    gettext: (text) => gettext.dcnpgettext(DOMAIN, undefined, text),
    ngettext: (one, other, count) => gettext.dcnpgettext(DOMAIN, undefined, one, other, count),
    pgettext: (context, text) => gettext.dcnpgettext(DOMAIN, context, text),
  };
}
