/** Rows of plans as a server sends them. */

import type { PlanRow, PlanUpdate, TaskOutput, TaskRow } from '@jupyter-ac/link/rpc';

export function outputRow(more: Partial<TaskOutput> = {}): TaskOutput {
  return {
    explanation: 'It reads the file line by line.',
    files_modified: [],
    files_created: ['parser.py'],
    files_deleted: [],
    tokens_used: 12_000,
    cost_usd: 0.03,
    model: 'openai/gpt-a',
    conflicts: [],
    ...more,
  };
}

export function taskRow(id: string, more: Partial<TaskRow> = {}): TaskRow {
  return {
    id,
    type: 'code_generation',
    description: `Do ${id}.`,
    dependencies: [],
    priority: 3,
    needs_all: true,
    status: 'pending',
    attempts: 0,
    reason: '',
    ...more,
  };
}

export function planRow(more: Partial<PlanRow> = {}): PlanRow {
  return {
    id: 'p1',
    status: 'awaiting_approval',
    revision: 2,
    reason: '',
    user_request: 'Write a parser.\n\nWith tests.',
    tasks: [taskRow('a'), taskRow('b', { dependencies: ['a'] })],
    estimated_time_seconds: 120,
    explanation: 'Small steps.',
    concurrency: 2,
    branch: '',
    executor: '',
    can_apply: false,
    applied_files: [],
    created_ms: 1_780_000_000_000,
    updated_ms: 1_780_000_000_000,
    ...more,
  };
}

export function updateRow(more: Partial<PlanUpdate> = {}): PlanUpdate {
  return {
    plan_id: 'p1',
    revision: 3,
    status: 'running',
    reason: '',
    can_apply: false,
    applied_files: [],
    tasks: [],
    task_ids: ['a', 'b'],
    ...more,
  };
}
