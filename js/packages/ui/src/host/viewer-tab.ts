/** The file viewer outside of a panel, as a tab of the application; tabs of a repository share a connection. */

import { define, tagOf } from '@jupyter-ac/link';
import { t } from '@jupyter-ac/messages';
import { css, LitElement, type PropertyValues, type TemplateResult } from 'lit';
import { html } from 'lit/static-html.js';
import { repositoryPathOf } from '../controllers/server-files.ts';
import { StoreController } from '../controllers/store-controller.ts';
import { ThemeController } from '../controllers/theme.ts';
import { tag } from '../elements/element-tags.ts';
import * as icons from '../elements/icons.ts';
import { onOpenLocation } from '../elements/location-links.ts';
import type { AcViewer } from '../elements/viewer.ts';
import type { LoadViewer } from '../load-chunk.ts';
import type { MarkdownRenderer } from '../markdown/markdown-renderer.ts';
import { escapeInvisible, type FileLocation } from '../model/file-location.ts';
import type { Session } from '../model/session.ts';
import { base, tokens } from '../styles/tokens.ts';

const NAME = 'ac-viewer-tab';

export class AcViewerTab extends LitElement {
  static override properties = {
    session: { attribute: false },
    location: { attribute: false },
    serverPath: { attribute: false },
    markdown: { attribute: false },
  };
  static override styles = [
    tokens,
    base,
    css`
      :host {
        display: block;
        height: 100%;
        background: var(--ac-bg);
        color: var(--ac-ink);
      }
      p {
        display: flex;
        gap: 8px;
        align-items: center;
        margin: 0;
        padding: 16px;
      }
    `,
  ];

  declare session: Session;
  /** The requested location. */
  declare location: FileLocation;
  /** Path under the server's root of the file that is meant, until its path in the repository is known; '' then. */
  declare serverPath: string;
  declare markdown: MarkdownRenderer | null;
  load: LoadViewer | null = null;
  /** Called with each location that is shown, and the top of its repository. */
  onMoved: Moved = () => {};

  constructor() {
    super();
    this.serverPath = '';
    this.markdown = null;
    new StoreController(this, () => [this.session]);
    new ThemeController(this, (isDark) => this.markdown?.setDark(isDark));
    onOpenLocation(this, (location) => {
      this.location = location;
    });
  }

  override focus(): void {
    this.#viewer?.focusFile();
  }

  get #viewer(): AcViewer | null {
    return this.renderRoot.querySelector<AcViewer>('.viewer');
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('markdown')) this.markdown?.setDark(this.dataset.theme === 'dark');
    if (!this.serverPath || !this.session.isUsable) return;
    const path = repositoryPathOf(this.session, this.serverPath);
    if (!path) return;
    this.location = { ...this.location, path };
    this.serverPath = '';
  }

  protected override render(): TemplateResult {
    const { session, serverPath } = this;
    if (!session.isUsable) return this.#connection(session);
    if (serverPath) {
      return html`<p role="alert">${icons.warning} <span>${t('%1 is in no repository that can be opened here.', escapeInvisible(serverPath))}</span></p>`;
    }
    return html`<${tag.viewer} class="viewer" .isTab=${true} .session=${session} .load=${this.load}
      .markdown=${this.markdown} .location=${this.location}
      @ac-moved=${({ detail }: CustomEvent<FileLocation>) => this.onMoved(detail, session.repoRoot)}></${tag.viewer}>`;
  }

  #connection({ status, problem }: Session): TemplateResult {
    return status === 'starting'
      ? html`<p class="muted" role="status">${icons.spinner} ${t('Connecting …')}</p>`
      : html`<p role="alert">${icons.warning} <span>${problem}</span></p>`;
  }
}

type Moved = (location: FileLocation, root: string) => void;

/** What a tab is to show. */
export interface ViewerRequest {
  readonly location: FileLocation;
  /** Instead of the location's path: the path of the file under the server's root. */
  readonly serverPath?: string;
  /** Called with each location that is shown, and the absolute top of its repository. */
  readonly moved: Moved;
}

/** One connection to a repository. */
export interface ViewerConnection {
  readonly session: Session;
  /** Resolves to null where it can't be loaded. */
  readonly markdown: Promise<MarkdownRenderer | null>;
  disconnect(): void;
}

/** What a tab needs to be made. */
export interface ViewerTabParts {
  /** Names the repository: tabs with the same key share a connection. */
  readonly key: string;
  readonly load: LoadViewer;
  connect(): ViewerConnection;
}

export interface MountedViewer {
  show(location: FileLocation): void;
  focus(): void;
  dispose(): void;
}

interface Shared {
  readonly connection: ViewerConnection;
  tabs: number;
}

const shared = new Map<string, Shared>();

export function mountViewerTab(
  node: HTMLElement,
  { location, serverPath = '', moved }: ViewerRequest,
  parts: ViewerTabParts,
): MountedViewer {
  const known = shared.get(parts.key) ?? { connection: parts.connect(), tabs: 0 };
  known.tabs += 1;
  shared.set(parts.key, known);
  define(NAME, AcViewerTab);
  const tab = document.createElement(tagOf(NAME)) as AcViewerTab;
  tab.session = known.connection.session;
  void known.connection.markdown.then((markdown) => {
    tab.markdown = markdown;
  });
  tab.load = parts.load;
  tab.location = location;
  tab.serverPath = serverPath;
  tab.onMoved = moved;
  node.replaceChildren(tab);
  let isDisposed = false;
  return {
    show(next) {
      tab.location = next;
    },
    focus: () => tab.focus(),
    dispose() {
      if (isDisposed) return;
      isDisposed = true;
      tab.remove();
      known.tabs -= 1;
      if (known.tabs > 0) return;
      shared.delete(parts.key);
      known.connection.disconnect();
    },
  };
}
