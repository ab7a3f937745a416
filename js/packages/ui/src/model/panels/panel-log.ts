/** The last lines that a panel has written, and its errors. */

import { Store } from '../store.ts';
import type { JsonValue, LogLevel } from './protocol.ts';

export interface LogLine {
  /** Counts the lines of the panel. */
  readonly id: number;
  readonly level: LogLevel;
  /** As the plugin gave it, cut. */
  readonly text: string;
  /** How often it came in a row. */
  readonly times: number;
}

export const MAX_LINES = 200;
const MAX_LINE_CHARS = 2000;
const MAX_VALUES = 50;

/** Listeners run once for all lines of a frame. */
export class PanelLog extends Store {
  #lines: LogLine[] = [];
  #count = 0;
  #isScheduled = false;

  /** @param schedule - runs an update for all changes until then */
  constructor(private readonly schedule: (update: () => void) => void) {
    super();
  }

  get lines(): readonly LogLine[] {
    return this.#lines.slice(-MAX_LINES);
  }

  /** Lines that are no longer kept. */
  get dropped(): number {
    return Math.max(0, this.#count - MAX_LINES);
  }

  get hasErrors(): boolean {
    return this.lines.some(({ level }) => level === 'error');
  }

  /** @param values - as the plugin gave them: texts stand as they are, other values as JSON */
  add(level: LogLevel, values: readonly JsonValue[]): void {
    const text = joined(values);
    const last = this.#lines.at(-1);
    if (last && last.level === level && last.text === text) {
      this.#lines[this.#lines.length - 1] = { ...last, times: last.times + 1 };
    } else {
      this.#count += 1;
      this.#lines.push({ id: this.#count, level, text, times: 1 });
      // Not at each line: a plugin may write thousands a second.
      if (this.#lines.length > 4 * MAX_LINES) this.#lines = this.#lines.slice(-MAX_LINES);
    }
    this.#later();
  }

  clear(): void {
    this.#lines = [];
    this.#count = 0;
    this.changed();
  }

  #later(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.schedule(() => {
      this.#isScheduled = false;
      this.changed();
    });
  }
}

/** Values beyond what is shown are not written as text. */
function joined(values: readonly JsonValue[]): string {
  let text = '';
  for (const value of values.slice(0, MAX_VALUES)) {
    if (text.length > MAX_LINE_CHARS) break;
    text += `${text && ' '}${typeof value === 'string' ? value.slice(0, MAX_LINE_CHARS + 1) : JSON.stringify(value)}`;
  }
  return text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}…` : text;
}
