/** The few parts of JupyterLab's packages that the side panel uses; the real ones are shared at run time. */

declare module '@lumino/widgets' {
  export class Widget {
    constructor(options?: { node?: HTMLElement });
    readonly node: HTMLElement;
    id: string;
    readonly title: {
      caption: string;
      label: string;
      icon: { render(container: HTMLElement): void } | undefined;
    };
    readonly isDisposed: boolean;
    readonly isVisible: boolean;
    addClass(name: string): void;
    activate(): void;
    show(): void;
    hide(): void;
    setHidden(hidden: boolean): void;
    dispose(): void;
    protected onAfterShow(message: unknown): void;
    protected onActivateRequest(message: unknown): void;
  }
  export class Panel extends Widget {
    addWidget(widget: Widget): void;
  }
}

declare module '@jupyterlab/notebook' {
  import type { Widget } from '@lumino/widgets';

  /** An output, by MIME type. */
  export interface MimeModel {
    readonly trusted: boolean;
    readonly data: Readonly<Record<string, unknown>>;
  }

  type Renderer = Widget & { renderModel(model: MimeModel): Promise<void> };

  export interface RenderMimeRegistry {
    readonly mimeTypes: readonly string[];
    addFactory(
      factory: { safe: boolean; mimeTypes: readonly string[]; createRenderer(): Renderer },
      rank: number,
    ): void;
    createRenderer(mimeType: string): Renderer;
  }

  export interface NotebookPanel {
    readonly content: { readonly rendermime: RenderMimeRegistry };
  }

  export interface INotebookTracker {
    forEach(callback: (panel: NotebookPanel) => void): void;
    readonly widgetAdded: { connect(slot: (tracker: unknown, panel: NotebookPanel) => void): void };
  }
  export const INotebookTracker: unknown;
}

declare module '@lumino/commands' {
  export class CommandRegistry {
    /** As the keys of a binding are written. */
    static keystrokeForKeydownEvent(event: KeyboardEvent): string;
    readonly keyBindings: readonly { readonly command: string; readonly keys: readonly string[] }[];
    addCommand(id: string, options: { label: string; caption?: string; execute(): void }): void;
  }
}

declare module '@jupyterlab/application' {
  import type { CommandRegistry } from '@lumino/commands';
  import type { Widget } from '@lumino/widgets';

  interface Signal {
    connect(slot: () => void): void;
  }

  /** What a document's widgets share: its file and its model. */
  export interface DocumentContext {
    readonly path: string;
    readonly isDisposed: boolean;
    readonly model: { readonly dirty: boolean };
    readonly contentsModel: { readonly last_modified: string } | null;
    revert(): Promise<void>;
  }

  /** A comm; `subshellStarted` since JupyterLab 4.4, never settled where subshells are off. */
  export interface Comm {
    readonly isDisposed: boolean;
    readonly subshellStarted?: Promise<void>;
    onMsg: (message: { readonly content: { readonly data: unknown } }) => void;
    onClose: () => void;
    open(data: object): void;
    send(data: object): void;
    close(): void;
    dispose(): void;
  }

  interface ExecuteReply {
    readonly content: { readonly status: string; readonly evalue?: string };
  }

  export interface KernelConnection {
    /** `idle`, `busy`, `restarting`, `autorestarting`, `dead` and others. */
    readonly status: string;
    readonly id: string;
    readonly isDisposed: boolean;
    /** Of several connections to a kernel only one has comms. */
    readonly handleComms: boolean;
    readonly supportsSubshells?: boolean;
    readonly info: Promise<{ readonly language_info: { readonly name: string } }>;
    readonly statusChanged: Signal;
    createComm(target: string): Comm;
    requestExecute(content: { code: string; store_history: boolean; allow_stdin: boolean }): {
      readonly done: Promise<ExecuteReply>;
    };
  }

  /** The session of a notebook or console; its kernel may be replaced. */
  export interface Session {
    readonly isDisposed: boolean;
    readonly session: { readonly path: string; readonly kernel: KernelConnection | null } | null;
    readonly kernelChanged: Signal;
  }

  type MaybeDocument = Widget & {
    readonly context?: DocumentContext;
    readonly sessionContext?: Session;
  };

  export interface JupyterFrontEnd {
    readonly restored: Promise<void>;
    readonly commands: CommandRegistry;
    readonly serviceManager: {
      readonly contents: {
        localPath(path: string): string;
        driveName(path: string): string;
        get(path: string, options: { content: boolean }): Promise<{ readonly last_modified: string }>;
      };
    };
    readonly shell: {
      readonly currentWidget: MaybeDocument | null;
      widgets(area: 'main'): Iterable<MaybeDocument>;
      readonly currentChanged?: Signal;
      add(widget: Widget, area: 'left' | 'right', options?: { rank?: number }): void;
      activateById(id: string): void;
    };
  }

  export interface JupyterFrontEndPlugin<Service> {
    readonly id: string;
    readonly description: string;
    readonly autoStart: boolean;
    readonly optional: readonly unknown[];
    activate(app: JupyterFrontEnd, ...services: never[]): Service;
  }

  export interface ILayoutRestorer {
    add(widget: Widget, name: string): void;
  }
  export const ILayoutRestorer: unknown;
}

declare module '@jupyterlab/filebrowser' {
  /** The one in the side bar. */
  export interface IDefaultFileBrowser {
    readonly model: {
      /** Of the folder that is shown, with its drive. */
      readonly path: string;
      /** It shows the folder that it showed last time. */
      readonly restored: Promise<void>;
      readonly pathChanged: { connect(slot: () => void): void };
    };
  }
  export const IDefaultFileBrowser: unknown;
}

declare module '@jupyterlab/apputils' {
  export interface ICommandPalette {
    addItem(options: { command: string; category: string }): void;
  }
  export const ICommandPalette: unknown;
}

declare module '@jupyterlab/mermaid' {
  /** Draws with the strict security level, which is Mermaid's own default; a diagram can't change it. */
  export interface IMermaidManager {
    renderSvg(source: string): Promise<{ readonly svg: string; readonly width?: number | null }>;
  }
  export const IMermaidManager: object;
}
