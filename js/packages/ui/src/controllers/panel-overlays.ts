/** Controller for the dialogs and views that cover a panel: which are open, loading them, and the focus afterwards. */

import { t } from '@jupyter-ac/messages';
import { nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { tag } from '../elements/element-tags.ts';
import * as icons from '../elements/icons.ts';
import { onOpenLocation, onOpenPage, onSearch } from '../elements/location-links.ts';
import { AcViewer } from '../elements/viewer.ts';
import type { LoadDialogs, LoadViewer, RegisterView, View } from '../load-chunk.ts';
import type { MarkdownRenderer } from '../markdown/markdown-renderer.ts';
import type { FileLocation } from '../model/file-location.ts';
import type { Session } from '../model/session.ts';
import type { SettingsTab } from '../model/settings.ts';
import { focused } from './focus.ts';

/**
 * @param path - under the server's root
 * @param line - from 1; 0 for none, as for `col`
 * Resolves to whether it has opened the file.
 */
export type OpenEditor = (path: string, line: number, col: number) => Promise<boolean>;

/** What is open; nothing of it at first. */
interface Open {
  /** Tab of the settings. */
  readonly tab: SettingsTab | null;
  /** Location requested from the file viewer. */
  readonly location: FileLocation | null;
  /** Initial query of "search everywhere". */
  readonly query: string | null;
  /** Address of the web page whose text is shown. */
  readonly pageUrl: string | null;
  /** The review selector. */
  readonly isChoosingReview: boolean;
  /** View of browsers, plans or panels; the viewer may cover it. */
  readonly view: View | null;
}

const NOTHING: Open = {
  tab: null,
  location: null,
  query: null,
  pageUrl: null,
  isChoosingReview: false,
  view: null,
};

/** The panel that is covered. */
interface Host extends ReactiveControllerHost, HTMLElement {
  readonly renderRoot: ParentNode;
  readonly session: Session;
  readonly markdown: MarkdownRenderer | null;
  readonly openEditor: OpenEditor | null;
  readonly loadViewer: LoadViewer;
  readonly loadDialogs: LoadDialogs;
  readonly registerView: RegisterView;
  focusInput(): void;
}

export class PanelOverlays implements ReactiveController {
  #open: Open = NOTHING;
  #areDialogsLoaded = false;
  #loadedViews: ReadonlySet<View> = new Set();
  /** Element to focus again after the dialogs are closed. */
  #opener: HTMLElement | null = null;

  constructor(private readonly host: Host) {
    host.addController(this);
    host.addEventListener('ac-settings', (event) =>
      this.#showDialog({ tab: (event as CustomEvent<SettingsTab>).detail }),
    );
    host.addEventListener('ac-review-start', () => this.#chooseReview());
    host.addEventListener('ac-browser', () => this.#openView('browser'));
    host.addEventListener('ac-plans', () => this.#openView('plans'));
    host.addEventListener('ac-panels', () => this.#openView('panels'));
    onOpenLocation(host, (location) => void this.#openLocation(location));
    onSearch(host, (query) => this.search(query));
    onOpenPage(host, (pageUrl) => this.#showDialog({ pageUrl }));
  }

  hostConnected(): void {}

  /** What is open; setting it doesn't move the focus. */
  get open(): Open {
    return this.#open;
  }

  set open(change: Partial<Open>) {
    this.#open = { ...this.#open, ...change };
    this.host.requestUpdate();
  }

  get isCovering(): boolean {
    const { tab, location, query, pageUrl, isChoosingReview, view } = this.#open;
    return [tab, location, query, pageUrl, view].some((open) => open !== null) || isChoosingReview;
  }

  /** Forgets what is open, before another repository is shown. */
  reset(): void {
    this.#open = NOTHING;
  }

  search(query: string): void {
    if (!this.isCovering || this.#open.location !== null) this.#showDialog({ query });
  }

  /** Loads the dialogs ahead; what fails here is reported when one of them is opened. */
  async preload(): Promise<void> {
    const dialogs = await this.host.loadDialogs().catch(() => null);
    dialogs?.registerDialogs();
    this.#areDialogsLoaded ||= dialogs !== null;
    this.host.requestUpdate();
  }

  render(): TemplateResult {
    const { session, markdown, loadViewer } = this.host;
    const { tab, location, query, pageUrl, isChoosingReview, view } = session.isUsable ? this.#open : NOTHING;
    const wait = html`<p class="loading muted" role="status">${icons.spinner} ${t('Loading …')}</p>`;
    const loading = this.#areDialogsLoaded ? nothing : wait;
    const close = (): void => void this.#close();
    return html`${
      tab
        ? html`<${tag.settings} .session=${session} .tab=${tab} @ac-close=${close}></${tag.settings}> ${loading}`
        : nothing
    }
    ${
      isChoosingReview
        ? html`<${tag.reviewStart} .session=${session} @ac-close=${close}></${tag.reviewStart}> ${loading}`
        : nothing
    }
    ${
      view
        ? html`<${tag[view]} class="view" .session=${session} ?inert=${location !== null || query !== null}
            @ac-close=${close}></${tag[view]}>
          ${this.#loadedViews.has(view) ? nothing : wait}`
        : nothing
    }
    ${
      location
        ? html`<${tag.viewer} .session=${session} .load=${loadViewer} .markdown=${markdown}
            .location=${location} ?inert=${query !== null} @ac-close=${close}></${tag.viewer}>`
        : nothing
    }
    ${
      pageUrl === null
        ? nothing
        : html`<${tag.webPage} .session=${session} .url=${pageUrl} @ac-close=${close}></${tag.webPage}> ${loading}`
    }
    ${
      query === null
        ? nothing
        : html`<${tag.everywhere} .session=${session} .first=${query}
            @ac-close=${() => void this.#closeSearch()}></${tag.everywhere}>
          ${loading}`
    }`;
  }

  /** Opens something over what is open. */
  #show(change: Partial<Open>): void {
    if (!this.isCovering) this.#opener = focused();
    this.open = change;
  }

  #showDialog(change: Partial<Open>): void {
    this.#show(change);
    void this.#load(async () => {
      (await this.host.loadDialogs()).registerDialogs();
      this.#areDialogsLoaded = true;
    });
  }

  #chooseReview(): void {
    if (!this.isCovering) this.#showDialog({ isChoosingReview: true });
  }

  #openView(view: View): void {
    if (this.isCovering) return;
    this.#show({ view });
    void this.#load(async () => {
      await this.host.registerView(view);
      this.#loadedViews = new Set([...this.#loadedViews, view]);
    });
  }

  /** Loads elements; the one that is in the page already starts to work then. */
  async #load(register: () => Promise<void>): Promise<void> {
    try {
      await register();
    } catch (error) {
      this.host.session.toasts.show('error', error instanceof Error ? error.message : String(error));
      await this.#close();
    }
    this.host.requestUpdate();
  }

  /** Opens a file in the editor beside the panel, if there is one; what an editor can't show opens in the viewer. */
  async #openLocation(requested: FileLocation): Promise<void> {
    const { session, openEditor } = this.host;
    const location = session.review.located(requested);
    const isFile =
      location.mapFor === undefined && !location.isDiff && !location.isReview && !location.anchor;
    if (isFile && openEditor && (await this.#openInEditor(location, openEditor))) return;
    this.#show({ location });
  }

  async #openInEditor({ path, line, col }: FileLocation, openEditor: OpenEditor): Promise<boolean> {
    const dialogs = await this.host.loadDialogs().catch(() => null);
    const onServer = dialogs?.serverPathOf(this.host.session, path) ?? null;
    // The viewer also says why a file can't be opened.
    return onServer !== null && (await openEditor(onServer, line, col).catch(() => false));
  }

  /** Closes the search; focuses the viewer if it is open. */
  async #closeSearch(): Promise<void> {
    this.open = { query: null };
    await this.host.updateComplete;
    if (this.#open.location === null) await this.#close();
    else [...this.host.renderRoot.querySelectorAll('.frame > *')].find(isViewer)?.focusFile();
  }

  async #close(): Promise<void> {
    // What the viewer covered stays open.
    const view = this.#open.location === null ? null : this.#open.view;
    this.open = { ...NOTHING, view };
    // Covered elements are inert until the update.
    await this.host.updateComplete;
    const covered = this.host.renderRoot.querySelector<HTMLElement>('.view');
    if (covered) covered.focus();
    else if (this.#opener?.isConnected) this.#opener.focus();
    else this.host.focusInput();
  }
}

function isViewer(element: Element): element is AcViewer {
  return element instanceof AcViewer;
}
