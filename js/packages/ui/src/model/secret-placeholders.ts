/** Placeholders of masked secrets in code that a model has written. */

/** Stands for a secret that was masked. */
import { N_ } from '@jupyter-ac/messages';
export const PLACEHOLDER = /\[secret \d{1,9}\]/;

/** Said where code with placeholders replaces a cell. */
export const UNRESTORED = N_(
  'Some placeholders such as [secret 1] stay: they stand for secrets that were not found in this cell.',
);
