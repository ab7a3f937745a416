/** Connects a panel with the application around it: reports its state, performs commands, opens files outside. */

import { t } from '@jupyter-ac/messages';
import type { LitElement, ReactiveController } from 'lit';
import { fileOfServer, markServerFiles, serverFiles } from '../controllers/server-files.ts';
import { interceptLocations, openLocation } from '../elements/location-links.ts';
import type { Session } from '../model/session.ts';
import { configOf } from '../model/settings-parts.ts';
import type { Dispose, Store } from '../model/store.ts';
import type { TabsStore } from '../model/tabs.ts';
import { START_MS, until } from '../scripting.ts';
import { panelCommands } from './panel-commands.ts';
import { activitiesOf, endOf, type OpenConversation, reportOf } from './panel-report.ts';
import type {
  Activity,
  ActivityKind,
  ConversationRef,
  HostedPanel,
  HostPorts,
  PanelCommandName,
} from './ports.ts';

/** Changes within this time are reported once. */
const PAUSE_MS = 100;
/** More files are ticked without being named in the input. */
const MAX_WRITTEN = 3;
const NOT_OFFERED = t('This server can’t: update and restart it.');

/** The panel's root element. */
type App = LitElement & { readonly session: Session; readonly tabs: TabsStore | null };

/** Runs a function later. */
export type Later = (act: () => void) => void;

/**
 * Connects them until disposed.
 *
 * @param later - runs a report of the changes until then
 */
export function hostPanel(
  app: App,
  ports: HostPorts,
  later: Later = (act) => void setTimeout(act, PAUSE_MS),
): HostedPanel {
  const watch = new ConversationsWatch(app, ports, later);
  const closing = new AbortController();
  interceptLocations(
    app,
    (location) => ports.openLocation(app.session.review.located(location)),
    closing.signal,
  );
  const usable = async (): Promise<Session> => {
    const { session } = app;
    const look = (): true | null => (session.isUsable ? true : refusalOf(session));
    await until(session, look, closing.signal, AbortSignal.timeout(START_MS));
    return session;
  };
  const withFiles = async (): Promise<Session> => {
    const session = await usable();
    const { files } = session;
    await until(files, () => files.isLoaded || null, closing.signal, AbortSignal.timeout(START_MS));
    return session;
  };
  return {
    async perform(name) {
      await usable();
      perform(app, name);
    },
    async tick(serverPaths, isTicked) {
      return markServerFiles(await withFiles(), serverPaths, isTicked).refusal;
    },
    isTicked: (serverPaths) => areTicked(app.session, serverPaths),
    async mention(serverPaths) {
      const session = await withFiles();
      const { paths, refusal } = markServerFiles(session, serverPaths, true);
      if (!paths.length) throw new Error(refusal);
      if (paths.length <= MAX_WRITTEN) session.draft.restore(`${paths.join(', ')}: `);
    },
    async showChanges(serverPath) {
      const path = fileOfServer(await withFiles(), serverPath);
      openLocation(app, { path, line: 0, col: 0, isDiff: true });
    },
    showConversation: (conversation) => showConversation(app, conversation),
    dispose() {
      closing.abort();
      watch.dispose();
    },
  };
}

function perform(app: App, name: PanelCommandName): void {
  const command = panelCommands(app.session, app).find((each) => each.name === name);
  if (!command) throw new Error(NOT_OFFERED);
  if (command.obstacle) throw new Error(command.obstacle);
  command.run();
}

function showConversation({ session, tabs }: App, { id, root, name }: ConversationRef): void {
  if (session.repoRoot !== root)
    throw new Error(
      name
        ? t('The conversation “%1” is one of another repository: open a file of %2 to go there.', name, root)
        : t('The conversation is one of another repository: open a file of %1 to go there.', root),
    );
  if (session.chat.sessionId !== id) tabs?.open(id);
}

/** null while the panel is starting; throws when it has no connection. */
function refusalOf({ status, problem }: Session): null {
  if (status !== 'error' && status !== 'offline') return null;
  throw new Error(problem || t('The panel has no connection to its server.'));
}

function areTicked(session: Session, serverPaths: readonly string[]): boolean | null {
  const { paths } = session.files.isLoaded ? serverFiles(session, serverPaths) : { paths: [] };
  return paths.length ? paths.every((path) => session.selection.has(path)) : null;
}

/** An activity with the session that it runs in. */
interface Watched {
  readonly session: Session;
  readonly activity: Activity;
}

/** Watches the shown conversation, and what goes on in the other ones. */
class ConversationsWatch implements ReactiveController {
  #stores: readonly Store[] = [];
  #stops: readonly Dispose[] = [];
  #isPending = false;
  #isDisposed = false;
  #activities: readonly Watched[] = [];
  #last = '';

  constructor(
    private readonly app: App,
    private readonly ports: HostPorts,
    private readonly later: Later,
  ) {
    app.addController(this);
    if (app.session) this.hostUpdated();
  }

  /** The panel draws when another conversation is shown, and when a part of it was loaded. */
  hostUpdated(): void {
    const { tabs, session } = this.app;
    const stores = [
      ...(tabs ? [tabs] : []),
      ...openConversations(this.app).flatMap((one) => partsOf(one.session)),
      ...[session.breakdown, session.files, configOf(session.settings)],
    ];
    const isSame = stores.length === this.#stores.length;
    if (isSame && stores.every((store, index) => store === this.#stores[index])) return;
    this.#stores = stores;
    for (const stop of this.#stops) stop();
    this.#stops = stores.map((store) => store.subscribe(() => this.#soon()));
    this.#soon();
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.app.removeController(this);
  }

  /** Several stores change at once, and a stream twenty times a second. */
  #soon(): void {
    if (this.#isPending) return;
    this.#isPending = true;
    this.later(() => {
      this.#isPending = false;
      this.#report();
    });
  }

  #report(): void {
    if (this.#isDisposed) return;
    // The other conversations' parts are loaded, and tabs are opened, without the panel drawing anew.
    this.hostUpdated();
    const open = openConversations(this.app);
    const report = reportOf(this.app.session, open, this.app);
    const before = this.#activities;
    this.#activities = open.flatMap((one) =>
      activitiesOf(one).map((activity) => ({ session: one.session, activity })),
    );
    const text = JSON.stringify(report);
    if (text !== this.#last) this.ports.report(report);
    this.#last = text;
    for (const { session, activity } of before) {
      // That of a closed tab goes on without the panel.
      if (!open.some((one) => one.session === session)) continue;
      const goesOn = this.#activities.some(
        (one) => one.session === session && isSameWork(one.activity, activity),
      );
      const end = goesOn ? null : endOf(session, activity);
      if (end) this.ports.ended(end);
    }
  }
}

/** An answer becomes a run with the first tool that it calls. */
function isSameWork(one: Activity, other: Activity): boolean {
  const asAnswer = (kind: ActivityKind) => (kind === 'run' ? 'answer' : kind);
  return one.id === other.id && asAnswer(one.kind) === asAnswer(other.kind);
}

/** While tabs are loaded there may be none, and the shown session is the only one. */
function openConversations({ session, tabs }: App): readonly OpenConversation[] {
  const open = tabs?.tabs ?? [];
  if (open.length < 2) return [{ session, name: '' }];
  return open.map(({ connection, name }) => ({ session: connection.session, name }));
}

/** What changes with the work of a conversation. */
function partsOf(session: Session): readonly Store[] {
  const { chat, commit, compaction, agent } = session;
  return [session, chat, commit, compaction, ...(agent ? [agent] : [])];
}
