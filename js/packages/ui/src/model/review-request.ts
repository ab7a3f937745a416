/** Asks the model for a review; ticks the changed files before, if none is ticked. */

import type { ContextBreakdown } from '@jupyter-ac/link/rpc';
import { toResult } from './call-result.ts';
import type { Session } from './session.ts';
import { fields, list, number, strings, text } from './wire.ts';

const QUESTION =
  'Review the changes of this branch. Name each problem with its file and line, as in `path:line`, the worst first.';

/** Row of a file in the breakdown. */
interface FileTokens {
  path: string;
  tokens: number;
}

/** Sends the question of the first snippet of reviews; the draft stays in the input. */
export async function askForReview(session: Session): Promise<void> {
  const { review, selection, toasts, snippets, questions } = session;
  if (!review.open || session.chat.stream) return;
  const changed = review.changes.map(({ path }) => path);
  if (changed.length && !changed.some((path) => selection.has(path))) {
    const fitting = await fittingPaths(session, changed);
    selection.mark(fitting, true);
    toasts.show('info', tickedSentence(fitting.length, changed.length));
  }
  await questions.send(snippets.snippets[0]?.message ?? QUESTION);
}

/** The paths that fit into a request together with what is ticked: the largest are left out. */
async function fittingPaths({ rpc, selection }: Session, paths: readonly string[]): Promise<string[]> {
  const selected = [...selection.paths, ...paths];
  const { value } = await toResult(rpc.rpcExtract('LLMService.get_context_breakdown', selected, []));
  const breakdown = fields<ContextBreakdown>(value);
  let excess = number(breakdown.total_tokens) - number(breakdown.max_input_tokens);
  const leftOut = new Set(strings(breakdown.shed_files));
  if (excess > 0 && number(breakdown.max_input_tokens) > 0)
    for (const [path, tokens] of largestFirst(breakdown.breakdown, paths)) {
      if (excess <= 0) break;
      excess -= tokens;
      leftOut.add(path);
    }
  return paths.filter((path) => !leftOut.has(path));
}

/** Tokens of each path in all categories: its text and its diff are rows of their own. */
function largestFirst(categories: unknown, paths: readonly string[]): [string, number][] {
  const sums = new Map(paths.map((path) => [path, 0]));
  for (const category of Object.values(fields<Record<string, unknown>>(categories)))
    for (const row of list(fields<{ details: unknown }>(category).details)) {
      const { path, tokens } = fields<FileTokens>(row);
      const sum = sums.get(text(path));
      if (sum !== undefined) sums.set(text(path), sum + number(tokens));
    }
  return [...sums].sort(([, one], [, other]) => other - one);
}

function tickedSentence(ticked: number, all: number): string {
  if (ticked === all) return `All ${all} changed files are ticked for the review.`;
  return `${ticked} of ${all} changed files are ticked for the review; the others do not fit.`;
}
