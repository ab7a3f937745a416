/** Which steps of a run may have changed files, so that the user may want to go back to before them. Pure. */

import type { Edit } from '../edits.ts';
import type { ToolCall } from './runs.ts';

/** Tools that change nothing; others, also unknown ones, may. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['read_file', 'list_files', 'search', 'find_symbol', 'references', 'outline', 'git_diff', 'git_log'],
  ...['fetch_url', 'read_cell', 'list_variables', 'browser_console', 'browser_network', 'browser_screenshot'],
  ...['read_output', 'ask_user', 'done'],
]);

/** Whether a tool may change something. */
export function isActing(tool: string): boolean {
  return !HARMLESS.has(tool);
}

/**
 * The call of a step at which going back is offered: its first acting one, or its first one when edits of the step
 * were applied; '' for a step that changed nothing.
 *
 * @param calls of the step, in order
 * @param edits of the answer
 * @param text positions in the answer at which the step's text begins and ends
 */
export function backtrackCall(
  calls: readonly ToolCall[],
  edits: readonly Edit[],
  text: { readonly start: number; readonly end: number },
): string {
  const acting = calls.find(({ tool, status }) => isActing(tool) && status !== 'refused');
  if (acting) return acting.id;
  const isEdited = edits.some(
    ({ span, outcome }) => outcome?.status === 'applied' && span.end > text.start && span.end <= text.end,
  );
  return isEdited ? (calls[0]?.id ?? '') : '';
}
