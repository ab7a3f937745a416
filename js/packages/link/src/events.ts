/** Methods of this page that the server may call: events and requests of the class `AcApp`, nothing else. */

import type { NotebookEdit, NotebookEdited, OpenNotebookRow } from './generated/api.ts';

export const EVENT_NAMES = [
  'streamChunk',
  'streamDelta',
  'streamComplete',
  'compactionEvent',
  'filesChanged',
  'excludedFilesChanged',
  'urlsChanged',
  'contextChanged',
  'browserChanged',
  'filesModified',
  'startupProgress',
  'userMessage',
  'sessionChanged',
  'modeChanged',
  'settingsChanged',
  'postResponseComplete',
  'streamRetry',
  'binaryFilesSkipped',
  'reviewStarted',
  'reviewEnded',
  'editBlocks',
  'editsChanged',
  'streamReasoning',
  'commitResult',
  'cellRunUpdated',
  'toolUpdated',
  'planUpdated',
  'contextUpdated',
] as const;

export type EventName = (typeof EVENT_NAMES)[number];
export type Emit = (name: EventName, args: unknown[]) => true;

/**
 * The object exposed through jrpc-oo. jrpc-oo exposes every name on the prototype, so this class must contain only
 * the events. Each returns true: a peer may treat an undefined result as no answer.
 */
export class AcApp {
  readonly #emit: Emit;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  streamChunk(...args: unknown[]): true {
    return this.#emit('streamChunk', args);
  }
  streamDelta(...args: unknown[]): true {
    return this.#emit('streamDelta', args);
  }
  streamComplete(...args: unknown[]): true {
    return this.#emit('streamComplete', args);
  }
  compactionEvent(...args: unknown[]): true {
    return this.#emit('compactionEvent', args);
  }
  filesChanged(...args: unknown[]): true {
    return this.#emit('filesChanged', args);
  }
  excludedFilesChanged(...args: unknown[]): true {
    return this.#emit('excludedFilesChanged', args);
  }
  urlsChanged(...args: unknown[]): true {
    return this.#emit('urlsChanged', args);
  }
  contextChanged(...args: unknown[]): true {
    return this.#emit('contextChanged', args);
  }
  browserChanged(...args: unknown[]): true {
    return this.#emit('browserChanged', args);
  }
  filesModified(...args: unknown[]): true {
    return this.#emit('filesModified', args);
  }
  startupProgress(...args: unknown[]): true {
    return this.#emit('startupProgress', args);
  }
  userMessage(...args: unknown[]): true {
    return this.#emit('userMessage', args);
  }
  sessionChanged(...args: unknown[]): true {
    return this.#emit('sessionChanged', args);
  }
  modeChanged(...args: unknown[]): true {
    return this.#emit('modeChanged', args);
  }
  settingsChanged(...args: unknown[]): true {
    return this.#emit('settingsChanged', args);
  }
  postResponseComplete(...args: unknown[]): true {
    return this.#emit('postResponseComplete', args);
  }
  streamRetry(...args: unknown[]): true {
    return this.#emit('streamRetry', args);
  }
  binaryFilesSkipped(...args: unknown[]): true {
    return this.#emit('binaryFilesSkipped', args);
  }
  reviewStarted(...args: unknown[]): true {
    return this.#emit('reviewStarted', args);
  }
  reviewEnded(...args: unknown[]): true {
    return this.#emit('reviewEnded', args);
  }
  editBlocks(...args: unknown[]): true {
    return this.#emit('editBlocks', args);
  }
  editsChanged(...args: unknown[]): true {
    return this.#emit('editsChanged', args);
  }
  streamReasoning(...args: unknown[]): true {
    return this.#emit('streamReasoning', args);
  }
  commitResult(...args: unknown[]): true {
    return this.#emit('commitResult', args);
  }
  cellRunUpdated(...args: unknown[]): true {
    return this.#emit('cellRunUpdated', args);
  }
  toolUpdated(...args: unknown[]): true {
    return this.#emit('toolUpdated', args);
  }
  planUpdated(...args: unknown[]): true {
    return this.#emit('planUpdated', args);
  }
  contextUpdated(...args: unknown[]): true {
    return this.#emit('contextUpdated', args);
  }
}

/** Requests that only a page in JupyterLab answers; exposed beside the events there. */
export interface DocumentRequests {
  getUnsavedFiles(): readonly string[];
  getOpenNotebooks(paths: readonly string[], outputs?: readonly string[]): readonly OpenNotebookRow[];
  applyNotebookEdit(edit: NotebookEdit): NotebookEdited;
}

/** The object exposed through jrpc-oo; like `AcApp`, it has nothing but the requests. */
export class DocumentsHandler implements DocumentRequests {
  readonly #documents: DocumentRequests;

  constructor(documents: DocumentRequests) {
    this.#documents = documents;
  }

  getUnsavedFiles(): readonly string[] {
    return this.#documents.getUnsavedFiles();
  }
  getOpenNotebooks(paths: readonly string[], outputs?: readonly string[]): readonly OpenNotebookRow[] {
    return this.#documents.getOpenNotebooks(paths, outputs);
  }
  applyNotebookEdit(edit: NotebookEdit): NotebookEdited {
    return this.#documents.applyNotebookEdit(edit);
  }
}

/** Answers a frame that is one of the requests; null for any other frame. */
export function answerTo(documents: DocumentRequests, frame: object): object | null {
  const { id, method, params } = frame as { id?: unknown; method?: unknown; params?: { args?: unknown } };
  const name = typeof method === 'string' && id !== undefined ? method.replace(/^AcApp\./, '') : '';
  const args = Array.isArray(params?.args) ? params.args : [];
  switch (name) {
    case 'getUnsavedFiles':
      return { jsonrpc: '2.0', id, result: documents.getUnsavedFiles() };
    case 'getOpenNotebooks':
      return { jsonrpc: '2.0', id, result: documents.getOpenNotebooks(args[0] ?? [], args[1] ?? []) };
    case 'applyNotebookEdit':
      return { jsonrpc: '2.0', id, result: documents.applyNotebookEdit(args[0]) };
    default:
      return null;
  }
}

/** Runs cells; the cell and the result are those of `CellRunner` in the package `page`. */
export interface CellRequests {
  run(cell: never): Promise<object>;
  interrupt(runId: string): Promise<void>;
  kernelOf(notebook: string): Promise<string>;
  variablesOf(notebook: string): Promise<object | null>;
  kernelValue(method: string, name: string): Promise<object>;
}

/** Requests that only a page in JupyterLab answers, for the notebooks that are open there. */
export class CellRunHandler {
  readonly #cells: CellRequests;

  constructor(cells: CellRequests) {
    this.#cells = cells;
  }

  /** A failure is a result, too: of an error only its code would reach the server. */
  async runCell(cell: unknown): Promise<object> {
    try {
      return await this.#cells.run(cell as never);
    } catch (error) {
      return {
        status: 'failed',
        reason: error instanceof Error ? error.message : String(error),
        outputs: [],
      };
    }
  }
  async interruptCell(runId: unknown): Promise<true> {
    await this.#cells.interrupt(String(runId));
    return true;
  }
  async notebookKernel(notebook: unknown): Promise<string> {
    return this.#cells.kernelOf(String(notebook));
  }
  async listVariables(notebook: unknown): Promise<object | null> {
    return this.#cells.variablesOf(String(notebook));
  }
  async kernelValue(method: unknown, name: unknown): Promise<object> {
    return this.#cells.kernelValue(String(method), String(name ?? ''));
  }
}
