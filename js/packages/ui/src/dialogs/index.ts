/** Entry of the bundle of dialogs and of parts of the input, loaded on demand. */

import { define } from '@jupyter-ac/link';
import { addMention } from '../controllers/add-mention.ts';
import { CodeActions } from '../controllers/code-actions.ts';
import { locateServerFile, tickServerFiles } from '../controllers/server-files.ts';
import { AcApiKeys } from '../elements/api-keys.ts';
import { AcConfig } from '../elements/config.ts';
import { AcContextChips } from '../elements/context-chips.ts';
import { AcModels } from '../elements/models.ts';
import { AcNotebookCells } from '../elements/notebook-cells.ts';
import { AcPathOffers } from '../elements/path-offers.ts';
import { AcReviewFiles } from '../elements/review-files.ts';
import { AcReviewStart } from '../elements/review-start.ts';
import { AcSearchEverywhere } from '../elements/search-everywhere.ts';
import { AcSettings } from '../elements/settings.ts';
import { AcSpeechButton } from '../elements/speech-button.ts';
import { AcWebPage } from '../elements/web-page.ts';

export { addMention, CodeActions, locateServerFile, tickServerFiles };

const ELEMENTS: readonly [string, CustomElementConstructor][] = [
  ['ac-config', AcConfig],
  ['ac-context-chips', AcContextChips],
  ['ac-everywhere', AcSearchEverywhere],
  ['ac-keys', AcApiKeys],
  ['ac-models', AcModels],
  ['ac-notebook-cells', AcNotebookCells],
  ['ac-path-offers', AcPathOffers],
  ['ac-review-files', AcReviewFiles],
  ['ac-review-start', AcReviewStart],
  ['ac-settings', AcSettings],
  ['ac-speech-button', AcSpeechButton],
  ['ac-web-page', AcWebPage],
];

/** Registers the dialogs; those that are in the page already are upgraded. Idempotent. */
export function registerDialogs(): void {
  for (const [name, element] of ELEMENTS) define(name, element);
}
