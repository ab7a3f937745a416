/** Templates of what a plan or a task changes. */

import { html, nothing, type TemplateResult } from 'lit';
import * as icons from '../elements/icons.ts';
import { unifiedDiffTemplate } from '../elements/unified-diff.ts';
import type { PlanDiffs } from '../model/plans/plan-diffs.ts';
import type { Plan, Task } from '../model/plans/plans.ts';

/** The diff as far as it is shown. */
export function diffTemplates(diffs: PlanDiffs, plan: Plan, task?: Task): TemplateResult | typeof nothing {
  const shown = diffs.of(plan.id, task?.id);
  if (!shown) return nothing;
  const { isLoading, files, error } = shown;
  return html`<div class="changes" data-ac="plan-diff" data-task=${task?.id ?? ''} role="group" aria-label="Changes">
    ${isLoading && !files.length ? html`<p class="muted" role="status">${icons.spinner} Loading …</p>` : nothing}
    ${error ? html`<p class="bad" role="alert">${error}</p>` : nothing}
    ${!isLoading && !error && !files.length ? html`<p class="muted">Nothing differs.</p>` : nothing}
    ${unifiedDiffTemplate(files)}
  </div>`;
}
