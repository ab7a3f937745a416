/** Registers the custom elements of the UI's bundle; `dialogs/index.ts` has the others. */

import { define, RpcLink } from '@jupyter-ac/link';
import { AcApp } from './app.ts';
import { AcBreakdown } from './breakdown.ts';
import { AcChat } from './chat.ts';
import { AcComposer } from './composer.ts';
import { AcEditMode } from './edit-mode.ts';
import { AcHeader } from './header.ts';
import { AcMessage } from './message.ts';
import { AcMode } from './mode.ts';
import { AcNoRepository } from './no-repository.ts';
import { AcNotices } from './notices.ts';
import { AcPicker } from './picker.ts';
import { AcReview } from './review.ts';
import { AcSnippets } from './snippets.ts';
import { AcToasts } from './toasts.ts';
import { AcTrust } from './trust.ts';
import { AcUrlChips } from './url-chips.ts';
import { AcViewer } from './viewer.ts';

const ELEMENTS: readonly [string, CustomElementConstructor][] = [
  ['ac-link', RpcLink],
  ['ac-app', AcApp],
  ['ac-breakdown', AcBreakdown],
  ['ac-chat', AcChat],
  ['ac-composer', AcComposer],
  ['ac-edit-mode', AcEditMode],
  ['ac-mode', AcMode],
  ['ac-header', AcHeader],
  ['ac-message', AcMessage],
  ['ac-no-repository', AcNoRepository],
  ['ac-notices', AcNotices],
  ['ac-trust', AcTrust],
  ['ac-picker', AcPicker],
  ['ac-review', AcReview],
  ['ac-snippets', AcSnippets],
  ['ac-toasts', AcToasts],
  ['ac-url-chips', AcUrlChips],
  ['ac-viewer', AcViewer],
];

/** Idempotent. */
export function registerElements(): void {
  for (const [name, element] of ELEMENTS) define(name, element);
}
