import '../support/jsdom.ts';
import { RpcError } from '@jupyter-ac/link/rpc';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { focused } from '../../src/controllers/focus.ts';
import type { FileLocation } from '../../src/model/file-location.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, click, drawn, fill, one, press } from '../support/page.ts';
import { outputRow, planRow, taskRow, updateRow } from '../support/plans.ts';
import { callRow, questionRow, runRow } from '../support/runs.ts';

let rpc: FakeRpc;
let session: Session;

const words = (element: Element | null | undefined) =>
  element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';
const args = (method: string) => rpc.last(`Planner.${method}`).args;
const tasks = () => all('plan-task').map(({ dataset }) => `${dataset.id}: ${dataset.status}`);
const task = (id: string) => all('plan-task').find(({ dataset }) => dataset.id === id);
const select = async (name: string, value: string) => {
  const field = one<HTMLSelectElement>(name);
  field.value = value;
  field.dispatchEvent(new Event('change', { bubbles: true }));
  await drawn();
};

beforeEach(async () => {
  rpc = new FakeRpc();
  rpc.ready.set('LLMService.list_pending_tools', () => []);
  ({ session } = await mount(rpc));
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

/** Opens the view over these plans. */
async function open(...plans: object[]): Promise<void> {
  rpc.ready.set('Planner.list_plans', () => ({ plans }));
  await connect(rpc);
  one('plans-open').focus();
  await click(one('plans-open'));
}

/** Opens the only plan. */
async function openPlan(more: Parameters<typeof planRow>[0] = {}): Promise<void> {
  await open(planRow(more));
  await click(one('plan-row'));
}

describe('the list of plans', () => {
  it('is loaded when it is opened, and is not offered by an older server', async () => {
    await open();
    expect(args('list_plans')).toEqual([50]);
    expect(words(one('plans'))).toContain('Plans');
    expect(focused()).toBe(one('plan-request'));
    await press('Escape');
    expect(all('plans')).toEqual([]);
    expect(focused()).toBe(one('plans-open'));
    rpc.lacking.add('Planner.list_plans');
    await rpc.become({ state: 'open', first: false });
    await drawn();
    expect(all('plans-open')).toEqual([]);
  });

  it('says of each how far it is, and shows it on a click', async () => {
    const done = [taskRow('a', { status: 'done', output: outputRow() }), taskRow('b')];
    await open(planRow({ id: 'p2', status: 'running', tasks: done }), planRow());
    const rows = all('plan-row');
    expect(rows.map(({ dataset }) => [dataset.id, dataset.status])).toEqual([
      ['p2', 'running'],
      ['p1', 'awaiting_approval'],
    ]);
    expect(words(rows[0])).toContain('Write a parser. Running 1 of 2 tasks done · 12k tokens · $0.0300');
    await click(rows[0]);
    expect(one('plan').dataset.id).toBe('p2');
    await click(one('plan-back'));
    expect(focused()).toBe(all('plan-row')[0]);
  });

  it('has a plan made, and shows it', async () => {
    await open();
    await fill(one<HTMLTextAreaElement>('plan-request'), 'Write a parser.');
    await select('plan-max-tasks', '20');
    one('plan-request').focus();
    await press('Enter');
    expect(args('create_plan')).toEqual(['Write a parser.', null, { max_tasks: 20 }]);
    expect(words(one('plan-make').closest('form'))).toContain('The model makes the plan …');
    await press('Enter');
    expect(rpc.count('Planner.create_plan')).toBe(1);
    await rpc.last('Planner.create_plan').answer({ plan: planRow() });
    await drawn();
    expect(tasks()).toEqual(['a: pending', 'b: pending']);
    await click(one('plan-back'));
    expect(one<HTMLTextAreaElement>('plan-request').value).toBe('');
  });

  it('says why none was made, and keeps the request', async () => {
    await open();
    await fill(one<HTMLTextAreaElement>('plan-request'), 'Write a parser.');
    await click(one('plan-make'));
    await rpc.last('Planner.create_plan').fail('parse', 'The model wrote no plan.');
    await drawn();
    expect(words(one('plan-problem'))).toBe('The model wrote no plan.');
    expect(one<HTMLTextAreaElement>('plan-request').value).toBe('Write a parser.');
    await click(one('plan-problem').querySelector('button'));
    expect(all('plan-problem')).toEqual([]);
  });

  it('shows a plan that comes later than its answer, and one that another page has made', async () => {
    await open();
    await fill(one<HTMLTextAreaElement>('plan-request'), 'Write a parser.');
    rpc.ready.set('Planner.create_plan', () => Promise.reject(new RpcError('late', 'timeout', -1000)));
    await click(one('plan-make'));
    expect(words(one('plan-problem'))).toContain('still plans');
    rpc.ready.set('Planner.get_plan', (id) => planRow({ id: String(id) }));
    await rpc.emit('planUpdated', updateRow({ plan_id: 'p7', revision: 1 }));
    await drawn();
    expect(all('plan-row').map(({ dataset }) => dataset.id)).toEqual(['p7']);
  });

  it('says when the server can make plans only', async () => {
    rpc.lacking.add('Planner.run_plan');
    await openPlan();
    expect(one('plan-run').getAttribute('aria-disabled')).toBe('true');
    expect(words(one('plan'))).toContain('cannot carry them out');
    await click(one('plan-run'));
    expect(rpc.count('Planner.run_plan')).toBe(0);
  });
});

describe('a plan', () => {
  it('is a list of its tasks, by the keyboard too', async () => {
    await openPlan();
    expect(focused()?.textContent).toBe('Write a parser.');
    expect(one('plan').dataset.status).toBe('awaiting_approval');
    expect(task('b')?.getAttribute('aria-label')).toBe('b: Waiting. Do b. After a.');
    expect(all('plan-task').map(({ tabIndex }) => tabIndex)).toEqual([0, -1]);
    task('a')?.focus();
    await press('ArrowDown');
    expect(focused()).toBe(task('b'));
    await press('End');
    await press('Home');
    expect(focused()).toBe(task('a'));
    await click(focused());
    expect(one('plan-task-details').dataset.id).toBe('a');
    expect(task('a')?.getAttribute('aria-current')).toBe('true');
  });

  it('draws a line for each dependency', async () => {
    const rows = [
      taskRow('a'),
      taskRow('b', { dependencies: ['a'] }),
      taskRow('c', { dependencies: ['a', 'b'] }),
    ];
    await openPlan({ tasks: rows });
    const picture = task('a')?.closest('.picture');
    expect(picture?.querySelectorAll('path')).toHaveLength(3);
    await click(task('b'));
    expect(picture?.querySelectorAll('path.on')).toHaveLength(2);
  });

  it('is approved, paused, resumed and cancelled', async () => {
    rpc.ready.set('Planner.run_plan', () => planRow({ status: 'running', revision: 3 }));
    rpc.ready.set('Planner.pause_plan', () => planRow({ status: 'paused', revision: 4 }));
    rpc.ready.set('Planner.resume_plan', () => planRow({ status: 'running', revision: 5 }));
    rpc.ready.set('Planner.cancel_plan', () => planRow({ status: 'cancelled', revision: 6 }));
    await openPlan();
    await select('plan-concurrency', '4');
    await click(one('plan-run'));
    expect(args('run_plan')).toEqual(['p1', 4, 'agent', '']);
    expect(all('plan-run')).toEqual([]);
    await click(one('plan-pause'));
    await click(one('plan-resume'));
    await click(one('plan-cancel'));
    expect(args('cancel_plan')).toEqual(['p1']);
    expect(one('plan').dataset.status).toBe('cancelled');
    expect(all('plan-cancel')).toEqual([]);
  });

  it('keeps the focus when the button with it goes', async () => {
    rpc.ready.set('Planner.cancel_plan', () => planRow({ status: 'cancelled', revision: 3 }));
    await openPlan({ tasks: [taskRow('a'), taskRow('b')] });
    await click(task('a'));
    rpc.ready.set('Planner.update_task', () =>
      planRow({ revision: 3, tasks: [taskRow('a', { status: 'skipped' }), taskRow('b')] }),
    );
    one('plan-task-skip').focus();
    await click(focused());
    expect(focused()?.closest('[data-ac="plan-task-details"]')).toBe(one('plan-task-details'));
    one('plan-cancel').focus();
    await click(focused());
    expect(words(focused())).toBe('Write a parser.');
    await press('Escape');
    expect(all('plans')).toEqual([]);
  });

  it('says why something was refused, and changes nothing', async () => {
    await openPlan();
    await click(one('plan-run'));
    await click(one('plan-cancel'));
    expect(rpc.count('Planner.cancel_plan')).toBe(0);
    await rpc.last('Planner.run_plan').fail('busy', 'Another plan runs.');
    await drawn();
    expect(words(one('plan-problem'))).toBe('Another plan runs.');
    expect(one('plan-run').getAttribute('aria-disabled')).toBe('false');
  });

  it('is carried out by another agent of the settings, when one is chosen', async () => {
    const own = { name: 'agent', kind: 'agent', note: '' };
    const other = { name: 'goose', kind: 'acp', note: 'Its own tools are not bound by our rules.' };
    rpc.ready.set('Planner.list_executors', () => ({ executors: [own, other] }));
    rpc.ready.set('Planner.run_plan', () => planRow({ status: 'running', revision: 3 }));
    await openPlan();
    expect(all('plan-executor-note')).toEqual([]);
    await select('plan-executor', 'goose');
    expect(words(one('plan-executor-note'))).toBe('Its own tools are not bound by our rules.');
    await click(one('plan-run'));
    expect(args('run_plan')).toEqual(['p1', 2, 'goose', '']);
  });

  it('asks about the command of the settings before it runs', async () => {
    await openPlan();
    const error = new RpcError('It must be allowed.', 'conflict', -32000, { setup: 'npm ci' });
    rpc.ready.set('Planner.run_plan', () => Promise.reject(error));
    await click(one('plan-run'));
    expect(all('plan-problem')).toEqual([]);
    expect(one('plan-setup').querySelector('pre')?.textContent).toBe('npm ci');
    await click(one('plan-setup-refuse'));
    expect(all('plan-setup')).toEqual([]);
    await click(one('plan-run'));
    rpc.ready.set('Planner.run_plan', () => planRow({ status: 'running', revision: 3 }));
    await click(one('plan-setup-allow'));
    expect(args('run_plan')).toEqual(['p1', 2, 'agent', 'npm ci']);
    expect(all('plan-setup')).toEqual([]);
  });

  it('follows the news, and asks for the plan when it has missed some', async () => {
    await openPlan();
    const running = [taskRow('a', { status: 'running' })];
    await rpc.emit('planUpdated', updateRow({ tasks: running }));
    await drawn();
    expect(tasks()).toEqual(['a: running', 'b: pending']);
    const later = [taskRow('a', { status: 'done' }), taskRow('b', { status: 'running' })];
    rpc.ready.set('Planner.get_plan', () => planRow({ status: 'running', revision: 6, tasks: later }));
    await rpc.emit('planUpdated', updateRow({ revision: 6 }));
    await drawn();
    expect(args('get_plan')).toEqual(['p1']);
    expect(tasks()).toEqual(['a: done', 'b: running']);
    await rpc.emit('planUpdated', updateRow({ revision: 4, tasks: running }));
    await drawn();
    expect(tasks()).toEqual(['a: done', 'b: running']);
  });

  it('is asked for again after a lost connection', async () => {
    await openPlan();
    const row = planRow({ status: 'completed', revision: 9 });
    rpc.ready.set('Planner.list_plans', () => ({ plans: [row] }));
    await rpc.become({ state: 'open', first: false });
    await drawn();
    expect(one('plan').dataset.status).toBe('completed');
  });

  it('shows what it changes', async () => {
    await openPlan({ status: 'completed', branch: 'jupyter-ac/plan-p1' });
    await click(one('plan-diff-open'));
    expect(args('get_plan_diff')).toEqual(['p1', '']);
    const diff = 'diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n one\n+two\n';
    await rpc.last('Planner.get_plan_diff').answer({ diff });
    await drawn();
    expect(one('diff-file').dataset.path).toBe('a.py');
    expect(words(one('diff-file'))).toContain('+1');
    await click(one('plan-diff-open'));
    expect(all('plan-diff')).toEqual([]);
    await click(one('plan-diff-open'));
    await rpc.last('Planner.get_plan_diff').fail('git', 'The branch has gone.');
    await drawn();
    expect(words(one('plan-diff'))).toContain('The branch has gone.');
  });
});

describe('results', () => {
  const done = { status: 'completed', can_apply: true, branch: 'jupyter-ac/plan-p1' } as const;

  it('are applied and taken back with a click each, and a toast says what has changed', async () => {
    await openPlan(done);
    const applied = planRow({ ...done, can_apply: false, applied_files: ['a.py', 'b.py'], revision: 3 });
    rpc.ready.set('Planner.apply_plan', () => ({ plan: applied, files: ['a.py', 'b.py'] }));
    await click(one('plan-apply'));
    expect(words(one('toast'))).toContain('2 files changed and staged: a.py, b.py.');
    expect(all('plan-apply')).toEqual([]);
    const opened: FileLocation[] = [];
    document.addEventListener('ac-place', (event) => opened.push((event as CustomEvent).detail), {
      once: true,
    });
    await click(one('plan-applied').querySelector('button'));
    expect(opened).toEqual([{ path: 'a.py', line: 0, col: 0, isDiff: true }]);
    await press('Escape');
    const kept = [{ path: 'b.py', reason: 'was changed since.' }];
    rpc.ready.set('Planner.undo_plan', () => ({
      ...{ plan: planRow({ ...done, revision: 4 }), files: ['a.py'], kept },
    }));
    await click(one('plan-undo'));
    expect(words(all('toast').at(-1))).toContain('1 file restored: a.py; 1 file left alone.');
    expect(words(one('plan-kept'))).toContain('b.py was changed since.');
    expect(all('plan-undo')).toEqual([]);
    expect(all('plan-apply')).toHaveLength(1);
  });

  it('stay where they are when the files were changed otherwise', async () => {
    await openPlan(done);
    await click(one('plan-apply'));
    await rpc
      .last('Planner.apply_plan')
      .fail('conflict', 'a.py was changed in another way; nothing was applied.');
    await drawn();
    expect(words(one('plan-problem'))).toContain('a.py was changed in another way');
    expect(all('plan-apply')).toHaveLength(1);
  });
});

describe('a task', () => {
  it('is changed before the plan runs', async () => {
    const rows = [
      taskRow('a'),
      taskRow('b', { dependencies: ['a'] }),
      taskRow('c', { dependencies: ['b'], needs_all: false }),
    ];
    await openPlan({ tasks: rows });
    await click(task('b'));
    await click(one('plan-task-edit'));
    expect(focused()).toBe(one('plan-task-description'));
    // c comes after it.
    expect(all('plan-task-after').map(({ dataset }) => dataset.id)).toEqual(['a']);
    await fill(one<HTMLTextAreaElement>('plan-task-description'), 'Do it well.');
    await select('plan-task-type', 'testing');
    await select('plan-task-priority', '1');
    await click(one('plan-task-after'));
    await click(one('plan-task-needs-all'));
    await click(one('plan-task-save'));
    const edit = {
      type: 'testing',
      description: 'Do it well.',
      dependencies: [],
      priority: 1,
      needs_all: false,
    };
    expect(args('update_task')).toEqual(['p1', 'b', edit]);
    await rpc.last('Planner.update_task').fail('invalid', 'changes: too long.');
    await drawn();
    expect(words(one('plan-problem'))).toBe('changes: too long.');
    expect(one<HTMLTextAreaElement>('plan-task-description').value).toBe('Do it well.');
    rpc.ready.set('Planner.update_task', () => planRow({ revision: 3, tasks: rows }));
    await click(one('plan-task-save'));
    expect(all('plan-task-form')).toEqual([]);
    expect(focused()).toBe(one('plan-task-edit'));
  });

  it('is added, removed and skipped', async () => {
    await openPlan();
    await click(one('plan-task-add'));
    await fill(one<HTMLTextAreaElement>('plan-task-description'), 'One more.');
    await click(all('plan-task-after')[1]);
    const three = [taskRow('a'), taskRow('b', { dependencies: ['a'] }), taskRow('task_003')];
    rpc.ready.set('Planner.update_task', () => planRow({ revision: 3, tasks: three }));
    await click(one('plan-task-save'));
    const edit = { type: 'code_generation', description: 'One more.', dependencies: ['b'], priority: 3 };
    expect(args('update_task')).toEqual(['p1', 'task_003', { ...edit, needs_all: true }]);
    expect(one('plan-task-details').dataset.id).toBe('task_003');
    await click(one('plan-task-skip'));
    expect(args('update_task')).toEqual(['p1', 'task_003', { status: 'skipped' }]);
    await click(one('plan-task-remove'));
    expect(args('update_task')).toEqual(['p1', 'task_003', null]);
    expect(all('plan-task-details')).toEqual([]);
  });

  it('closes its form on Escape, and not the view', async () => {
    await openPlan();
    await click(one('plan-task-add'));
    await press('Escape');
    expect(all('plan-task-form')).toEqual([]);
    expect(all('plan')).toHaveLength(1);
    expect(focused()).toBe(one('plan-task-add'));
  });

  it('shows what came out of it, and its part of the changes', async () => {
    const output = outputRow({ files_modified: ['b.py'], files_deleted: ['c.py'] });
    const rows = [taskRow('a', { status: 'done', attempts: 2, output }), taskRow('b')];
    await openPlan({ status: 'running', tasks: rows, branch: 'x' });
    await click(task('a'));
    const details = words(one('plan-task-details'));
    expect(details).toContain('New code · priority 3 · 2 attempts · 12k tokens · $0.0300 · openai/gpt-a');
    expect(details).toContain('It reads the file line by line.');
    expect(details).toContain('Created: parser.py');
    expect(details).toContain('Changed: b.py');
    expect(details).toContain('Deleted: c.py');
    await click(one('plan-task-details').querySelector('[data-ac="plan-diff-open"]'));
    expect(args('get_plan_diff')).toEqual(['p1', 'a']);
  });

  it('gets its conflict back, with a note', async () => {
    const text = 'a\n<<<<<<< the plan\nx\n=======\ny\n>>>>>>> the task\nb';
    const output = outputRow({ conflicts: [{ path: 'a.py', text }] });
    const rows = [taskRow('a', { status: 'failed', reason: 'It does not fit.', output }), taskRow('b')];
    await openPlan({ status: 'failed', tasks: rows });
    expect(task('a')?.getAttribute('aria-label')).toContain('Conflict');
    await click(task('a'));
    expect(words(one('plan-task-details'))).toContain('It does not fit.');
    const pre = one('plan-conflict').querySelector('pre');
    expect(pre?.textContent).toBe(`${text}\n`);
    expect([...(pre?.querySelectorAll('span') ?? [])].map(({ className }) => className)).toEqual([
      ...['mark', 'ours', 'mark', 'theirs', 'mark'],
    ]);
    await fill(one<HTMLTextAreaElement>('plan-task-note'), ' Keep both. ');
    rpc.ready.set('Planner.retry_task', () => planRow({ status: 'running', revision: 3 }));
    await click(one('plan-task-retry'));
    expect(args('retry_task')).toEqual(['p1', 'a', 'Keep both.']);
    expect(all('plan-task-retry')).toEqual([]);
  });

  it('is stopped while it runs', async () => {
    await openPlan({ status: 'running', tasks: [taskRow('a', { status: 'running' })] });
    await click(task('a'));
    rpc.ready.set('Planner.cancel_task', () => planRow({ status: 'running', revision: 3 }));
    await click(one('plan-task-stop'));
    expect(args('cancel_task')).toEqual(['p1', 'a']);
  });
});

describe('the tool calls of a task', () => {
  const TASK = { plan_id: 'p1', task_id: 'a' };
  const running = { status: 'running', tasks: [taskRow('a', { status: 'running' }), taskRow('b')] } as const;

  async function tell(call: object, run: object = {}): Promise<void> {
    const row = runRow({ request_id: 'plan-r', run_id: 'run-1', state: 'running', ...run });
    await rpc.emit('toolUpdated', { request_id: 'plan-r', run: row, call: callRow(call), task: TASK });
    await drawn();
  }

  const waiting = { status: 'waiting', duration_ms: null, result: '', question: questionRow() };

  it('are shown with the task, and leave the conversation alone', async () => {
    await openPlan({ ...running, tasks: [...running.tasks] });
    await tell({ call_id: 'c1', step: 1, tool: 'read_file', title: 'a.py' });
    await tell({ call_id: 'c2', step: 2, status: 'running', duration_ms: null });
    expect(all('tool-card')).toEqual([]);
    await click(task('a'));
    expect(all('tool-card').map(({ dataset }) => `${dataset.tool}: ${dataset.status}`)).toEqual([
      'read_file: done',
      'run_command: running',
    ]);
    expect(session.chat.messages).toEqual([]);
    expect(words(one('run-line'))).toContain('3 of 25 steps');
  });

  it('wait for the user: said at the button, in the picture and in the plan, and decided in the task', async () => {
    await openPlan({ ...running, tasks: [...running.tasks] });
    await tell(waiting);
    expect(words(one('plans-waiting'))).toBe('1');
    expect(one('plans-open').getAttribute('aria-label')).toBe('Plans: 1 call of tasks waits for you');
    expect(task('a')?.getAttribute('aria-label')).toContain('Needs you');
    await click(one('plan-waiting').querySelector('button'));
    expect(all('plan-waiting')).toEqual([]);
    await click(all('tool-approve')[0]);
    expect(rpc.last('LLMService.answer_tool').args).toEqual(['plan-r', 'c1', 'allow', 'once', '']);
    await rpc.last('LLMService.answer_tool').answer(null);
    await tell({ status: 'done' });
    expect(all('tool-question')).toEqual([]);
    expect(all('plans-waiting')).toEqual([]);
  });

  it('that wait are found again after a reload', async () => {
    rpc.ready.set('LLMService.list_pending_tools', () => [
      { request_id: 'plan-r', call_id: 'c1', question: questionRow(), task: TASK },
    ]);
    await openPlan({ ...running, tasks: [...running.tasks] });
    expect(words(one('plans-waiting'))).toBe('1');
    await click(task('a'));
    expect(one('tool-text').textContent).toBe('pytest -q tests');
    await tell({ status: 'done' });
    expect(all('tool-question')).toEqual([]);
    expect(all('tool-card')).toHaveLength(1);
  });

  it('are shown without their progress when the task has ended', async () => {
    await openPlan({ ...running, tasks: [...running.tasks] });
    await tell({ call_id: 'c1' });
    await click(task('a'));
    await rpc.emit('planUpdated', updateRow({ tasks: [taskRow('a', { status: 'done' })] }));
    await drawn();
    expect(all('tool-card')).toHaveLength(1);
    expect(all('run-line')).toEqual([]);
  });

  it('of another attempt take the place of the last one', async () => {
    await openPlan({ ...running, tasks: [...running.tasks] });
    await tell({ call_id: 'c1' });
    await click(task('a'));
    await tell({ call_id: 'd1', tool: 'search' }, { run_id: 'run-2' });
    expect(all('tool-card').map(({ dataset }) => dataset.tool)).toEqual(['search']);
  });
});
