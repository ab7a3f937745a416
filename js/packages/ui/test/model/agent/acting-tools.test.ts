import { expect, it } from 'vitest';
import { isActing } from '../../../src/model/agent/acting-tools.ts';

it('is what runs something, also a tool that is not known', () => {
  expect(['run_command', 'run_cell', 'browser_js', 'a_new_tool'].every(isActing)).toBe(true);
  expect(['read_file', 'edit', 'ask_user', 'fetch_url'].some(isActing)).toBe(false);
});
