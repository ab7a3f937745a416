/** Which tools act outside of the conversation, so that a question says whether it is in the sandbox. Pure. */

/** Tools that run nothing; others, also unknown ones, may. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['read_file', 'list_files', 'search', 'find_symbol', 'references', 'outline', 'git_diff', 'git_log'],
  ...['fetch_url', 'read_cell', 'list_variables', 'browser_console', 'browser_network', 'browser_screenshot'],
  ...['read_output', 'ask_user', 'done', 'edit'],
]);

/** Whether a tool may run something. */
export function isActing(tool: string): boolean {
  return !HARMLESS.has(tool);
}
