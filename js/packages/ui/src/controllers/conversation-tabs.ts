/** Opens conversations in tabs of a panel when its elements ask for that. */

import { type TabConnection, type TabPorts, TabsStore } from '../model/tabs.ts';

class ConversationTabs<Connection extends TabConnection> extends TabsStore<Connection> {
  readonly #listening = new AbortController();

  constructor(panel: EventTarget, first: Connection, ports: TabPorts<Connection>) {
    super(first, ports);
    const { signal } = this.#listening;
    panel.addEventListener('ac-open-tab', (event) => this.#open(event as CustomEvent<string>), { signal });
    panel.addEventListener('ac-show-tab', (event) => this.#show(event as CustomEvent<string>), { signal });
  }

  override dispose(): void {
    this.#listening.abort();
    super.dispose();
  }

  #open(event: CustomEvent<string>): void {
    if (!this.isOffered) return;
    event.preventDefault();
    this.open(event.detail);
  }

  #show(event: CustomEvent<string>): void {
    const tab = this.tabOf(event.detail);
    if (!tab) return;
    event.preventDefault();
    this.activate(tab);
  }
}

/**
 * @param panel - below it the events come from
 * @param first - the connection to the conversation that all panels of the repository show
 */
export function conversationTabs<Connection extends TabConnection>(
  panel: EventTarget,
  first: Connection,
  ports: TabPorts<Connection>,
): TabsStore<Connection> {
  return new ConversationTabs(panel, first, ports);
}
