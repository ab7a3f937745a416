/** A whole panel over a fake connection. */

import { type RpcLink, tagOf } from '@jupyter-ac/link';
import * as agent from '../../src/agent/index.ts';
import * as browser from '../../src/browser/index.ts';
import * as context from '../../src/context/index.ts';
import * as dialogs from '../../src/dialogs/index.ts';
import type { AcApp } from '../../src/elements/app.ts';
import { registerElements } from '../../src/elements/register-elements.ts';
import { onPartRequest } from '../../src/elements/request-part.ts';
import { MarkdownRenderer } from '../../src/markdown/markdown-renderer.ts';
import type { RepositoryPorts } from '../../src/model/no-repository.ts';
import { Session } from '../../src/model/session.ts';
import * as panels from '../../src/panels/index.ts';
import * as picker from '../../src/picker/index.ts';
import * as plans from '../../src/plans/index.ts';
import type { FakeRpc } from './fake-rpc.ts';
import { folderPorts } from './folder.ts';
import { drawn } from './page.ts';
import { rawRows } from './raw-rows.ts';

export const STATE = {
  messages: [],
  selected_files: ['src/a.py'],
  session_id: 's',
  repo_name: 'weather',
  init_complete: true,
  protocol: 1,
  version: '0.1.0',
  model: { name: 'openai/gpt-a', demo: false, available: true, message: '' },
  active_streams: [],
};

/** A panel that is not connected yet. */
export async function mount(
  rpc: FakeRpc,
  ports: RepositoryPorts = folderPorts(),
): Promise<{ app: AcApp; session: Session }> {
  registerElements();
  rpc.ready.set('LLMService.get_current_state', () => STATE);
  rpc.ready.set('Repo.get_tree_rows', () => rawRows(['src/a.py', 'c.md']));
  rpc.ready.set('LLMService.get_context_breakdown', () => ({ total_tokens: 7, breakdown: {} }));
  rpc.ready.set('LLMService.set_selected_files', (paths) => paths);
  const session = new Session(rpc, {
    version: '0.1.0',
    storage: null,
    draftKey: () => 'd',
    diagnose: async () => '',
    ...ports,
  });
  const app = document.createElement(tagOf('ac-app')) as AcApp;
  app.session = session;
  app.markdown = new MarkdownRenderer();
  app.loadDialogs = async () => dialogs;
  app.registerView = async (view) => ({ browser, plans, panels, context, picker })[view].register();
  onPartRequest(app, app.registerView, (message) => session.toasts.show('error', message));
  app.loadAgent = async () => agent;
  app.link = rpc as unknown as RpcLink;
  document.body.append(app);
  await drawn();
  return { app, session };
}

/** The same, ready to be worked with. */
export async function connect(rpc: FakeRpc): Promise<void> {
  await rpc.become({ state: 'open', first: true });
  await drawn();
}
