/** Messages of a conversation as immutable records. Pure. */

import type {
  ChatMessage,
  CompletionResult,
  ErrorInfo,
  ImageRow,
  MessageError,
  TokenUsage,
} from '@jupyter-ac/link/rpc';
import { t } from '@jupyter-ac/messages';
import { type RawRun, rawRun } from './agent/raw-run.ts';
import { type Edits, editsOf, NO_EDITS, reuseUnchangedEdits } from './edits.ts';
import { type Fields, fields, list, number, numberOrNull, strings, text } from './wire.ts';

export type Role = 'user' | 'assistant' | 'system';
/** A field that a server of another version may send. */
interface SystemEvent {
  system_event: boolean;
}

/** Whether a question and its answer are sent again with later questions; '' for as they are. */
export type ContextStanding = '' | 'excluded' | 'pinned' | 'compacted';

export type MessageState = 'streaming' | 'done' | 'error' | 'cancelled';

export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** US dollars, null when the price isn't known. */
  readonly cost: number | null;
  /** Estimated: the answer ended before the provider could report its count. */
  readonly isGuess: boolean;
}

export interface Failure {
  /** The server's error type. */
  readonly type: string;
  readonly message: string;
  /** Seconds after which the provider accepts requests again. */
  readonly retryAfter: number | null;
}

export interface Message {
  readonly key: string;
  readonly role: Role;
  /** Of a system event, e.g. `review_started`; '' for others. */
  readonly kind: string;
  readonly state: MessageState;
  readonly content: string;
  readonly requestId: string;
  readonly failure: Failure | null;
  readonly usage: Usage | null;
  readonly model: string;
  /** Sentences about the turn, e.g. files that were left out. */
  readonly notices: readonly string[];
  readonly edits: Edits;
  /** The model's reasoning before its answer; often ''. */
  readonly reasoning: string;
  /** Images attached to a question. */
  readonly images: readonly Image[];
  /** The agent's run that makes the answer; null for a plain one. */
  readonly run: RawRun | null;
  readonly context: ContextStanding;
  /** Length of the texts that the server has and this page hasn't. */
  readonly rest: Remainder;
}

export interface Image {
  readonly id: string;
  /** Data URI if it is loaded; '' otherwise. */
  readonly uri: string;
}

/** Lengths of the parts of a message that have not been fetched. */
export interface Remainder {
  /** UTF-16 code units of the content that the server has and this page hasn't. */
  readonly content: number;
  readonly reasoning: number;
}

const WHOLE: Remainder = { content: 0, reasoning: 0 };

const BLANK = {
  kind: '',
  state: 'done',
  failure: null,
  usage: null,
  model: '',
  notices: [],
  edits: NO_EDITS,
  reasoning: '',
  images: [],
  run: null,
  context: '',
  rest: WHOLE,
} as const;

export function userMessage(requestId: string, content: string, images: readonly Image[] = []): Message {
  return { ...BLANK, images, key: `${requestId}/user`, role: 'user', requestId, content };
}

/** Stands in place of a model's name where an answer was written by the authors of jupyter_ac. */
export const RECORDED = 'recorded answer';

/** An answer that is awaited or being streamed. */
export function awaitedAnswer(requestId: string, content = '', isRecorded = false): Message {
  return {
    ...BLANK,
    model: isRecorded ? RECORDED : '',
    key: `${requestId}/assistant`,
    role: 'assistant',
    requestId,
    content,
    state: 'streaming',
  };
}

const ROLES: ReadonlySet<unknown> = new Set<Role>(['user', 'assistant', 'system']);
const STANDINGS: ReadonlySet<unknown> = new Set<ContextStanding>(['excluded', 'pinned', 'compacted']);
const STATES: ReadonlySet<unknown> = new Set<MessageState>(['done', 'error', 'cancelled', 'streaming']);

/** Parses the messages of a state or a session snapshot. */
export function parseMessages(raw: unknown): Message[] {
  return list(raw).map((item, index) => {
    const message = fields<ChatMessage | SystemEvent>(item);
    const role = (
      message.system_event ? 'system' : ROLES.has(message.role) ? message.role : 'system'
    ) as Role;
    const requestId = text(message.request_id);
    return {
      ...BLANK,
      key: requestId ? `${requestId}/${role}` : `${index}/${role}`,
      role,
      kind: text(message.kind),
      requestId,
      content: text(message.content),
      state: (STATES.has(message.state) ? message.state : 'done') as MessageState,
      failure: message.error ? parseFailure(fields<MessageError>(message.error)) : null,
      usage: message.usage ? parseUsage(fields<TokenUsage>(message.usage)) : null,
      model: text(message.model),
      notices: strings(message.notices),
      edits: editsOf(message),
      reasoning: text(message.reasoning),
      images: parseImages(message.images),
      run: rawRun(message.run),
      context: (STANDINGS.has(message.context) ? message.context : '') as ContextStanding,
      rest: parseRest(message),
    };
  });
}

/** The complete questions, newest first, without consecutive duplicates. */
export function questionsOf(messages: readonly Message[]): readonly string[] {
  const whole = messages.filter(({ role, rest }) => role === 'user' && !rest.content);
  const texts = whole.map(({ content }) => content).reverse();
  return texts.filter((question, at) => question !== texts[at - 1]);
}

function parseRest(raw: Fields<ChatMessage>): Remainder {
  const rest = { content: number(raw.content_left_out), reasoning: number(raw.reasoning_left_out) };
  return rest.content || rest.reasoning ? rest : WHOLE;
}

/** `message` extended by more of its content. */
export function extended(message: Message, offset: number, more: string, length: number): Message {
  const content = message.content.slice(0, offset) + more;
  return { ...message, content, rest: { ...message.rest, content: Math.max(0, length - content.length) } };
}

/** `next` with the content of `old`, where the server sent only the beginning of it. */
function withMore(old: Message | undefined, next: Message): Message {
  if (!old || !next.rest.content || !old.content.startsWith(next.content)) return next;
  return { ...next, content: old.content, rest: old.rest };
}

export function parseImages(raw: unknown): Image[] {
  return list(raw).map((image) => ({ id: text(fields<ImageRow>(image).id), uri: '' }));
}

/** Images given by their data URIs. */
export function imagesOf(uris: readonly string[]): Image[] {
  return uris.map((uri) => ({ id: '', uri }));
}

/** `messages` with the standings of the marked turns; the same records where nothing has changed. */
export function withMarks(
  messages: readonly Message[],
  marks: ReadonlyMap<string, ContextStanding>,
): readonly Message[] {
  return messages.map((message) => {
    const kept = message.context === 'compacted' ? 'compacted' : '';
    const context = message.role === 'system' ? '' : (marks.get(message.requestId) ?? kept);
    return context === message.context ? message : { ...message, context };
  });
}

/** The messages of the running turn that a session snapshot lacks. */
export function missingIn(
  next: readonly Message[],
  known: readonly Message[],
  requestId: string,
): readonly Message[] {
  const keys = new Set(next.map(({ key }) => key));
  return known.filter((message) => message.requestId === requestId && !keys.has(message.key));
}

/** Applies the result in `streamComplete` to the streamed answer. */
export function completed(answer: Message, result: Fields<CompletionResult>): Message {
  const error = text(result.error);
  const info = fields<ErrorInfo>(result.error_info);
  return {
    ...answer,
    content: text(result.response, answer.content),
    state: result.cancelled === true ? 'cancelled' : error ? 'error' : 'done',
    failure: error ? parseFailure({ ...info, message: error }) : null,
    usage: result.token_usage ? parseUsage(fields<TokenUsage>(result.token_usage)) : null,
    model: text(result.model, text(info.model)),
    notices: strings(result.notices),
    edits: editsOf(result, answer.edits),
    run: rawRun(result.run) ?? answer.run,
  };
}

export function failed(answer: Message, failure: Failure): Message {
  return { ...answer, state: 'error', failure };
}

function parseFailure(raw: Fields<MessageError | ErrorInfo>): Failure {
  return {
    type: text(raw.type, text(raw.error_type, 'internal')),
    message: text(raw.message, t('The answer failed.')),
    retryAfter: numberOrNull(raw.retry_after),
  };
}

function parseUsage(raw: Fields<TokenUsage>): Usage | null {
  const input = number(raw.input_tokens) || number(raw.prompt_tokens);
  const output = number(raw.output_tokens) || number(raw.completion_tokens);
  if (input === 0 && output === 0) return null;
  return {
    input,
    output,
    cacheRead: number(raw.cache_read_tokens),
    cost: numberOrNull(raw.cost_usd),
    isGuess: raw.estimated === true,
  };
}

/** `next` with the records of `old` where nothing has changed, so that they aren't rendered again. */
export function reuseUnchanged(old: readonly Message[], next: readonly Message[]): Message[] {
  const known = new Map(old.map((message) => [message.key, message]));
  return next.map((received) => {
    const same = known.get(received.key);
    const message = withMore(same, received);
    if (same?.content !== message.content || same.state !== message.state) return message;
    const edits = reuseUnchangedEdits(same.edits, message.edits);
    const { usage, failure, reasoning, run, context } = message;
    const isSameRun = JSON.stringify(run) === JSON.stringify(same.run);
    const isRicher = (usage && !same.usage) || (failure && !same.failure) || (reasoning && !same.reasoning);
    if (isRicher || !isSameRun) return { ...same, usage, failure, reasoning, run, context, edits };
    if (context !== same.context) return { ...same, context, edits };
    return edits === same.edits ? same : { ...same, edits };
  });
}

/** Whether a message is the answer to a request. */
export function isAnswerTo(message: Message, id: string | undefined): boolean {
  return message.role === 'assistant' && message.requestId === id;
}
