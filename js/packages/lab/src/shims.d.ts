/** The few parts of JupyterLab's packages that the side panel uses; the real ones are shared at run time. */

declare module '@lumino/widgets' {
  export class Widget {
    constructor(options?: { node?: HTMLElement });
    readonly node: HTMLElement;
    id: string;
    readonly title: {
      caption: string;
      label: string;
      closable: boolean;
      icon: { render(container: HTMLElement): void } | undefined;
    };
    readonly isDisposed: boolean;
    readonly isVisible: boolean;
    readonly isHidden: boolean;
    addClass(name: string): void;
    activate(): void;
    show(): void;
    hide(): void;
    setHidden(hidden: boolean): void;
    dispose(): void;
    protected onAfterShow(message: unknown): void;
    protected onAfterHide(message: unknown): void;
    protected onActivateRequest(message: unknown): void;
  }
  export class Panel extends Widget {
    addWidget(widget: Widget): void;
  }
}

declare module '@jupyterlab/notebook' {
  import type { KernelConnection } from '@jupyterlab/application';
  import type { Widget } from '@lumino/widgets';

  interface UndoManager {
    /** What comes next is a step of its own. */
    stopCapturing(): void;
  }

  /** A cell of the shared document. */
  export interface SharedCell {
    readonly id: string;
    readonly cell_type: string;
    readonly source: string;
    readonly undoManager: UndoManager | null;
    getMetadata(key: string): unknown;
    setMetadata(key: string, value: unknown): void;
    updateSource(start: number, end: number, value: string): void;
    toJSON(): { readonly outputs?: unknown[] };
  }

  /** The document of a notebook, which all its views share. */
  export interface SharedNotebook {
    readonly cells: readonly SharedCell[];
    readonly metadata: {
      readonly language_info?: { readonly name?: string };
      readonly kernelspec?: { readonly language?: string };
    };
    readonly nbformat_minor: number;
    readonly undoManager: UndoManager;
    transact(change: () => void): void;
    insertCell(index: number, cell: object): SharedCell;
    deleteCell(index: number): void;
  }

  /** An output, by MIME type. */
  export interface MimeModel {
    readonly trusted: boolean;
    readonly data: Readonly<Record<string, unknown>>;
    /** Of an output of a notebook. */
    setData?(options: { readonly data: Readonly<Record<string, unknown>> }): void;
  }

  export type Renderer = Widget & { renderModel(model: MimeModel): Promise<void> };

  /** What a registry gives to renderers: MIME type, sanitizer, handlers of links. */
  export interface RendererOptions {
    readonly mimeType: string;
  }

  interface RendererFactory {
    readonly safe: boolean;
    readonly mimeTypes: readonly string[];
    createRenderer(options: RendererOptions): Renderer;
  }

  export interface RenderMimeRegistry {
    readonly mimeTypes: readonly string[];
    addFactory(factory: RendererFactory, rank: number): void;
    getFactory(mimeType: string): RendererFactory | undefined;
    createRenderer(mimeType: string): Renderer;
  }

  interface Signal {
    connect(slot: () => void): void;
  }

  /** The document model of a code cell, shared with other pages. */
  export interface SharedCodeCell {
    getSource(): string;
    setSource(source: string): void;
    getOutputs(): readonly { readonly output_type: string; readonly [member: string]: unknown }[];
    /** One step for the undo manager. */
    transact(change: () => void): void;
    readonly undoManager: { stopCapturing(): void } | null;
  }

  interface EditorPosition {
    readonly line: number;
    readonly column: number;
  }

  /** Of a cell or a file. */
  export interface CodeEditor {
    readonly model: { readonly sharedModel: { getSource(): string } };
    getSelection(): { readonly start: EditorPosition; readonly end: EditorPosition };
    getOffsetAt(position: EditorPosition): number;
  }

  export interface Cell extends Widget {
    /** null while the cell is outside the view. */
    readonly editor: CodeEditor | null;
    readonly model: {
      readonly id: string;
      readonly type: string;
      readonly sharedModel: SharedCodeCell;
      getMetadata(name: string): unknown;
    };
  }

  export interface NotebookModel {
    readonly readOnly: boolean;
    readonly nbformat: number;
    readonly nbformatMinor: number;
    readonly cells: { readonly length: number };
    readonly sharedModel: {
      insertCell(index: number, cell: { cell_type: 'code'; source: string; metadata: object }): void;
      transact(change: () => void): void;
    };
    readonly metadataChanged: Signal;
    getMetadata(name: 'language_info'): { readonly name?: string } | undefined;
    getMetadata(name: 'kernelspec'): { readonly language?: string } | undefined;
  }

  export interface Notebook extends Widget {
    readonly rendermime: RenderMimeRegistry;
    readonly model: NotebookModel | null;
    readonly activeCell: Cell | null;
    readonly widgets: readonly Cell[];
    activeCellIndex: number;
    deselectAll(): void;
    /** Where cells outside the view have no element. */
    scrollToItem?(index: number, align: 'smart'): Promise<void>;
  }

  interface SessionContext {
    readonly session: { readonly kernel: KernelConnection | null } | null;
    readonly kernelChanged: Signal;
  }

  export interface NotebookPanel extends Widget {
    readonly content: Notebook;
    readonly context: {
      readonly path: string;
      readonly ready: Promise<void>;
      /** Says `started` before the model is read. */
      readonly saveState: { connect(slot: (context: unknown, state: string) => void): void };
    };
    readonly sessionContext: SessionContext;
  }

  export const NotebookActions: {
    /** Runs the selected or active cell; resolves at its end to whether it succeeded. */
    run(notebook: Notebook, session: SessionContext): Promise<boolean>;
    /** Comes before the request to run a code cell is sent. */
    readonly executionScheduled: {
      connect(
        slot: (sender: unknown, run: { readonly notebook: Notebook; readonly cell: Cell }) => void,
      ): void;
    };
  };

  export interface INotebookTracker {
    /** The notebook that had the focus last; null: none is open. */
    readonly currentWidget: NotebookPanel | null;
    readonly currentChanged: Signal;
    readonly activeCellChanged: Signal;
    forEach(callback: (panel: NotebookPanel) => void): void;
    find(isIt: (panel: NotebookPanel) => boolean): NotebookPanel | undefined;
    readonly widgetAdded: { connect(slot: (tracker: unknown, panel: NotebookPanel) => void): void };
  }
  export const INotebookTracker: unknown;
}

declare module '@jupyterlab/completer' {
  import type { Cell } from '@jupyterlab/notebook';

  export interface InlineRequest {
    /** Of the whole cell or file. */
    readonly text: string;
    readonly offset: number;
    readonly mimeType?: string;
  }

  /** The document in which a completion is wanted; a notebook has cells. */
  export interface InlineContext {
    readonly widget: {
      readonly context?: { readonly path: string };
      readonly content?: { readonly activeCell?: Cell | null; readonly widgets?: readonly Cell[] };
    };
  }

  export interface InlineItem {
    readonly insertText: string;
  }

  export interface InlineCompletionProvider {
    readonly name: string;
    readonly identifier: string;
    /** `default` has what the user's settings of this provider are at first. */
    readonly schema: { readonly default: Readonly<Record<string, unknown>> };
    fetch(request: InlineRequest, context: InlineContext): Promise<{ items: InlineItem[] }>;
  }

  export interface ICompletionProviderManager {
    registerInlineProvider?(provider: InlineCompletionProvider): void;
  }
  export const ICompletionProviderManager: unknown;
}

declare module '@lumino/commands' {
  export class CommandRegistry {
    /** As the keys of a binding are written. */
    static keystrokeForKeydownEvent(event: KeyboardEvent): string;
    /** Opens a document; resolves to its widget. */
    execute(
      id: 'docmanager:open',
      args: { path: string },
    ): Promise<import('./open-editor.ts').Opened | undefined>;
    execute(id: string): Promise<unknown>;
    readonly keyBindings: readonly { readonly command: string; readonly keys: readonly string[] }[];
    addCommand(
      id: string,
      options: {
        label: string | (() => string);
        caption?: string | (() => string);
        icon?: object;
        isEnabled?(): boolean;
        isVisible?(): boolean;
        isToggleable?: boolean;
        isToggled?(): boolean;
        execute(args?: Readonly<Record<string, unknown>>): unknown;
      },
    ): void;
    notifyCommandChanged(id: string): void;
  }
}

declare module '@jupyterlab/application' {
  import type { CodeEditor } from '@jupyterlab/notebook';
  import type { CommandRegistry } from '@lumino/commands';
  import type { Widget } from '@lumino/widgets';

  interface Signal {
    connect(slot: () => void): void;
  }

  /** Its states: `started`, `failed`, `completed`, `completed manually`. */
  interface SaveSignal {
    connect(slot: (context: unknown, state: string) => void): boolean;
    disconnect(slot: (context: unknown, state: string) => void): boolean;
  }

  /** What a document's widgets share: its file and its model. */
  export interface DocumentContext {
    readonly path: string;
    readonly isDisposed: boolean;
    readonly saveState: SaveSignal;
    readonly model: {
      readonly dirty: boolean;
      readonly readOnly?: boolean;
      /** Others may edit it at the same time; the server saves it. */
      readonly collaborative?: boolean;
      /** Of a notebook, with its cells. */
      readonly sharedModel?: object;
    };
    readonly contentsModel: { readonly last_modified: string; readonly writable?: boolean } | null;
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

  export type MaybeDocument = Widget & {
    readonly context?: DocumentContext;
    readonly content?: {
      /** Of a file. */
      readonly editor?: CodeEditor;
      /** Of our own viewer. */
      readonly shown?: { readonly repo: string };
    };
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
      add(
        widget: Widget,
        area: 'left' | 'right' | 'main',
        options?: { rank?: number; mode?: string; ref?: string },
      ): void;
      activateById(id: string): void;
    };
  }

  export interface JupyterFrontEndPlugin<Service> {
    readonly id: string;
    readonly description: string;
    readonly autoStart: boolean;
    readonly optional: readonly unknown[];
    activate(app: JupyterFrontEnd, ...services: never[]): Service | Promise<Service>;
  }

  export interface ILayoutRestorer {
    add(widget: Widget, name: string): void;
    restore<W extends Widget>(
      tracker: import('@jupyterlab/apputils').WidgetTracker<W>,
      options: {
        command: string;
        args: (widget: W) => Readonly<Record<string, unknown>>;
        name: (widget: W) => string;
      },
    ): Promise<unknown>;
  }
  /** Of JupyterLab, whose main area has tabs; Notebook 7 has none. */
  export type ILabShell = object;
  export const ILabShell: unknown;
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
    /** With the drives in their paths. */
    selectedItems(): Iterable<{ readonly path: string; readonly type: string }>;
  }
  export const IDefaultFileBrowser: unknown;
}

declare module '@jupyterlab/apputils' {
  import type { Widget } from '@lumino/widgets';

  export interface ICommandPalette {
    addItem(options: { command: string; category: string }): void;
  }
  interface NotificationOptions {
    readonly autoClose: number | false;
    readonly actions?: readonly {
      readonly label: string;
      readonly caption?: string;
      readonly displayType?: 'default' | 'accent' | 'warn' | 'link';
      callback(): void;
    }[];
  }
  export const Notification: {
    warning(message: string, options: { autoClose: number }): void;
    /** Returns its id. */
    emit(message: string, type: 'success' | 'error' | 'warning', options: NotificationOptions): string;
    dismiss(id?: string): void;
  };
  export class MainAreaWidget<Content extends Widget = Widget> extends Widget {
    constructor(options: { content: Content });
    readonly content: Content;
    readonly toolbar: Widget;
  }
  /** Keeps what its widgets show, for the next time that the page is loaded. */
  export class WidgetTracker<W extends Widget = Widget> {
    constructor(options: { namespace: string });
    readonly currentWidget: W | null;
    find(isIt: (widget: W) => boolean): W | undefined;
    add(widget: W): Promise<void>;
    save(widget: W): Promise<void>;
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

declare module '@jupyterlab/settingregistry' {
  export interface RawSettings {
    /** The user's values over the defaults. */
    readonly composite: Readonly<Record<string, unknown>>;
    readonly changed: { connect(slot: () => void): void };
    set(name: string, value: boolean | number | string): Promise<void>;
  }
  export interface ISettingRegistry {
    load(plugin: string): Promise<RawSettings>;
  }
  export const ISettingRegistry: unknown;
}

declare module '@jupyterlab/translation' {
  export interface ITranslator {
    /** `en`, `de_DE`. */
    readonly languageCode: string;
    load(domain: string): {
      __(text: string, ...values: unknown[]): string;
      _n(one: string, other: string, count: number, ...values: unknown[]): string;
      _p(context: string, text: string, ...values: unknown[]): string;
    };
  }
  export const ITranslator: unknown;
}

declare module '@jupyterlab/statusbar' {
  import type { Widget } from '@lumino/widgets';

  export interface IStatusBar {
    registerStatusItem(
      id: string,
      options: { item: Widget; align: 'left' | 'middle' | 'right'; rank: number },
    ): { dispose(): void };
  }
  export const IStatusBar: unknown;
}
