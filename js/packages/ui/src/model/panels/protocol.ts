/** Panel protocol, version 3: nodes, mutations, environment, names, limits. */

export const PROTOCOL_VERSION = 3;

/** Nodes above each other, and containers above each other in a prop. */
export const MAX_DEPTH = 64;
export const MAX_NODES = 20_000;
/** Characters of the whole tree as JSON. */
export const MAX_TREE_CHARS = 1 << 20;
/** Mutations of one batch. */
export const MAX_BATCH = 100_000;

export const TEXT = '#text';

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

export interface PanelNode {
  /** Unique in the tree, the same as long as the node lives. */
  readonly id: string;
  /** Layout tag, name of a registered component, or `#text`. */
  readonly type: string;
  readonly props: JsonObject;
  /** A bare string is a text of a plugin that speaks an earlier version. */
  readonly children: readonly PanelChild[];
  /** Of `#text` only. */
  readonly text?: string;
}

export type PanelChild = PanelNode | string;

export type Mutation =
  | { readonly type: 'setRoot'; readonly node: PanelNode | null }
  | { readonly type: 'appendChild'; readonly parentId: string; readonly node: PanelNode }
  | {
      readonly type: 'insertBefore';
      readonly parentId: string;
      readonly node: PanelNode;
      readonly beforeId: string;
    }
  | { readonly type: 'removeChild'; readonly parentId: string; readonly nodeId: string }
  | { readonly type: 'setText'; readonly nodeId: string; readonly text: string }
  | { readonly type: 'setProps'; readonly nodeId: string; readonly props: JsonObject }
  /** Extension; `beforeId` null: behind all siblings. */
  | {
      readonly type: 'moveBefore';
      readonly parentId: string;
      readonly nodeId: string;
      readonly beforeId: string | null;
    };

/** Extensions that this host knows, named in `initialize`. */
export const EXTENSIONS: readonly string[] = ['moveBefore'];

/** What a host says of itself. */
export interface PanelEnvironment {
  readonly colorScheme: 'light' | 'dark';
  readonly accentColor?: string;
  readonly reduceMotion?: boolean;
  readonly highContrast?: boolean;
  /** The panel is visible. */
  readonly active?: boolean;
}

export type LogLevel = 'log' | 'info' | 'warn' | 'error';

/** Elements that every host renders. */
export const LAYOUT_TAGS: ReadonlySet<string> = new Set(
  (
    'div span p section header footer nav main aside article ul ol li h1 h2 h3 h4 h5 h6 button input textarea ' +
    'select option label form a img table thead tbody tr th td strong em code pre br hr'
  ).split(' '),
);

/** Elements without children. */
export const VOID_TAGS: ReadonlySet<string> = new Set(['br', 'hr', 'img', 'input', 'wbr']);

/** Events of elements; other events are a component's own. */
export type DomEvent =
  | 'onClick'
  | 'onChange'
  | 'onInput'
  | 'onSubmit'
  | 'onFocus'
  | 'onBlur'
  | 'onKeyDown'
  | 'onKeyUp'
  | 'onMouseEnter'
  | 'onMouseLeave'
  | 'onWheel';

/** `onClick` → `_onClickHandlerId`. */
export function handlerIdProp(event: string): string {
  return `_${event}HandlerId`;
}

/** `_onClickHandlerId` → `onClick`; null for a prop that isn't the id of a handler. */
export function eventOfProp(name: string): string | null {
  return /^_on[A-Z]/.test(name) && name.endsWith('HandlerId') ? name.slice(1, -'HandlerId'.length) : null;
}

/** The id of a node's handler; null when it has none. */
export function handlerOf(props: JsonObject, event: string): string | null {
  const name = handlerIdProp(event);
  const id = Object.hasOwn(props, name) ? props[name] : null;
  return typeof id === 'string' && id ? id : null;
}
