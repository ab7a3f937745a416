/** What the lab extension shares with the panel to show a difference: none of the panel's state. */

export { isolateKeys } from './controllers/key-isolation.ts';
export { ThemeController } from './controllers/theme.ts';
export { diffTemplate } from './elements/edit-diff.ts';
export { diffLines, type Gap, type Line, withGaps } from './model/line-diff.ts';
export { PLACEHOLDER, UNRESTORED } from './model/secret-placeholders.ts';
export { editStyles } from './styles/edits.ts';
export { base, tokens } from './styles/tokens.ts';
