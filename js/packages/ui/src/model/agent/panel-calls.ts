/** Store of the tool calls that panels make and that wait for the user. */

import type { PendingTool, ToolUpdate } from '@jupyter-ac/link/rpc';
import { Store } from '../store.ts';
import { type Fields, fields, text } from '../wire.ts';
import { type ToolCall, waitingCall } from './runs.ts';

export interface PanelCall {
  readonly requestId: string;
  /** The panel's title. */
  readonly panel: string;
  readonly call: ToolCall;
}

export class PanelCalls extends Store {
  /** Oldest first. */
  waiting: readonly PanelCall[] = [];

  update({ request_id, panel, call }: Fields<ToolUpdate>): void {
    const { call_id, status, tool } = fields<{ call_id: string; status: string; tool: string }>(call);
    const requestId = text(request_id);
    const others = this.waiting.filter(
      (known) => known.requestId !== requestId || known.call.id !== text(call_id),
    );
    const { question } = fields<{ question: object }>(call);
    this.#set(
      status === 'waiting'
        ? [...others, { requestId, panel: text(panel), call: waitingCall({ call_id, question }, text(tool)) }]
        : others,
    );
  }

  /** Replaces what is known by the calls that wait now. */
  replace(rows: readonly Fields<PendingTool>[]): void {
    this.#set(
      rows.map((row) => ({
        requestId: text(row.request_id),
        panel: text(row.panel),
        call: waitingCall(row),
      })),
    );
  }

  #set(waiting: readonly PanelCall[]): void {
    if (!waiting.length && !this.waiting.length) return;
    this.waiting = waiting;
    this.changed();
  }
}
