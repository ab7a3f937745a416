/** The tags of this build, for templates (`lit/static-html.js`). */

import { tagOf } from '@jupyter-ac/link';
import { unsafeStatic } from 'lit/static-html.js';

export const tag = {
  breakdown: unsafeStatic(tagOf('ac-breakdown')),
  chat: unsafeStatic(tagOf('ac-chat')),
  composer: unsafeStatic(tagOf('ac-composer')),
  message: unsafeStatic(tagOf('ac-message')),
  notices: unsafeStatic(tagOf('ac-notices')),
  picker: unsafeStatic(tagOf('ac-picker')),
  toasts: unsafeStatic(tagOf('ac-toasts')),
} as const;
