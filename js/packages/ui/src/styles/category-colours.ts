/** The colour of each category of the context, as a custom property. */

import { css } from 'lit';

export const categoryColours = css`
  .system {
    --category: var(--ac-system);
  }
  .map {
    --category: var(--ac-map);
  }
  .legend {
    --category: var(--ac-legend);
  }
  .files {
    --category: var(--ac-files);
  }
  .urls {
    --category: var(--ac-urls);
  }
  .review {
    --category: var(--ac-review);
  }
  .context {
    --category: var(--ac-notebook);
  }
  .tools {
    --category: var(--ac-tools);
  }
  .history {
    --category: var(--ac-history);
  }
  .question {
    --category: var(--ac-question);
  }
  .overhead {
    --category: var(--ac-overhead);
  }
`;
