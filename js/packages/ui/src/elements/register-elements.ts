/** Registers the custom elements of this build. */

import { define, RpcLink } from '@jupyter-ac/link';
import { AcApiKeys } from './api-keys.ts';
import { AcApp } from './app.ts';
import { AcBreakdown } from './breakdown.ts';
import { AcChat } from './chat.ts';
import { AcCommit } from './commit.ts';
import { AcComposer } from './composer.ts';
import { AcConfig } from './config.ts';
import { AcEditMode } from './edit-mode.ts';
import { AcHeader } from './header.ts';
import { AcMessage } from './message.ts';
import { AcMode } from './mode.ts';
import { AcModels } from './models.ts';
import { AcNoRepository } from './no-repository.ts';
import { AcNotices } from './notices.ts';
import { AcPicker } from './picker.ts';
import { AcProgramPermission } from './program-permission.ts';
import { AcReview } from './review.ts';
import { AcReviewFiles } from './review-files.ts';
import { AcSearchEverywhere } from './search-everywhere.ts';
import { AcSessions } from './sessions.ts';
import { AcSettings } from './settings.ts';
import { AcSnippets } from './snippets.ts';
import { AcToasts } from './toasts.ts';
import { AcTrust } from './trust.ts';
import { AcUrlChips } from './url-chips.ts';
import { AcViewer } from './viewer.ts';
import { AcWebPage } from './web-page.ts';

const ELEMENTS: readonly [string, CustomElementConstructor][] = [
  ['ac-link', RpcLink],
  ['ac-app', AcApp],
  ['ac-breakdown', AcBreakdown],
  ['ac-chat', AcChat],
  ['ac-commit', AcCommit],
  ['ac-composer', AcComposer],
  ['ac-config', AcConfig],
  ['ac-edit-mode', AcEditMode],
  ['ac-everywhere', AcSearchEverywhere],
  ['ac-mode', AcMode],
  ['ac-header', AcHeader],
  ['ac-keys', AcApiKeys],
  ['ac-message', AcMessage],
  ['ac-models', AcModels],
  ['ac-no-repository', AcNoRepository],
  ['ac-notices', AcNotices],
  ['ac-trust', AcTrust],
  ['ac-picker', AcPicker],
  ['ac-program-question', AcProgramPermission],
  ['ac-review', AcReview],
  ['ac-review-files', AcReviewFiles],
  ['ac-sessions', AcSessions],
  ['ac-settings', AcSettings],
  ['ac-snippets', AcSnippets],
  ['ac-toasts', AcToasts],
  ['ac-url-chips', AcUrlChips],
  ['ac-viewer', AcViewer],
  ['ac-web-page', AcWebPage],
];

/** Idempotent. */
export function registerElements(): void {
  for (const [name, element] of ELEMENTS) define(name, element);
}
