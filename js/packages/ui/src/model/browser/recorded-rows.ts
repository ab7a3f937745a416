/** What a server reports of browsers and pages, parsed tolerantly: targets, messages, requests, chosen elements. Pure. */

import type { BrowserState, BrowserTarget } from '@jupyter-ac/link/rpc';
import { fields, list, number, numberOrNull, strings, text } from '../wire.ts';

export interface Target {
  readonly id: string;
  /** `page`, `iframe`, `service_worker`, … */
  readonly type: string;
  readonly title: string;
  readonly url: string;
  readonly browser: string;
  /** Name and version of the browser. */
  readonly product: string;
  /** Its browser was started by this program, so that everything is allowed in it. */
  readonly isLaunched: boolean;
  readonly isWatched: boolean;
  /** Word for the state of its connection. */
  readonly state: string;
  readonly epoch: number;
  readonly granted: readonly string[];
  readonly events: number;
  readonly errors: number;
  /** The user is choosing elements in it. */
  readonly isInspecting: boolean;
  readonly selections: readonly Selection[];
  /** How many requests wait for a decision. */
  readonly paused: number;
  /** What the dialog says that blocks the page; '' for none. */
  readonly dialog: string;
}

export type Level = 'error' | 'warning' | 'info' | 'log' | 'debug';

export interface ConsoleMessage {
  readonly id: number;
  readonly level: Level;
  readonly source: string;
  readonly message: string;
  /** Seconds since 1970; 0 if unknown. */
  readonly time: number;
  /** File of the repository; '' for none. */
  readonly path: string;
  readonly line: number;
}

export interface NetworkRow {
  readonly id: number;
  readonly method: string;
  readonly status: number;
  readonly url: string;
  readonly type: string;
  readonly size: number;
  /** null while it goes on. */
  readonly timeMs: number | null;
  readonly state: string;
  readonly error: string;
}

export interface Selection {
  readonly id: string;
  readonly selector: string;
  readonly role: string;
  readonly name: string;
  readonly tag: string;
  readonly words: string;
}

/** Which requests wait for a decision: none, each one, or its answer, too. */
export type Pausing = 'nothing' | 'requests' | 'both';

/** What is known of the page that is connected, and of all pages together. */
export interface PageState {
  /** Id of the connected page; '' for none. */
  readonly page: string;
  readonly state: string;
  readonly isConnected: boolean;
  /** The last error that wasn't dismissed; '' for none. */
  readonly error: string;
  /** Chosen elements that are being read. */
  readonly pending: number;
  readonly pausing: Pausing;
}

export const NO_PAGE: PageState = {
  page: '',
  state: 'disconnected',
  isConnected: false,
  error: '',
  pending: 0,
  pausing: 'nothing',
};

export function parseTarget(raw: unknown): Target {
  const row = fields<BrowserTarget>(raw);
  return {
    id: text(row.id),
    type: text(row.type),
    title: text(row.title),
    url: text(row.url),
    browser: text(row.browser),
    product: text(row.product),
    isLaunched: row.launched === true,
    isWatched: row.watched === true,
    state: text(row.state, 'disconnected'),
    epoch: number(row.epoch),
    granted: strings(row.granted),
    events: number(row.events),
    errors: number(row.errors),
    isInspecting: row.inspect_active === true,
    selections: parseSelections(row.selections),
    paused: number(row.paused_count),
    dialog: text(row.dialog),
  };
}

export function parsePageState(raw: unknown): PageState {
  const state = fields<BrowserState>(raw);
  const inspect = fields<BrowserState['browser']>(state.browser);
  const { enabled, response_stage } = fields<BrowserState['fetch']>(state.fetch);
  return {
    page: text(fields(state.page).id),
    state: text(state.connectionState, 'disconnected'),
    isConnected: state.connected === true,
    error: text(fields(state.error).message),
    pending: number(inspect.pending_count),
    pausing: enabled !== true ? 'nothing' : response_stage === true ? 'both' : 'requests',
  };
}

/** Previews of chosen elements by their id; the preview may be a member of a larger record. */
export function parseSelections(raw: unknown): readonly Selection[] {
  return Object.entries(fields(raw)).map(([id, value]) => {
    const whole = fields(value);
    const preview = fields(whole.preview ?? value);
    return {
      id,
      selector: text(whole.selector, text(preview.selector)),
      role: text(preview.role),
      name: text(preview.name),
      tag: text(preview.tag),
      words: text(preview.text),
    };
  });
}

const LEVELS: Readonly<Record<string, Level>> = {
  error: 'error',
  assert: 'error',
  warning: 'warning',
  warn: 'warning',
  info: 'info',
  debug: 'debug',
  verbose: 'debug',
};

export function parseMessage(raw: unknown): ConsoleMessage {
  const row = fields(raw);
  const place = placeOf(row);
  return {
    id: number(row.id),
    level: LEVELS[text(row.level)] ?? 'log',
    source: text(row.source),
    message: text(row.message, text(row.text)),
    time: seconds(row.timestamp),
    path: place?.path ?? '',
    line: place?.line ?? 0,
  };
}

/** The first place in a file of the repository: of the message, else of its stack. */
function placeOf(row: Readonly<Record<string, unknown>>): { path: string; line: number } | null {
  for (const candidate of [row, row.location, ...list(row.stack), ...list(row.frames)]) {
    const frame = fields(candidate);
    const path = text(frame.path, text(frame.file));
    if (path) return { path, line: number(frame.line) };
  }
  return null;
}

/** Seconds since 1970, also of milliseconds. */
function seconds(raw: unknown): number {
  const time = number(raw);
  return time > 1e11 ? time / 1000 : time;
}

export function parseRequest(raw: unknown): NetworkRow {
  const row = fields(raw);
  return {
    id: number(row.id),
    method: text(row.method),
    status: number(row.status),
    url: text(row.url),
    type: text(row.type),
    size: number(row.size),
    timeMs: numberOrNull(row.time_ms),
    state: text(row.state),
    error: text(row.error),
  };
}
