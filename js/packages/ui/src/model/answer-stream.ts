/** The pieces of a running answer, put together; what is missing between them is fetched. */

import { type AttachedStream, type Refusal, type Rpc, RpcError, type RunRow } from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { rawRun } from './agent/raw-run.ts';
import type { Message } from './messages.ts';
import { type Delta, withDelta } from './stream.ts';
import { type Fields, fields, text } from './wire.ts';

export type AnswerText = Pick<Message, 'content' | 'reasoning' | 'run'>;

export interface AnswerTarget {
  /** The running answer as far as it is known; null when `id` isn't its request. */
  answerTo(id: string): AnswerText | null;
  grow(id: string, grown: Partial<AnswerText>): void;
  /** The stream has ended; its result either has arrived by now or is in the server's state. */
  onMissed(id: string): Promise<void>;
  onError(message: string): void;
}

export class AnswerStream {
  /** Deltas buffered while the text before them is being fetched; null when nothing is. */
  #held: Delta[] | null = null;

  constructor(
    private readonly rpc: Rpc,
    private readonly target: AnswerTarget,
  ) {}

  /** Forgets what is being fetched: the answer has ended. */
  end(): void {
    this.#held = null;
  }

  add(id: string, delta: Delta): void {
    const answer = this.target.answerTo(id);
    if (!answer) return;
    if (this.#held) {
      this.#held.push(delta);
      return;
    }
    const content = withDelta(answer.content, delta);
    if (content === null) void this.attach(id);
    else this.target.grow(id, { content });
  }

  addReasoning(id: string, delta: Delta): void {
    const answer = this.target.answerTo(id);
    if (!answer) return;
    const reasoning = withDelta(answer.reasoning, delta);
    if (reasoning === null) void this.attach(id);
    else this.target.grow(id, { reasoning });
  }

  /** Takes the whole text so far, as servers without deltas send it. */
  replace(id: string, content: string): void {
    if (this.target.answerTo(id)) this.target.grow(id, { content });
  }

  /** Fetches the text so far and subscribes to the rest; a gap in the deltas is filled the same way. */
  async attach(id: string): Promise<void> {
    if (this.#held) return;
    const held: Delta[] = [];
    this.#held = held;
    try {
      const soFar = fields<AttachedStream | Refusal | { run: RunRow }>(
        await this.rpc.rpcExtract('LLMService.attach_stream', id),
      );
      if (this.#held !== held) return;
      this.#held = null;
      if (soFar.error || soFar.done === true) await this.target.onMissed(id);
      else this.#takeSoFar(id, soFar, held);
    } catch (error) {
      if (this.#held === held) this.#held = null;
      await this.#onFailed(id, error);
    }
  }

  #takeSoFar(id: string, soFar: Fields<AttachedStream & { run: RunRow }>, held: readonly Delta[]): void {
    const answer = this.target.answerTo(id);
    if (!answer) return;
    this.target.grow(id, {
      content: text(soFar.text),
      reasoning: text(soFar.reasoning, answer.reasoning),
      run: rawRun(soFar.run) ?? answer.run,
    });
    for (const delta of held) this.add(id, delta);
  }

  async #onFailed(id: string, error: unknown): Promise<void> {
    const type = error instanceof RpcError ? error.type : 'internal';
    if (type === 'not_found') await this.target.onMissed(id);
    else if (type !== 'closed')
      this.target.onError(t('The running answer could not be followed; press Stop to end it.'));
  }
}
