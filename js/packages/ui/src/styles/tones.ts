/** The colour of a state: on an edit card, a tool card, the summary of a run. */

import { css } from 'lit';

export const toneStyles = css`
  .good {
    --tone: var(--ac-success);
  }
  .bad {
    --tone: var(--ac-danger);
  }
  .odd {
    --tone: var(--ac-warning);
  }
  .open {
    --tone: var(--ac-accent);
  }
  .calm {
    --tone: var(--ac-muted);
  }
`;
