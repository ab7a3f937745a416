/** What a panel reports. */

import type { PanelReport } from '@jupyter-ac/ui';

export function panelReport(more: Partial<PanelReport> = {}): PanelReport {
  return {
    ...{ status: 'ready', repository: 'weather', root: '/srv/weather', model: 'openai/gpt-a' },
    ...{ tokens: 12_345, maxTokens: 128_000, cost: 0.25, activities: [], isUnsaved: false, waitingFor: '' },
    obstacles: { new: '', stop: 'No answer is being written.', commit: '' },
    ...more,
  };
}
