/** Answers with edit blocks, and the rows that a server sends of them. */

export interface Block {
  readonly path: string;
  readonly old?: string;
  readonly new?: string;
  /** Of its row among the results. */
  readonly result?: object;
}

export interface Answer {
  readonly content: string;
  readonly blocks: object[];
  readonly results: object[];
}

/** Texts as they are, blocks in the markers that models are taught. */
export function answerOf(...parts: readonly (string | Block)[]): Answer {
  let content = '';
  const blocks: object[] = [];
  const results: object[] = [];
  for (const part of parts) {
    if (typeof part === 'string') {
      content += part;
      continue;
    }
    const { old = '', new: next = '' } = part;
    const start = content.length;
    content += `${part.path}\n🟧🟧🟧 EDIT\n`;
    const oldSpan = [content.length, content.length + old.length];
    content += `${old}🟨🟨🟨 REPL\n`;
    const newSpan = [content.length, content.length + next.length];
    content += `${next}🟩🟩🟩 END\n`;
    const place = {
      index: blocks.length,
      file: part.path,
      file_path: part.path,
      kind: old ? 'edit' : 'create',
      is_create: !old,
      new_path: null,
      span: [start, content.length],
      old_span: oldSpan,
      new_span: newSpan,
      complete: true,
    };
    blocks.push(place);
    results.push({ ...place, ...RESULT, ...part.result });
  }
  return { content, blocks, results };
}

const RESULT = {
  status: 'applied',
  error_type: '',
  message: '',
  cause: '',
  line: 7,
  added: 1,
  removed: 1,
  near: null,
  correctable: false,
  notes: [],
  attempt: 0,
  redone: false,
  protected: '',
  old_preview: '',
  new_preview: '',
};

/** What `streamComplete` says. */
export function completion({ content, blocks, results }: Answer, more: object = {}): object {
  const modified = results.flatMap((row) =>
    (row as { status: string }).status === 'applied' ? [(row as { file: string }).file] : [],
  );
  return {
    response: content,
    edit_blocks: blocks,
    edit_results: results,
    files_modified: [...new Set(modified)],
    attempts: [{}],
    retry_prompt: '',
    can_undo: modified.length > 0,
    ...more,
  };
}

/** The message of the answer as a state or a session has it. */
export function answered(id: string, answer: Answer, more: object = {}): object {
  const { response, can_undo: _, ...edits } = completion(answer, more) as Record<string, unknown>;
  return { role: 'assistant', request_id: id, state: 'done', content: response, ...edits };
}
