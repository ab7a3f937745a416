/** Names of the parts of a request, as shown. */

import { t } from '@jupyter-ac/messages';
import type { Category } from './breakdown.ts';

export const LABELS: Readonly<Record<Category, string>> = {
  system: t('Instructions'),
  legend: t('Legend of the map'),
  map: t('Map'),
  files: t('Files'),
  urls: t('Web pages'),
  review: t('Review'),
  context: t('Added'),
  tools: t('Tools'),
  history: t('Conversation'),
  question: t('Question'),
  overhead: t('Between messages'),
};

/** Kinds of blocks, as shown. */
export const NAMES: Readonly<Record<string, string>> = {
  system: t('Instructions'),
  legend: t('Legend of the map'),
  map: t('Map'),
  ranked_map: t('Map for a question'),
  note: t('Note on a file'),
  question: t('Question'),
  answer: t('Answer'),
  retry: t('Failed edits'),
  reminder: t('Reminder of the rules'),
  tools: t('Definitions of tools'),
  run: t('Rules of the run'),
  tool_calls: t('Tool calls'),
  tool_result: t('Result'),
  step: t('Limits left'),
};
