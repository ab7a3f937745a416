/** Names of the parts of a request, as shown. */

import type { Category } from './breakdown.ts';

export const LABELS: Readonly<Record<Category, string>> = {
  system: 'Instructions',
  legend: 'Legend of the map',
  map: 'Map',
  files: 'Files',
  urls: 'Web pages',
  review: 'Review',
  context: 'Added',
  tools: 'Tools',
  history: 'Conversation',
  question: 'Question',
  overhead: 'Between messages',
};

/** Kinds of blocks, as shown. */
export const NAMES: Readonly<Record<string, string>> = {
  system: 'Instructions',
  legend: 'Legend of the map',
  map: 'Map',
  ranked_map: 'Map for a question',
  note: 'Note on a file',
  question: 'Question',
  answer: 'Answer',
  retry: 'Failed edits',
  reminder: 'Reminder of the rules',
  tools: 'Definitions of tools',
  run: 'Rules of the run',
  tool_calls: 'Tool calls',
  tool_result: 'Result',
  step: 'Limits left',
};
