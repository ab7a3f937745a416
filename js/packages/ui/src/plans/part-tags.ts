/** Element tags of the view's parts, with the build hash; the first two are of the bundle that shows runs. */

import { tagOf } from '@jupyter-ac/link';
import { unsafeStatic } from 'lit/static-html.js';

export const partTag = {
  toolCalls: unsafeStatic(tagOf('ac-tool-calls')),
  agentRun: unsafeStatic(tagOf('ac-agent-run')),
  list: unsafeStatic(tagOf('ac-plan-list')),
  plan: unsafeStatic(tagOf('ac-plan')),
  graph: unsafeStatic(tagOf('ac-plan-graph')),
  task: unsafeStatic(tagOf('ac-plan-task')),
  form: unsafeStatic(tagOf('ac-plan-task-form')),
} as const;
