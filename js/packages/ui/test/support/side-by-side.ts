/** Conversations side by side over fake connections. */

import type { RpcLink } from '@jupyter-ac/link';
import { conversationTabs } from '../../src/controllers/conversation-tabs.ts';
import type { AcApp } from '../../src/elements/app.ts';
import { Session } from '../../src/model/session.ts';
import type { Beside, TabsStore } from '../../src/model/tabs.ts';
import { FakeRpc } from './fake-rpc.ts';
import { folderPorts } from './folder.ts';
import { rawRows } from './raw-rows.ts';

const STATE = {
  messages: [],
  selected_files: [],
  repo_name: 'weather',
  repo_root: '/weather',
  init_complete: true,
  protocol: 1,
  version: '0.1.0',
  model: { name: 'openai/gpt-a', demo: false, available: true, message: '' },
  active_streams: [],
};
export const OPEN = 'LLMService.open_conversation';

export interface FakeConnection {
  readonly rpc: FakeRpc;
  readonly session: Session;
  isConnected: boolean;
  disconnect(): void;
}

/** A server's conversations: what each session says, by its id. */
export class FakeServer {
  readonly connections: FakeConnection[] = [];
  readonly storage = new Map<string, string>();
  /** Sessions that are in the history. */
  readonly sessions = new Map<string, object>([['s', {}]]);
  shown: FakeConnection | null = null;
  readonly store = {
    getItem: (key: string) => this.storage.get(key) ?? null,
    setItem: (key: string, value: string) => void this.storage.set(key, value),
    removeItem: (key: string) => void this.storage.delete(key),
  };
  #begun = 0;

  /** Connects; the connection shows the session 's' until it opens another one. */
  connect(beside: Beside | null = null): FakeConnection {
    const rpc = new FakeRpc();
    let id = 's';
    rpc.ready.set('LLMService.get_current_state', () => ({
      ...STATE,
      session_id: id,
      ...this.sessions.get(id),
    }));
    rpc.ready.set('Repo.get_tree_rows', () => rawRows(['src/a.py']));
    rpc.ready.set('LLMService.get_context_breakdown', () => ({}));
    rpc.ready.set('LLMService.history_list_sessions', () =>
      [...this.sessions].map(([session_id]) => ({ session_id, preview: `About ${session_id}` })),
    );
    rpc.ready.set('LLMService.new_session', () => ({ session_id: id }));
    rpc.ready.set('LLMService.chat_streaming', () => ({ status: 'started' }));
    rpc.ready.set(OPEN, (wanted) => {
      if (wanted && !this.sessions.has(String(wanted)))
        throw new Error(`There is no session '${wanted}' in your history here.`);
      if (!wanted) this.#begun += 1;
      id = String(wanted || `new-${this.#begun}`);
      this.sessions.set(id, this.sessions.get(id) ?? {});
      return { session_id: id, messages: [], message_count: 0, earlier: 0 };
    });
    const session = new Session(rpc, {
      version: '0.1.0',
      storage: this.store,
      draftKey: () => (beside ? `d#${beside.id}` : 'd'),
      ...(beside ? { openConversation: beside.open } : {}),
      diagnose: async () => '',
      ...folderPorts(),
    });
    const connection: FakeConnection = {
      rpc,
      session,
      isConnected: true,
      disconnect: () => {
        connection.isConnected = false;
        session.dispose();
      },
    };
    this.connections.push(connection);
    return connection;
  }

  tabs(first: FakeConnection, panel: EventTarget = new EventTarget()): TabsStore<FakeConnection> {
    this.shown = first;
    return conversationTabs(panel, first, {
      connect: (beside) => this.connect(beside),
      show: (connection) => {
        this.shown = connection;
        if (panel instanceof EventTarget && 'session' in panel) {
          (panel as AcApp).link = connection.rpc as unknown as RpcLink;
          (panel as AcApp).session = connection.session;
        }
      },
      storage: this.store,
      draftKey: () => 'd',
    });
  }

  /** Opens the newest connection. */
  async opened(connection = this.connections.at(-1)): Promise<FakeConnection> {
    if (!connection) throw new Error('nothing has connected');
    await connection.rpc.become({ state: 'open', first: true });
    return connection;
  }
}
