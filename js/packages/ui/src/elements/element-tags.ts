/** Element tags with the build hash, for templates (`lit/static-html.js`). */

import { tagOf } from '@jupyter-ac/link';
import { unsafeStatic } from 'lit/static-html.js';

export const tag = {
  mode: unsafeStatic(tagOf('ac-mode')),
  everywhere: unsafeStatic(tagOf('ac-everywhere')),
  breakdown: unsafeStatic(tagOf('ac-breakdown')),
  chat: unsafeStatic(tagOf('ac-chat')),
  commit: unsafeStatic(tagOf('ac-commit')),
  composer: unsafeStatic(tagOf('ac-composer')),
  contextChips: unsafeStatic(tagOf('ac-context-chips')),
  config: unsafeStatic(tagOf('ac-config')),
  editMode: unsafeStatic(tagOf('ac-edit-mode')),
  header: unsafeStatic(tagOf('ac-header')),
  keys: unsafeStatic(tagOf('ac-keys')),
  message: unsafeStatic(tagOf('ac-message')),
  models: unsafeStatic(tagOf('ac-models')),
  noRepository: unsafeStatic(tagOf('ac-no-repository')),
  notebookCells: unsafeStatic(tagOf('ac-notebook-cells')),
  notices: unsafeStatic(tagOf('ac-notices')),
  trust: unsafeStatic(tagOf('ac-trust')),
  pathOffers: unsafeStatic(tagOf('ac-path-offers')),
  picker: unsafeStatic(tagOf('ac-picker')),
  programQuestion: unsafeStatic(tagOf('ac-program-question')),
  reviewStart: unsafeStatic(tagOf('ac-review-start')),
  review: unsafeStatic(tagOf('ac-review')),
  reviewFiles: unsafeStatic(tagOf('ac-review-files')),
  sessions: unsafeStatic(tagOf('ac-sessions')),
  settings: unsafeStatic(tagOf('ac-settings')),
  snippets: unsafeStatic(tagOf('ac-snippets')),
  speechButton: unsafeStatic(tagOf('ac-speech-button')),
  toasts: unsafeStatic(tagOf('ac-toasts')),
  urlChips: unsafeStatic(tagOf('ac-url-chips')),
  viewer: unsafeStatic(tagOf('ac-viewer')),
  webPage: unsafeStatic(tagOf('ac-web-page')),
} as const;
