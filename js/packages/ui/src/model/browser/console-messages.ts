/** Store of the console of a page. */

import type { MessageList, Rpc } from '@jupyter-ac/link/rpc';
import { fields } from '../wire.ts';
import { parsedRows, RecordedList } from './recorded-list.ts';
import { type ConsoleMessage, type Level, parseMessage } from './recorded-rows.ts';

export type LevelFilter = 'all' | 'problems' | 'error';

const SHOWN: Readonly<Record<LevelFilter, readonly Level[]>> = {
  all: ['error', 'warning', 'info', 'log', 'debug'],
  problems: ['error', 'warning'],
  error: ['error'],
};

export class ConsoleMessagesStore extends RecordedList<ConsoleMessage> {
  level: LevelFilter = 'all';

  constructor(private readonly rpc: Rpc) {
    super();
  }

  async setLevel(level: LevelFilter): Promise<void> {
    this.level = level;
    this.forget();
    await this.refresh();
  }

  protected fetch(target: string, limit: number): Promise<unknown> {
    // All errors are found, also old ones.
    const level = this.level === 'error' ? 'error' : null;
    return this.rpc.rpcExtract('Browser.console', limit, level, false, target);
  }

  protected parse(value: unknown): readonly ConsoleMessage[] {
    const rows = parsedRows(fields<MessageList>(value).messages, parseMessage);
    return rows.filter(({ level }) => SHOWN[this.level].includes(level));
  }

  protected wordsOf({ message, source, path }: ConsoleMessage): string {
    return `${message} ${source} ${path}`;
  }
}
