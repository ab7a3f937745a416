import '../support/jsdom.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CallStatus } from '../../src/model/agent/runs.ts';
import type { Session } from '../../src/model/session.ts';
import { FakeRpc } from '../support/fake-rpc.ts';
import { connect, mount } from '../support/mounted.ts';
import { all, click, drawn, one } from '../support/page.ts';
import { callRow, questionRow, runRow } from '../support/runs.ts';

const ANSWER = 'LLMService.answer_tool';

let rpc: FakeRpc;
let session: Session;

beforeEach(async () => {
  rpc = new FakeRpc();
  ({ session } = await mount(rpc));
  rpc.ready.set('LLMService.list_pending_tools', () => []);
  rpc.ready.set('Settings.get_config_content', () => '{}');
  await connect(rpc);
});

afterEach(() => {
  session.dispose();
  document.body.replaceChildren();
});

async function tell(status: CallStatus): Promise<void> {
  const question = questionRow({ text: 'pytest -q', is_sandboxed: true, scopes: ['once', 'session'] });
  const call = callRow({ call_id: 'tests', tool: 'run_tests', status, question });
  rpc.emit('toolUpdated', { request_id: 't1', run: runRow({}), call, panel: 'Tests' });
  await drawn();
}

it('a call of a panel is asked about as those of the agent are', async () => {
  expect(all('panel-call')).toEqual([]);
  await tell('waiting');
  expect(one('panel-call').textContent).toContain('Panel: Tests');
  expect(one('tool-text').textContent).toBe('pytest -q');
  expect(all('tool-reason')).toEqual([]);
  rpc.ready.set(ANSWER, () => ({ status: 'ok' }));
  await click(all('tool-approve')[0] as HTMLElement);
  expect(rpc.last(ANSWER).args.slice(0, 4)).toEqual(['t1', 'tests', 'allow', 'once']);
  await tell('running');
  expect(all('panel-call')).toEqual([]);
});

it('it adds no answer to the conversation', async () => {
  await tell('waiting');
  await tell('done');
  expect(all('message')).toEqual([]);
  expect(all('tool-card')).toEqual([]);
});
