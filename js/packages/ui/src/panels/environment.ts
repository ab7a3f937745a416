/** What this page tells plugins of itself. */

import { isDark } from '../controllers/theme.ts';
import type { PanelEnvironment } from '../model/panels/protocol.ts';

const MAX_COLOUR_CHARS = 100;

/** @param element - an element with the panel's colours around it */
export function pageEnvironment(element: HTMLElement): PanelEnvironment {
  const style = getComputedStyle(element);
  const accentColor = style.getPropertyValue('--ac-accent').trim();
  return {
    colorScheme: isDark(style.backgroundColor) ? 'dark' : 'light',
    ...(accentColor && accentColor.length <= MAX_COLOUR_CHARS ? { accentColor } : {}),
    reduceMotion: matchMedia('(prefers-reduced-motion: reduce)').matches,
    highContrast: matchMedia('(prefers-contrast: more)').matches,
    active: !document.hidden,
  };
}
