/** Tags of parts of the conversation's tools. */

import { tagOf } from '@jupyter-ac/link';
import { unsafeStatic } from 'lit/static-html.js';

export const findTag = unsafeStatic(tagOf('ac-find'));
