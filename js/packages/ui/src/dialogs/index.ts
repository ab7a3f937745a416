/** Entry of the bundle of dialogs, and of parts of the header and the input, loaded when the panel is there. */

import { define } from '@jupyter-ac/link';
import { addMention } from '../controllers/add-mention.ts';
import { CodeActions } from '../controllers/code-actions.ts';
import { conversationTabs } from '../controllers/conversation-tabs.ts';
import { locateServerFile, serverPathOf, tickServerFiles } from '../controllers/server-files.ts';
import { AcFind } from '../conversation/find-bar.ts';
import { AcConversationTools } from '../conversation/tools.ts';
import { AcTurnActions } from '../conversation/turn-actions.ts';
import { AcOtherEnd, AcVersions } from '../conversation/versions.ts';
import { AcApiKeys } from '../elements/api-keys.ts';
import { AcAskedFiles } from '../elements/asked-files.ts';
import { AcCommit } from '../elements/commit.ts';
import { AcConfig } from '../elements/config.ts';
import { AcContextChips } from '../elements/context-chips.ts';
import { AcEndpoint } from '../elements/endpoint.ts';
import { AcExample } from '../elements/example.ts';
import { AcModels } from '../elements/models.ts';
import { AcNotebookCells } from '../elements/notebook-cells.ts';
import { AcPathOffers } from '../elements/path-offers.ts';
import { AcProgramPermission } from '../elements/program-permission.ts';
import { AcReviewFiles } from '../elements/review-files.ts';
import { AcReviewStart } from '../elements/review-start.ts';
import { AcSearchEverywhere } from '../elements/search-everywhere.ts';
import { AcSessions } from '../elements/sessions.ts';
import { AcSettings } from '../elements/settings.ts';
import { AcSettingsForm } from '../elements/settings-form.ts';
import { AcSpeechButton } from '../elements/speech-button.ts';
import { AcTabs } from '../elements/tabs.ts';
import { AcWebPage } from '../elements/web-page.ts';
import { hostPanel } from '../host/hosted-panel.ts';
import { mountViewerTab } from '../host/viewer-tab.ts';

export {
  addMention,
  CodeActions,
  conversationTabs,
  hostPanel,
  locateServerFile,
  mountViewerTab,
  serverPathOf,
  tickServerFiles,
};

const ELEMENTS: readonly [string, CustomElementConstructor][] = [
  ['ac-asked-files', AcAskedFiles],
  ['ac-commit', AcCommit],
  ['ac-config', AcConfig],
  ['ac-context-chips', AcContextChips],
  ['ac-endpoint', AcEndpoint],
  ['ac-conversation-tools', AcConversationTools],
  ['ac-everywhere', AcSearchEverywhere],
  ['ac-example', AcExample],
  ['ac-find', AcFind],
  ['ac-keys', AcApiKeys],
  ['ac-models', AcModels],
  ['ac-notebook-cells', AcNotebookCells],
  ['ac-other-end', AcOtherEnd],
  ['ac-path-offers', AcPathOffers],
  ['ac-program-question', AcProgramPermission],
  ['ac-review-files', AcReviewFiles],
  ['ac-review-start', AcReviewStart],
  ['ac-sessions', AcSessions],
  ['ac-settings', AcSettings],
  ['ac-settings-form', AcSettingsForm],
  ['ac-speech-button', AcSpeechButton],
  ['ac-tabs', AcTabs],
  ['ac-turn-actions', AcTurnActions],
  ['ac-versions', AcVersions],
  ['ac-web-page', AcWebPage],
];

/** Registers the dialogs; those that are in the page already are upgraded. Idempotent. */
export function registerDialogs(): void {
  for (const [name, element] of ELEMENTS) define(name, element);
}
