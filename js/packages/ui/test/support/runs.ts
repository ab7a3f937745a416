/** Rows of runs as a server sends them. */

import type { RunRow, ToolCallRow, ToolQuestion } from '@jupyter-ac/link/rpc';

export function questionRow(more: Partial<ToolQuestion> = {}): ToolQuestion {
  return {
    text: 'pytest -q tests',
    why: 'It runs code of this repository.',
    scopes: ['once', 'session', 'prefix'],
    prefix: ['pytest', '-q'],
    origin: '',
    is_sandboxed: true,
    warning: '',
    wants_text: false,
    ...more,
  };
}

export function callRow(more: Partial<ToolCallRow> = {}): ToolCallRow {
  return {
    call_id: 'c1',
    step: 1,
    tool: 'run_command',
    title: 'pytest -q tests',
    arguments: '{"command":["pytest","-q","tests"]}',
    status: 'done',
    reason: '',
    question: null,
    started_at: '2026-11-27T12:00:00Z',
    duration_ms: 1234,
    tokens: 340,
    result: '3 passed',
    left_out: 0,
    ...more,
  };
}

export function runRow(more: Partial<RunRow> = {}): RunRow {
  return {
    run_id: 'turn-1',
    request_id: 'r',
    mode: 'agent',
    state: 'done',
    reason: '',
    used: { steps: 3, tokens: 41_000, usd: 0.12, seconds: 125 },
    limits: { steps: 25, tokens: 400_000, usd: 1, seconds: 900 },
    calls: [],
    steps: [],
    changed_steps: [],
    files_changed: [],
    can_undo: false,
    ...more,
  };
}
