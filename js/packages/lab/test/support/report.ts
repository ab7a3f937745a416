/** What a panel reports. */

import type { ConversationRef, PanelReport } from '@jupyter-ac/ui';

export const CONVERSATION: ConversationRef = { id: 's1', name: '', root: '/srv/weather' };

export function panelReport(more: Partial<PanelReport> = {}): PanelReport {
  return {
    ...{ status: 'ready', repository: 'weather', root: '/srv/weather', model: 'openai/gpt-a' },
    ...{ tokens: 12_345, maxTokens: 128_000, cost: 0.25, activities: [], isUnsaved: false, waiting: [] },
    obstacles: { new: '', stop: 'No answer is being written.', commit: '' },
    ...more,
  };
}
