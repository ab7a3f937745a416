/** Placeholders of masked secrets in code that a model has written. */

/** Stands for a secret that was masked. */
export const PLACEHOLDER = /\[secret \d{1,9}\]/;

/** Said where code with placeholders replaces a cell. */
export const UNRESTORED =
  'Some placeholders such as [secret 1] stay: they stand for secrets that were not found in this cell.';
