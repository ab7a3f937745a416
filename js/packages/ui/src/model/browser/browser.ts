/** Store of the browsers of a workspace as one panel shows them. Made when the user opens the view of browsers. */

import type { LaunchedBrowser, Rpc, TargetList } from '@jupyter-ac/link/rpc';
import { toResult } from '../call-result.ts';
import type { Session } from '../session.ts';
import { type Dispose, Store } from '../store.ts';
import { fields, list, text } from '../wire.ts';
import { ChosenElementsStore } from './chosen-elements.ts';
import { ConsentStore } from './consent.ts';
import { ConsoleMessagesStore } from './console-messages.ts';
import { FilterGroupsStore } from './filter-groups.ts';
import { InterceptionStore } from './interception.ts';
import { NetworkRequestsStore } from './network-requests.ts';
import { PageDialogStore } from './page-dialog.ts';
import { PageNavigation, type Step, withScheme } from './page-navigation.ts';
import { PageNewsStore } from './page-news.ts';
import { NO_PAGE, type PageState, parsePageState, parseTarget, type Target } from './recorded-rows.ts';
import { RefreshSchedule } from './refresh-schedule.ts';
import { ReloadCheckStore } from './reload-check.ts';

export type Pane = 'targets' | 'console' | 'network' | 'rules' | 'inspect';

export class BrowserStore extends Store {
  targets: readonly Target[] = [];
  isLoaded = false;
  page: PageState = NO_PAGE;
  pane: Pane = 'targets';
  /** One sentence on why the last action failed; '' otherwise. */
  problem = '';
  /** What is being done, such as `launch`, or the id of a target; '' for nothing. */
  busy = '';
  readonly rpc: Rpc;
  readonly consent: ConsentStore;
  readonly console: ConsoleMessagesStore;
  readonly network: NetworkRequestsStore;
  readonly filters: FilterGroupsStore;
  readonly interception: InterceptionStore;
  readonly elements: ChosenElementsStore;
  readonly dialog: PageDialogStore;
  readonly news: PageNewsStore;
  readonly reload: ReloadCheckStore;
  readonly #navigation: PageNavigation;
  #chosen = '';
  /** The view is in the page, perhaps not visible. */
  isViewOpen = false;
  #isViewVisible: () => boolean = () => false;
  readonly #view: RefreshSchedule;
  readonly #newsSchedule: RefreshSchedule;
  readonly #stopListening: Dispose[];

  constructor(session: Session, wait: (ms: number) => Promise<void> = sleep) {
    super();
    const { rpc, context, questions, chat } = session;
    this.rpc = rpc;
    this.consent = new ConsentStore(
      rpc,
      (target) => this.target(target)?.granted ?? [],
      (target, granted) => this.#replace(target, { granted }),
    );
    this.console = new ConsoleMessagesStore(rpc);
    this.network = new NetworkRequestsStore(rpc);
    this.filters = new FilterGroupsStore(rpc);
    this.interception = new InterceptionStore(rpc, this.consent);
    this.elements = new ChosenElementsStore(rpc);
    this.dialog = new PageDialogStore(rpc, this.consent);
    this.#navigation = new PageNavigation(rpc, this.consent);
    this.news = new PageNewsStore(rpc, context, {
      watched: () => this.watched,
      readElement: (target, id, source) => this.elements.item(target, id, source),
    });
    this.reload = new ReloadCheckStore(rpc, {
      ...{ news: this.news, consent: this.consent, questions, wait },
      page: () => this.#reloadable,
      isIdle: () => chat.stream === null && rpc.connected,
    });
    this.#view = new RefreshSchedule(
      () => this.#refreshView(),
      () => rpc.connected && this.#isViewVisible(),
    );
    this.#newsSchedule = new RefreshSchedule(
      () => this.#refreshNews(),
      () => rpc.connected && this.watched.length > 0,
    );
    this.#stopListening = [
      rpc.on('browserChanged', (state) => this.#onChange(state)),
      rpc.on('userMessage', () => void this.news.onQuestion()),
      rpc.on('streamComplete', (_id, result) => this.reload.onEdits(fields(result))),
      rpc.on('editsChanged', (_id, change) => this.reload.onEdits(fields(change))),
      rpc.onStatus(({ state }) => state === 'open' && this.#onReconnect()),
    ];
  }

  get watched(): readonly Target[] {
    return this.targets.filter(({ isWatched }) => isWatched);
  }

  /** The watched target whose records are shown; null for none. */
  get chosen(): Target | null {
    const { watched } = this;
    return watched.find(({ id }) => id === this.#chosen) ?? watched[0] ?? null;
  }

  target(id: string): Target | undefined {
    return this.targets.find((target) => target.id === id);
  }

  /** The view has opened; resolves when the targets are known. */
  async open(isVisible: () => boolean): Promise<void> {
    this.isViewOpen = true;
    this.#isViewVisible = isVisible;
    this.changed();
    const { value } = await toResult(this.rpc.rpcExtract('Browser.status'));
    this.page = parsePageState(value);
    await this.#refreshView();
  }

  closeView(): void {
    this.isViewOpen = false;
    this.#isViewVisible = () => false;
    this.changed();
  }

  /** The view may have become visible again. */
  look(): void {
    this.#view.look();
  }

  show(pane: Pane): void {
    this.pane = pane;
    this.changed();
    void this.#refreshPane();
  }

  choose(target: string): void {
    this.#chosen = target;
    this.changed();
    void this.#refreshPane();
  }

  async launch(url: string): Promise<boolean> {
    const value = await this.#do('launch', () => this.rpc.rpcExtract('Browser.launch', withScheme(url)));
    if (value) this.#chosen = text(fields<LaunchedBrowser>(value).target);
    await this.#refreshView();
    return value !== null;
  }

  /** Adds a browser that runs already, by its port. */
  async attach(endpoint: string): Promise<boolean> {
    const value = await this.#do('attach', () => this.rpc.rpcExtract('Browser.targets', endpoint.trim()));
    if (value) await this.#refreshView();
    return value !== null;
  }

  async setWatched(target: string, isWatched: boolean): Promise<void> {
    const method = isWatched ? 'Browser.watch' : 'Browser.unwatch';
    const value = await this.#do(target, () => this.rpc.rpcExtract(method, target));
    if (value && isWatched) this.#chosen = target;
    await this.#refreshView();
  }

  async quit(browser: string): Promise<void> {
    await this.#do(browser, () => this.rpc.rpcExtract('Browser.quit', browser));
    await this.#refreshView();
  }

  /** Loads a page again, or goes back or forward in it. */
  async move(target: string, how: Step | 'reload'): Promise<void> {
    const navigation = this.#navigation;
    await this.#navigate(target, () =>
      how === 'reload' ? navigation.reload(target) : navigation.step(target, how),
    );
  }

  /** Takes a page to an address. */
  async goTo(target: string, address: string): Promise<void> {
    await this.#navigate(target, () => this.#navigation.goTo(target, address));
  }

  async dismissError(): Promise<void> {
    await this.#do('dismiss', () => this.rpc.rpcExtract('Browser.dismiss_errors'));
    this.page = { ...this.page, error: '' };
    this.changed();
  }

  /** Forgets what was recorded of the chosen target. */
  async clear(what: 'console' | 'network'): Promise<void> {
    const { chosen } = this;
    if (!chosen) return;
    const isConsole = what === 'console';
    await this.#do('clear', () => this.rpc.rpcExtract('Browser.clear', !isConsole, isConsole, chosen.id));
    await this.#refreshView();
  }

  /** Says why an action failed; '' ends that. */
  say(problem: string): void {
    this.problem = problem;
    this.changed();
  }

  dispose(): void {
    for (const stop of this.#stopListening) stop();
    this.#view.dispose();
    this.#newsSchedule.dispose();
  }

  get #reloadable(): Target | null {
    const pages = this.watched.filter(({ type, granted }) => type === 'page' && granted.includes('navigate'));
    return pages.find(({ id }) => id === this.#chosen) ?? pages[0] ?? null;
  }

  #onChange(state: unknown): void {
    this.page = parsePageState(state);
    this.changed();
    this.#view.request();
    this.#newsSchedule.request();
  }

  #onReconnect(): void {
    this.#view.request();
    this.#newsSchedule.request();
  }

  async #refreshView(): Promise<void> {
    await this.#refreshTargets();
    this.#newsSchedule.look();
    await this.#refreshPane();
  }

  async #refreshTargets(): Promise<void> {
    const { value, error } = await toResult(this.rpc.rpcExtract('Browser.targets', ''));
    this.isLoaded = true;
    if (error) this.say(error);
    else
      this.targets = list(fields<TargetList>(value).targets)
        .map(parseTarget)
        .filter(({ id }) => id);
    this.news.offerElements();
    this.dialog.adopt(this.watched);
    this.#adoptElements();
    this.changed();
  }

  /** Elements are chosen in the page, perhaps while the view is closed. */
  async #refreshNews(): Promise<void> {
    const isChoosing = this.elements.isActive || this.watched.some(({ isInspecting }) => isInspecting);
    if (isChoosing && !this.#isViewVisible()) await this.#refreshTargets();
    await this.news.refresh();
  }

  async #refreshPane(): Promise<void> {
    const target = this.chosen?.id ?? '';
    this.console.show(target);
    this.network.show(target);
    this.#adoptElements();
    if (!target) return;
    if (this.pane === 'console') await this.console.refresh();
    if (this.pane === 'network') await this.network.refresh();
    if (this.pane === 'rules') await this.interception.show(target);
  }

  #adoptElements(): void {
    this.elements.adopt(this.chosen, this.page);
  }

  async #navigate(target: string, go: () => Promise<string>): Promise<void> {
    if (this.busy) return;
    this.busy = target;
    this.say('');
    const error = await go();
    this.busy = '';
    this.say(error);
    await this.#refreshView();
  }

  #replace(id: string, change: Partial<Target>): void {
    this.targets = this.targets.map((target) => (target.id === id ? { ...target, ...change } : target));
    this.changed();
  }

  async #do(what: string, call: () => Promise<unknown>): Promise<unknown> {
    if (this.busy) return null;
    this.busy = what;
    this.problem = '';
    this.changed();
    const { value, error } = await toResult(call());
    this.busy = '';
    this.say(error);
    return error ? null : (value ?? {});
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
