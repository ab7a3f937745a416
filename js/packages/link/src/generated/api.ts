/** The wire as a host serves it. Made by `make docs` from its table of methods; not edited. */

/** What `get_current_state` and the health route say when both ends fit together. */
export const PROTOCOL = 1;

/** A plan whose results are in the user's files. */
export interface AppliedPlan {
  /** As it is now. */
  plan: PlanRow;
  /** That were changed, and staged. */
  files: string[];
}

/** A question that a page of the same person has just sent. */
export interface AskedQuestion {
  /** The user's text. */
  content: string;
  /** The sending page's identifier of the turn, for `attach_stream`. */
  request_id: string;
  /** Its images, for `get_image`. */
  images?: ImageRow[];
  /** Its answer is recorded: no model makes it. */
  recorded?: boolean;
}

/** An answer so far. */
export interface AttachedStream {
  text: string;
  /** Of the text, in UTF-16 code units: the `offset` of the next `streamDelta`. */
  length: number;
  request_id: string;
  /** It is over, nothing follows. */
  done: boolean;
  /** How it ended, `running` before that. */
  state: 'running' | 'done' | 'cancelled' | 'error';
  /** The provider's word for why it ended; `length`: it was cut. */
  finish_reason: string | null;
  /** What the model wrote before it answered, so far. */
  reasoning: string;
  /** One or two sentences when it failed; absent else. */
  error?: string;
  /** Sentences for the user about a turn that is over. */
  notices?: string[];
  /** The agent's run that makes it; absent for a plain answer. */
  run?: RunRow;
}

/** One answer of a turn: the first, or one to the automatic request for failed edits. */
export interface Attempt {
  /** Its start in the turn's text, in UTF-16 code units. */
  text_start: number;
  /** Its end. */
  text_end: number;
  /** Number of applied blocks. */
  passed: number;
  /** Number of other blocks. */
  failed: number;
  /** Null if unknown. */
  token_usage: MessageUsage | null;
  /** The provider's reason for the end. */
  finish_reason: string | null;
}

/** The texts of a block, truncated if they are long. */
export interface BlockTexts {
  /** The lines to replace. */
  old: string;
  /** The replacement. */
  new: string;
}

/** A branch and its last commit. */
export interface BranchRow {
  /** A remote's with the remote's name before it. */
  name: string;
  /** Of the last commit. */
  sha: string;
  /** The first paragraph of its message. */
  message: string;
  /** Whether it is checked out here. */
  is_current: boolean;
  /** Whether it is a remote's, as last fetched. */
  is_remote: boolean;
}

/** A branch was checked out. */
export interface BranchSwitched {
  status: 'ok';
  branch: string;
  /** Of its last commit. */
  sha: string;
}

/** The session that goes on from before a question, or from behind its answer. */
export interface BranchedSession {
  session_id: string;
  /** Oldest first; all of them, unless they are very many or very long. */
  messages: ChatMessage[];
  /** Number of messages before them, for `get_session_messages`. */
  earlier: number;
  message_count: number;
  /** The question, whole; "" from behind the answer. */
  question: string;
  /** That came with it. */
  images: ImageRow[];
}

/** The repository's own branches. */
export interface Branches {
  /** By name. */
  branches: BranchRow[];
  /** Null when no branch is checked out. */
  current: string | null;
}

/** The browser's part of the state; names and shapes are seed 003's. */
export interface BrowserState {
  /** `disconnected`, `connecting`, `connected`, `inspecting` or `disconnecting`. */
  connectionState: string;
  /** How many connections to a page there have been. */
  epoch: number;
  /** There is one. */
  connected: boolean;
  /** `{id, title, url}`; null if there is none. */
  page: Record<string, unknown> | null;
  /** What was recorded. */
  events: EventCount;
  /** Interception. */
  fetch: FetchState;
  /** Filters. */
  filters: FilterState;
  /** Selection of elements. */
  browser: InspectState;
  /** `{message, timestamp}` of the last one that wasn't dismissed; null if there is none. */
  error: Record<string, unknown> | null;
}

/** The browser's part of the state, with the hashes of what clients compare. */
export interface BrowserStatus {
  /** `disconnected`, `connecting`, `connected`, `inspecting` or `disconnecting`. */
  connectionState: string;
  /** How many connections to a page there have been. */
  epoch: number;
  /** There is one. */
  connected: boolean;
  /** `{id, title, url}`; null if there is none. */
  page: Record<string, unknown> | null;
  /** What was recorded. */
  events: EventCount;
  /** Interception. */
  fetch: FetchState;
  /** Filters. */
  filters: FilterState;
  /** Selection of elements. */
  browser: InspectState;
  /** `{message, timestamp}` of the last one that wasn't dismissed; null if there is none. */
  error: Record<string, unknown> | null;
  /** Of `browser.selections`: 16 hexadecimal digits, as all of them. */
  selections_hash: string;
  /** Of `filters`. */
  filters_hash: string;
  /** Of `fetch`. */
  fetch_hash: string;
  /** Of `page`. */
  page_hash: string;
  /** Of `error`. */
  error_hash: string;
}

/** A tab, frame or worker of a browser. */
export interface BrowserTarget {
  /** For `watch`, and as `target` of the other methods. */
  id: string;
  /** `page`, `iframe`, `service_worker`, …, as in the DevTools Protocol. */
  type: string;
  /** Of the page. */
  title: string;
  /** Of the page. */
  url: string;
  /** Id of the browser that it belongs to. */
  browser: string;
  /** Name and version of the browser. */
  product: string;
  /** The browser was started by this program, so that everything is allowed in it. */
  launched: boolean;
  /** Its events are recorded. */
  watched: boolean;
  /** Of its connection, as of `BrowserState.connectionState`. */
  state: string;
  /** How often it was connected. */
  epoch: number;
  /** What the user has allowed in it. */
  granted: string[];
  /** Recorded requests and console messages. */
  events: number;
  /** Messages of level error, and failed requests. */
  errors: number;
  /** The user is choosing elements. */
  inspect_active: boolean;
  /** Previews of chosen elements by their id. */
  selections: Record<string, unknown>;
  /** Requests that wait for a decision. */
  paused_count: number;
  /** What the page's dialog says; "" if it shows none. */
  dialog: string;
}

/** The outcome of a command of the DevTools Protocol. */
export interface CdpRow {
  /** As the browser gave it. */
  result: Record<string, unknown>;
}

/** A cell is added. */
export interface CellInsertion {
  /** `insert`. */
  op: 'insert';
  /** Id of the cell that it follows; null at the beginning. */
  after: string | null;
  /** What is added. */
  cell: NotebookCell;
}

/** A cell gets another place. */
export interface CellMove {
  /** `move`. */
  op: 'move';
  /** Of the cell. */
  id: string;
  /** Id of the cell that it follows; null at the beginning. */
  after: string | null;
}

/** An output of a cell. */
export interface CellOutputRow {
  /** `text` of print and of results, `error` with its traceback, `image`. */
  kind: 'text' | 'error' | 'image';
  /** Without escape sequences; "" for images. */
  text: string;
  /** Of an image. */
  mime_type?: string;
  /** Size of an image; `get_cell_run_image` returns it. */
  bytes?: number;
}

/** A cell is removed. */
export interface CellRemoval {
  /** `delete`. */
  op: 'delete';
  /** Of the cell. */
  id: string;
  /** Its text, which must not have changed. */
  before: string;
}

/** A cell becomes one of another type, without outputs. */
export interface CellReplacement {
  /** `replace`. */
  op: 'replace';
  /** Of the cell. */
  id: string;
  /** Its text, which must not have changed. */
  before: string;
  /** What it becomes. */
  cell: NotebookCell;
}

/** An image that a cell has put out, as a `data:` address. */
export interface CellRunImage {
  data_uri: string;
}

/** A cell that the program wants to run, runs, or has run. */
export interface CellRunRow {
  run_id: string;
  /** Path of the notebook, as the program gave it. */
  notebook: string;
  kernel_id: string;
  code: string;
  /** Of the code in UTF-8, hexadecimal. */
  sha256: string;
  /** `waiting` for approval, `running`, or how it ended. */
  status: 'waiting' | 'running' | 'ok' | 'error' | 'timed_out' | 'interrupted' | 'refused';
  /** A sentence on why it ended like this; "" if there is nothing to say. */
  reason: string;
  /** Seconds after which the kernel is interrupted. */
  time_limit_s: number;
  /** ISO 8601, UTC. */
  requested_at: string;
  /** The same; "" before it has started. */
  started_at: string;
  /** Of the run; null before its end. */
  duration_s: number | null;
  /** Who approved it; "" before. */
  approved_by: string;
  /** Bounded; empty for earlier runs but their texts. */
  outputs: CellOutputRow[];
  /** Number of characters and images that were over the limits. */
  left_out: number;
}

/** A cell after a call. */
export interface CellRunStatus {
  run_id: string;
  /** As of `CellRunRow`. */
  status: string;
  /** Of the code in UTF-8, hexadecimal. */
  sha256: string;
}

/** A part of the request whose size differs from the last request. */
export interface ChangedPart {
  /** As in the breakdown. */
  category:
    | 'system'
    | 'legend'
    | 'map'
    | 'files'
    | 'urls'
    | 'review'
    | 'context'
    | 'tools'
    | 'history'
    | 'question';
  /** Of a file, a page, a part of a review, or something added; "" for a whole category. */
  path: string;
  /** The same in printable characters; "" for a whole category. */
  name: string;
  /** Its tokens in the last request; 0 when it wasn't there. */
  before: number;
  /** Its tokens in the next one; 0 when it isn't there any more. */
  after: number;
}

/** The answer is being stopped; its `streamComplete` follows. */
export interface ChatCancelling {
  status: 'cancelling';
  success: boolean;
}

/** One message of a conversation; an unfinished answer is not included. */
export interface ChatMessage {
  /** The complete blocks. */
  edit_blocks?: EditBlockRow[];
  /** The result of each block, including incomplete ones. */
  edit_results?: EditResult[];
  /** Files changed by the edits, each once. */
  files_modified?: string[];
  /** Its answers; absent if there is only one. */
  attempts?: Attempt[];
  /** A prompt that the user may send for failed edits; absent if none failed. */
  retry_prompt?: string;
  /** Number of blocks without a row here, because all rows would be too long; absent if all are here. */
  edits_left_out?: number;
  /** `system` for events beside the conversation, classified by `kind`. */
  role: 'user' | 'assistant' | 'system';
  content: string;
  /** The same for a question and its answer; a system event has its own. */
  request_id: string;
  /** `cancelled` and `error` on answers only; then their content is the part received before. */
  state: 'done' | 'cancelled' | 'error';
  /** Of a system event: `commit`, `reset`, `mode`, `compaction`, `review_started` or `review_ended`. */
  kind?: string;
  /** On answers. */
  turn_id?: string;
  /** The answering model; on answers. */
  model?: string;
  /** With the state `error`. */
  error?: MessageError;
  /** If the provider reported it. */
  usage?: MessageUsage;
  /** Sentences for the user about the turn. */
  notices?: string[];
  /** The provider's reason for the end; `length`: the answer was cut. */
  finish_reason?: string;
  /** The model's reasoning before the answer, from models that show it. */
  reasoning?: string;
  /** Images of a question, for `get_image`. */
  images?: ImageRow[];
  /** Which of its agents the client named with the question. */
  agent_tag?: string;
  /** The agent's run that made the answer. */
  run?: RunRow;
  /**
   * Of an answered question and its answer: `excluded` by the user from what is sent; `pinned`, so that a
   * compaction keeps them; `compacted`, so that they are sent only as a part of a summary, or not at all.
   * Missing: they are sent as they are.
   */
  context?: 'excluded' | 'pinned' | 'compacted';
  /** Number of UTF-16 code units missing from a very long content; `get_message_text` returns them. */
  content_left_out?: number;
  /** Likewise. */
  reasoning_left_out?: number;
}

/** The question was accepted; its `streamComplete` follows in any case. */
export interface ChatStarted {
  status: 'started';
}

/** The result of `clear`. */
export interface ClearedRecords {
  /** `events`, `console`. */
  cleared: string[];
}

/** The result of `browser.clear`: no element is chosen. */
export interface ClearedSelections {
  /** True. */
  success: boolean;
  /** Empty. */
  selections: Record<string, unknown>;
}

/** A cell beside the cursor's. */
export interface CodeCell {
  /** Of the notebook's cell; what the user has excluded isn't sent. */
  id: string;
  /** Of the cell. */
  text: string;
}

/** A column of a table. */
export interface ColumnRow {
  name: string;
  dtype: string;
}

/** A file that differs from the last commit, or a folder of new files that tools make. */
export interface CommitCandidate {
  /** A folder's ends in `/`; it stands for all new files below it. */
  path: string;
  /** Of a renamed file; absent else. */
  old_path?: string;
  /** What happened to it; `new`: the last commit doesn't have it. */
  kind: 'new' | 'modified' | 'deleted' | 'renamed' | 'conflicted';
  /** Something of it is staged. */
  staged: boolean;
  /** What is staged of it is not all of the change: `part` chooses. */
  partly: boolean;
  /** A commit takes it unless the user says otherwise; of a partly staged file what is staged. */
  ticked: boolean;
  /** Why it isn't ticked, or what should be known of it all the same; "" for nothing. */
  reason: string;
  /** It looks like a secret; it isn't committed without `include_secrets`. */
  secret: boolean;
  /** Bytes on disk; 0 for what is gone or no plain file. */
  size: number;
  /** How many new files a folder stands for; 0 of a file. */
  files: number;
  /** Tells it from what it is after a change; "" of a folder. */
  version: string;
}

/** What a commit could take now. */
export interface CommitCandidates {
  /** Staged, changed and new ones, in that order; at most 1,000. */
  files: CommitCandidate[];
  /** How many more there are. They are not committed by this form. */
  left_out: number;
  /**
   * A merge, rebase, cherry-pick, revert or am under way: the commit takes all that git tracks; null when the
   * choice is free.
   */
  operation: string | null;
  /** Why nothing can be committed now; "" when something can. */
  refusal: string;
  /** Why no message can be written; "" when one can. */
  no_model: string;
  /** Null when nothing can be undone. */
  undo: CommitUndo | null;
}

/** A file that a commit shall take. */
export interface CommitChoice {
  /** As it was listed. */
  path: string;
  /**
   * `staged`: as the index has it; `whole`: as it is on disk; when absent what is staged of it, else the
   * whole.
   */
  part?: 'staged' | 'whole';
  /** As it was listed: the commit is refused when the file has changed since. */
  version?: string;
}

/** A page of the commits, and the branches to mark in it. */
export interface CommitGraph {
  /** Children before parents. */
  commits: GraphRow[];
  branches: BranchRow[];
  /** Whether a further page has any. */
  has_more: boolean;
}

/** What a commit runs beside git. */
export interface CommitHooksRow {
  /** The hooks that git finds, by name. */
  hooks: string[];
  /** Where they are; "" for none there. */
  folder: string;
  /** Of hooks that the configuration names, and of the program that signs. */
  commands: string[];
  /** Why a commit would be refused: the program that signs may not run; "" for none. */
  refusal: string;
}

/** A commit that was made. */
export interface CommitMade {
  /** Its full hash. */
  sha: string;
  /** As it was given. */
  message: string;
  /** The hooks that git found for it. */
  hooks: string[];
  /** Where they are; "" for none there. */
  hooks_folder: string;
}

/** A commit by its full hash and the shortest that git gives it. */
export interface CommitName {
  sha: string;
  short_sha: string;
}

/** The outcome of a commit, with `sha` or `error`. */
export interface CommitOutcome {
  /** `committed`, or `failed`; then staged changes stay staged. */
  status: 'committed' | 'failed';
  /** Of the commit. */
  sha?: string;
  /** The same, abbreviated. */
  short_sha?: string;
  /** Of the commit; if it failed the intended one. */
  message?: string;
  /** Files changed by the commit. */
  files?: string[];
  /** The hooks that git found for it. */
  hooks?: string[];
  /** The message about it in the conversation. */
  system_event_message?: string;
  /** Sentences for the user, for example about secrets in the commit. */
  notices?: string[];
  /** One or two sentences if it failed; otherwise absent. */
  error?: string;
  /** New files that look like secrets, if they are the reason for the failure. */
  secrets?: string[];
}

/** Nothing was committed. */
export interface CommitRefusal {
  /** One or two sentences for the user. */
  error: string;
  /** The new files that look like secrets, where they are why. */
  secrets?: string[];
}

/** One commit. */
export interface CommitRow {
  sha: string;
  short_sha: string;
  /** The first paragraph of its message, on one line. */
  message: string;
  /** The author's name. */
  author: string;
  /** When it was written, ISO 8601. */
  date: string;
}

/** The commit is being made; `commitResult` follows. */
export interface CommitStarted {
  status: 'started';
}

/** The commit that `undo_commit` would take back. */
export interface CommitUndo {
  sha: string;
  short_sha: string;
  subject: string;
}

/** The commit is undone; what it changed is staged. */
export interface CommitUndone {
  status: 'undone';
  /** Of the commit that was undone. */
  sha: string;
  short_sha: string;
  /** Its whole message. */
  message: string;
  /** The commit that is checked out now; "" when there is none any more. */
  parent: string;
}

/** The conversation is being compacted; `compactionEvent` tells the end. */
export interface CompactionStarted {
  status: 'started';
}

/** A completion at a position. */
export interface Completion {
  /** What is inserted. */
  label: string;
  /** `class`, `function`, `method`, `variable`, `import` and the like. */
  kind: string;
  /** A signature, or where it comes from; "" when nothing is known. */
  detail: string;
}

/** The outcome of a turn. */
export interface CompletionResult {
  /** The whole answer, or its received part; all answers if there were several. */
  response: string;
  token_usage: TokenUsage;
  /** The provider's reason for the end; `length`: the answer was cut. */
  finish_reason: string | null;
  /** The question. */
  user_message: string;
  turn_id: string;
  /** "" if none was selected. */
  model: string;
  /** The complete blocks. */
  edit_blocks: EditBlockRow[];
  /** The result of each block, including incomplete ones. */
  edit_results: EditResult[];
  /** Commands suggested by the answer; they are never run automatically. */
  shell_commands: string[];
  /** Number of applied blocks. */
  passed: number;
  /** Number of blocks without any change to make. */
  already_applied: number;
  /** Number of blocks that could not be applied. */
  failed: number;
  /** Number of blocks that were refused, or belong to an answer that was not used. */
  skipped: number;
  /** Number of blocks for files that the model had not been sent. */
  not_in_context: number;
  /** Number of blocks that wait for the user's decision. */
  pending: number;
  /** Files changed by the edits, each once. */
  files_modified: string[];
  /** Files added to the selection because a block refers to them. */
  files_auto_added: string[];
  /** Files created by the edits, and added to the selection. */
  files_created: string[];
  /** The answers of the turn, in order. */
  attempts: Attempt[];
  /** A prompt that the user may send for failed edits; "" if none failed. */
  retry_prompt: string;
  /** Whether `undo_last_edits` would undo this turn's edits. */
  can_undo: boolean;
  /** Selected files that were not sent because they are not text. */
  binary_files?: string[];
  /** Selected files that were not sent for another reason. */
  invalid_files?: string[];
  /** Selected files that did not fit into the prompt. */
  shed_files?: string[];
  /** Sentences for the user about the turn. */
  notices?: string[];
  /** True if the user stopped it; otherwise absent. */
  cancelled?: boolean;
  /** One or two sentences if it failed; otherwise absent. */
  error?: string;
  /** Present with `error`. */
  error_info?: ErrorInfo;
  /** The agent's run; absent for a plain answer. */
  run?: RunRow;
  /**
   * Texts of `add_to_run` that came too late for a step of the run; the model doesn't know them. Absent if
   * there are none.
   */
  undelivered?: string[];
}

/** The component that made an element, as the development build of its framework tells. */
export interface ComponentSource {
  /** `react`, `vue`, `svelte` or `angular`; "" for attributes of another tool. */
  framework: string;
  /** Of the component; "" if it isn't known. */
  name: string;
  /** As the framework names it, or the address of the script; "" if it isn't known. */
  file: string;
  /** Of the file in the repository; "" if it isn't there. */
  path: string;
  /** In that file; the first is 1, 0 if it isn't known. */
  line: number;
  /** Likewise. */
  column: number;
}

/** What a front end may know of the configuration. */
export interface ConfigInfo {
  /** "" when none is chosen. */
  model: string;
  /** The model for side tasks; "" when none is chosen. */
  smaller_model: string;
  /** Where the choice of the model comes from, in words. */
  source: string;
  /** The provider's address without secrets, when it isn't the usual one. */
  api_base: string | null;
  /** The folder of the user's settings, absolute. */
  config_dir: string;
  /** The repository's top folder, absolute. */
  repo_root: string;
  /** Of settings that can be read and saved. */
  types: string[];
  /** Types that no file says anything of, so that the defaults hold. */
  unwritten: string[];
  /** What the administrator keeps, as `type` or `type.key`. */
  locked: string[];
  /** Keys go to the system's keyring. */
  keyring: boolean;
  /** What of the files on disk is not in force, and why, in sentences. */
  notices: string[];
}

/** The result of `connect`. */
export interface ConnectedPage {
  /** True. */
  connected: boolean;
  /** Of the page. */
  title: string;
  /** Of the page. */
  url: string;
  /** It was connected before, and nothing has changed. */
  already_connected: boolean;
}

/** The result of a change. */
export interface ContextApplied {
  /** Of the context now. */
  version: number;
  /** Whether anything differs from before. */
  applied: boolean;
}

/** The contents and the cost of the next request. */
export interface ContextBreakdown {
  /** The encoding that counted. */
  tokenizer: string;
  /** The model itself counts by another one. */
  estimate: boolean;
  /** The tokens of all text blocks and `message_overhead` for each message. */
  total_tokens: number;
  /** Tokens. */
  message_overhead: number;
  /** How many the next request has. */
  messages: number;
  /** Of the input at the plain price; null when the price isn't known. */
  cost_usd: number | null;
  breakdown: TokensByCategory;
  blocks: PromptBlock[];
  warnings: SecretWarning[];
  /** "" when none is chosen. */
  model: string;
  mode: 'code' | 'doc';
  cross_ref_enabled: boolean;
  /** The model's limit; 0 when it isn't known. */
  max_input_tokens: number;
  /** A guess for the images that come with the question, beside `total_tokens`. */
  image_tokens: number;
  /** Sentences about selected files that can't be sent, or not whole, and about cost. */
  notices: string[];
  /** Those of them that warn of nothing. */
  plain_notices: string[];
  /** What the user has excluded from what is sent, or pinned. */
  marked: MarkedTotals;
  /** Selected files for which there is no room. */
  shed_files: string[];
  /** This request is likely to cost more than `prompt.warn_usd`; "" else. */
  warning: string;
  /** Of `total_tokens`, likely to be served by the provider's cache. */
  cached_tokens: number;
  /** All others. */
  uncached_tokens: number;
  /** Of the input, the cache counted in; null when the price isn't known. */
  expected_cost_usd: number | null;
  /** What went out last, as the provider counted it; null before that. */
  last_request: LastRequestTokens | null;
  /** The part of this session's input that the provider's cache served; null before any input. */
  provider_cache_rate: number | null;
  cache_hit_rate: number;
  session_totals: SessionTotals;
  /**
   * What has come to an older tier since the last request, one text for each two tiers: `L3 → L2: 4 items —
   * a.py, question, …`.
   */
  promotions: string[];
  /** What is sent again since it has changed, and what isn't sent any more. */
  demotions: string[];
  /**
   * The same by part, with tokens; null before the first request, and with a model for which each request is
   * made anew.
   */
  changes: RequestChanges | null;
}

/** A dependency. */
export interface ContextDependency {
  /** Of the package. */
  name: string;
  /** Or "". */
  version: string;
}

/** A variable, cell, output or error in the next request. */
export interface ContextDetail {
  /** Its kind and its name: `variable/df`. */
  name: string;
  /** Its name in the blocks. */
  path: string;
  tokens: number;
  /** It was sent with an earlier question. */
  in_log: boolean;
}

/** A file of the context. */
export interface ContextFile {
  /** Relative to the repository. */
  path: string;
  /** SHA-256 of its content, in hex, when it was added or modified. */
  hash: string;
}

/** Argument of `add_context`. */
export interface ContextItemGiven {
  /** What it is. */
  kind: 'variable' | 'cell' | 'selection' | 'output' | 'error' | 'notebook' | 'element' | 'request';
  /** A short name for it, such as `df` or `cell 3`. */
  name: string;
  /** What the model is sent of it; secrets in it are masked. */
  text: string;
  /** Where it comes from: the path of a notebook, or a kernel. */
  source?: string;
  /** Id of the cell, for a cell, an output or an error; absent for others. */
  cell?: string;
  /** Source of the cell, for an output; it tells whether a secret is shown, and isn't sent. */
  code?: string;
  /** That belong to it: data URIs, or ids from `put_image`. */
  images?: string[];
}

/** One thing that goes out with the next question. */
export interface ContextItemRow {
  /** For `remove_context`. */
  id: string;
  /** What it is. */
  kind: 'variable' | 'cell' | 'selection' | 'output' | 'error' | 'notebook' | 'element' | 'request';
  /** A short name for it. */
  name: string;
  /** Where it comes from; "" if that isn't known. */
  source: string;
  /** Of its text as it is sent. */
  tokens: number;
  /** When it was added, in milliseconds since 1970. */
  taken_ms: number;
  /** How many secrets in it are masked. */
  secrets: number;
  /** How many images come with it. */
  images: number;
}

/** A plan that was made. */
export interface CreatedPlan {
  plan: PlanRow;
}

/** What came of switching the other mode's map on or off. */
export interface CrossReference {
  /** `not_ready`: the other index is being made; `error`: there is none. */
  status: 'enabled' | 'disabled' | 'no_change' | 'not_ready' | 'error';
  cross_ref_enabled: boolean;
  message: string;
  /** Files that the other map shows; with `enabled`. */
  items_added?: number;
  /** Of the other map; with `enabled`. */
  tokens_added?: number;
}

/** What is checked out. */
export interface CurrentBranch {
  /** Null when no branch is checked out. */
  branch: string | null;
  /** Of the commit; "" when there is none yet. */
  sha: string;
  /** A commit is checked out, not a branch. */
  detached: boolean;
}

/** Everything that a page shows. */
export interface CurrentState {
  session_id: string;
  /** Oldest first; all of them, unless they are very many or very long. */
  messages: ChatMessage[];
  /** Number of messages before them, for `get_session_messages`. */
  earlier: number;
  /** The ticked files, in the order in which they were ticked. */
  selected_files: string[];
  /** Those of them that the program has ticked; unticked when the conversation ends. */
  ticked_by_program: string[];
  /** The web pages of the conversation, also those that are being fetched. */
  urls: UrlRow[];
  /** The setting `urls.fetch`: `ask`, `auto` or `never`. */
  urls_fetch: string;
  /** An answer is being made. */
  streaming_active: boolean;
  /** Of the repository, for people. */
  repo_name: string;
  /** The repository's top folder, absolute. */
  repo_root: string;
  /** False in a folder without a repository: nothing is staged or committed there. */
  has_git: boolean;
  /** The model sees the map of the other kind, too. */
  cross_ref_enabled: boolean;
  /** That map can be had. */
  cross_ref_ready: boolean;
  /** The workspace has started; questions before that wait. */
  init_complete: boolean;
  /** What is worked on: code, or documents. */
  mode: 'code' | 'doc';
  /** How far the keywords of documents are. */
  enrichment_status: 'unavailable' | 'pending' | 'building' | 'complete';
  /** Of this wire; 1. */
  protocol: number;
  /** Of the server. */
  version: string;
  model: ModelState;
  active_streams: RunningStream[];
  excluded_index_files: string[];
  review_state: ReviewState;
  /** The edits that `undo_last_edits` would take back; null when there are none. */
  undo: UndoOffer | null;
  /** Edits wait for the user's word before they are applied. */
  edits_review: boolean;
}

/** The commits of one day. */
export interface DayCommits {
  /** Of the committer, ISO 8601. */
  day: string;
  /** Their number. */
  commits: number;
}

/** What a person's answers of one day have used. */
export interface DaySpend {
  /** Where the host is, ISO 8601. */
  day: string;
  /** Their number, those of side tasks included. */
  answers: number;
  /** All tokens of their prompts, those from the provider's cache included. */
  input_tokens: number;
  /** Part of the input that was read from the provider's cache. */
  cached_tokens: number;
  /** All tokens of the answers. */
  output_tokens: number;
  /** What they have cost, as far as that is known; null if it is of none. */
  usd: number | null;
}

/** The session is no longer in the history. */
export interface DeletedSession {
  status: 'ok';
  session_id: string;
}

/** An address in a text. */
export interface DetectedUrl {
  url: string;
  /** Kind of page, such as `github_repo`, `documentation` or `generic`. */
  type: string;
  /** The same, by the name of the seed's own code. */
  url_type: string;
  /** Short, for lists. */
  display_name: string;
  /** Of the conversation's page with this address; absent if there is none. */
  state?: 'fetching' | 'ready' | 'failed';
}

/** One finding. */
export interface Diagnostic {
  /** Its name with the tool that found it; `syntax` where the code can't be parsed. */
  rule: string;
  /** An `error` makes the code invalid. */
  severity: 'error' | 'warning' | 'info';
  /** Of the tool. */
  message: string;
  /** From 1; in a notebook of the cell. */
  line: number;
  /** In characters, from 1. */
  column: number;
  /** Of the first character behind it. */
  end_line: number;
  /** Same. */
  end_column: number;
  /** Of a notebook, from 1, all kinds counted. */
  cell?: number;
  /** Where the tool offers one. */
  fix?: Fix;
}

/** The dialog was answered. */
export interface DialogAnswered {
  success: boolean;
}

/** A dialog that blocks a page until it is answered. */
export interface DialogRow {
  /** Alert, confirm, prompt or beforeunload. */
  type: string;
  /** What the page says; at most 1,000 characters. */
  message: string;
  /** What the field of a prompt contains. */
  default_prompt: string;
  /** Of the page. */
  url: string;
}

/** A unified diff, "" when nothing differs. */
export interface Diff {
  diff: string;
}

/** Number of added and deleted lines of a file since the last commit. */
export interface DiffStat {
  additions: number;
  deletions: number;
}

/** The result of `disconnect`. */
export interface DisconnectedPage {
  /** True. */
  disconnected: boolean;
}

/** It was done. */
export interface Done {
  status: 'ok';
}

/** A block of an answer, complete or still being received. */
export interface EditBlockRow {
  /** Its number among the blocks of the turn, from 0. */
  index: number;
  /** The path as the model wrote it; "" if there was none. */
  file: string;
  /** The same. */
  file_path: string;
  /** The requested operation; a block without old text creates a file. */
  kind: 'edit' | 'create' | 'delete' | 'rename';
  /** Whether it creates a file. */
  is_create: boolean;
  /** The target of a renamed file; null for other kinds. */
  new_path: string | null;
  /** Of the whole block, with its path line and fence. */
  span: number[];
  /** Of the old text, whole lines with their ends. */
  old_span: number[];
  /** Of the new text, likewise. */
  new_span: number[];
  /** Its closing marker has been received; no other block is ever applied. */
  complete: boolean;
}

/** The result of a block. */
export interface EditResult {
  /** Its number among the blocks of the turn, from 0. */
  index: number;
  /** The path as the model wrote it; "" if there was none. */
  file: string;
  /** The same. */
  file_path: string;
  /** The requested operation; a block without old text creates a file. */
  kind: 'edit' | 'create' | 'delete' | 'rename';
  /** Whether it creates a file. */
  is_create: boolean;
  /** The target of a renamed file; null for other kinds. */
  new_path: string | null;
  /** Of the whole block, with its path line and fence. */
  span: number[];
  /** Of the old text, whole lines with their ends. */
  old_span: number[];
  /** Of the new text, likewise. */
  new_span: number[];
  /** Its closing marker has been received; no other block is ever applied. */
  complete: boolean;
  /**
   * Its state; `suggested`: it was written in another format than the requested one, and `apply_edits`
   * applies it if it is named, unless it has an `error_type`.
   */
  status:
    | 'applied'
    | 'already_applied'
    | 'failed'
    | 'skipped'
    | 'not_in_context'
    | 'pending'
    | 'rejected'
    | 'undone'
    | 'suggested';
  /** Why it was not applied; "" if it was, or still may be. */
  error_type:
    | ''
    | 'anchor_not_found'
    | 'ambiguous_anchor'
    | 'file_not_found'
    | 'write_error'
    | 'validation_error';
  /** A sentence for the user; "" for none. */
  message: string;
  /** The probable cause of a mismatch; "" for none. */
  cause: '' | 'whitespace' | 'indentation' | 'elided_lines' | 'quotes' | 'stale' | 'unknown';
  /** The first changed line, from 1; 0 if nothing changed. */
  line: number;
  /** Number of added lines. */
  added: number;
  /** Number of removed lines. */
  removed: number;
  /** The closest match of text that was not found; null for none. */
  near: NearPlace | null;
  /** The filter that may not run, so that the file is not staged; "" for none. */
  filter: string;
  /** Only the indentation differs; `apply_edits` with this index applies it shifted. */
  correctable: boolean;
  /** Sentences about the file, for example that it had unstaged changes. */
  notes: string[];
  /** Index of the turn's answer that contains the block, from 0. */
  attempt: number;
  /** It was not applied, and a later answer of the turn has another block for the file; it is not counted. */
  redone: boolean;
  /** The index of that block; null for none. */
  redone_by: number | null;
  /** With `correctable`, the old and new text of applying it; otherwise null. */
  corrected: BlockTexts | null;
  /**
   * Why its file is executed automatically, so that `apply_edits` applies the block only if it is named; ""
   * for other files.
   */
  protected: string;
  /**
   * With `not_in_context`: the file was not added to the context, and nothing of it was sent to the model;
   * only the user may select it.
   */
  withheld: boolean;
  /** For a block whose lines are not literally in the answer, for example in a diff; otherwise null. */
  texts: BlockTexts | null;
  /**
   * For an edit that was made in a notebook that is open in a page: `unsaved`, and `saved` when the file was
   * saved and staged; `undone` when it was taken back after that, so that the file is staged again when it is
   * saved; "" for others.
   */
  document: '' | 'unsaved' | 'saved' | 'undone';
  /** The beginning of the old text. */
  old_preview: string;
  /** The beginning of the new text. */
  new_preview: string;
}

/** The present state of an applied edit in its file. */
export interface EditStanding {
  /** Of its block. */
  index: number;
  /** `applied`: its lines are unchanged; `undone`: the replaced lines are restored; `changed`: neither. */
  standing: 'applied' | 'undone' | 'changed';
  /** Whether it can be undone without others. */
  can_undo: boolean;
}

/** A turn's edits after the user accepted, rejected or undid some. */
export interface EditsChange {
  /** All results of the turn. */
  edit_results: EditResult[];
  /** All files changed by its edits, each once. */
  files_modified: string[];
  /** Whether `undo_last_edits` would undo this turn's edits; `undo_edits` also undoes earlier ones. */
  can_undo: boolean;
}

/** The user's word was carried out; `edit_results` says what came of each block. */
export interface EditsDecided {
  /** All results of the turn. */
  edit_results: EditResult[];
  /** All files changed by its edits, each once. */
  files_modified: string[];
  /** Whether `undo_last_edits` would undo this turn's edits; `undo_edits` also undoes earlier ones. */
  can_undo: boolean;
  status: 'ok';
  /** What was left out, since it has to be named; absent when nothing was. */
  note?: string;
}

/** Whether edits wait for the user's word. */
export interface EditsReview {
  status: 'ok';
  edits_review: boolean;
}

/** The present state of a turn's applied edits in the files. */
export interface EditsStanding {
  /** Of the turn. */
  request_id: string;
  /** Those whose state is known. */
  edits: EditStanding[];
}

/** What came of taking edits back. */
export interface EditsUndone {
  /** `refused` and `confirm`: nothing was changed. */
  status: 'undone' | 'refused' | 'confirm';
  /** Files out of which the edits were taken. */
  files_restored: string[];
  /** Why it was refused, or what is to be confirmed; absent when it was done. */
  reason?: string;
  /** With `refused`, the blocks that can be taken back all the same, together; absent when there are none. */
  indices?: number[];
  /** With `confirm`, the files that have to be confirmed; absent otherwise. */
  protected?: ProtectedFile[];
}

/** An element in a few words. */
export interface ElementPreview {
  /** Its name, in lower case in HTML. */
  tag: string;
  /** Its attribute; "" if it has none. */
  id: string;
  /** At most 20. */
  classes: string[];
  /** The beginning of its text. */
  text: string;
  /** Of the element in its document or shadow root; see `path` of the whole element. */
  selector: string;
  /** That assistive technology is told. */
  role: string;
  /** Likewise. */
  name: string;
}

/** Where an element is, in CSS pixels from the page's visible upper left corner. */
export interface ElementRect {
  /** Of its left side. */
  x: number;
  /** Of its upper side. */
  y: number;
  /** Of the element. */
  width: number;
  /** Of the element. */
  height: number;
}

/** A picture of an element. */
export interface ElementScreenshot {
  /** `image/png`, or `image/jpeg` where that would be too large. */
  media_type: string;
  /** In base64. */
  data: string;
}

/** A kind of model server that people run themselves. */
export interface EndpointKindRow {
  /** As `find_models` takes it. */
  kind: string;
  /** Its name for people. */
  title: string;
  /** Litellm's word; goes before the names of its models. */
  provider: string;
  /** Where it usually is; "" if that differs. */
  api_base: string;
  /** As `set_key` takes it; "" when it takes no key. */
  key_variable: string;
}

/** Why a turn failed. */
export interface ErrorInfo {
  /** An error type of the table of errors. */
  error_type: string;
  message: string;
  /** Seconds to wait, as requested by the provider. */
  retry_after: number | null;
  /** "" if unknown. */
  provider: string;
  model: string;
}

/** An error. */
export interface ErrorReport {
  /** Its type and its text. */
  message: string;
  /** The frames of the panel's code, the last one last; absent if there are none. */
  stack?: string;
}

/** The events of the browser that were recorded. */
export interface EventCount {
  /** Their number. */
  total: number;
}

/** A question whose answer is recorded. */
export interface ExampleQuestion {
  /** For `play_example`. */
  id: string;
  /** Says in a few words what it shows. */
  label: string;
  /** Its text. */
  question: string;
  /** That are ticked for it. */
  files: string[];
}

/** The example is no longer offered. */
export interface ExampleRemoved {
  status: 'ok';
  /** How many conversations of recorded answers only were deleted. */
  sessions: number;
  /** How many of them could not be deleted: another process shows them. */
  kept: number;
}

/** The files of the example are as the tour found them. */
export interface ExampleReset {
  status: 'ok';
  /** Those that were changed for it. */
  files: string[];
}

/** Questions and answers were excluded from what is sent, or were put back. */
export interface ExcludedTurns {
  status: 'ok';
  /** That each later request has less; negative when they are sent again. */
  tokens_freed: number;
  /** Of the log behind the first of them, which the provider's cache can't serve with the next request. */
  tokens_rewritten: number;
}

/** What a task has made. */
export interface ExecutedOutput {
  /** Unified diff of what it has changed; "" for nothing. */
  code: string;
  /** What was done and why. */
  explanation: string;
  /** Paths relative to the repository, on the plan's branch. */
  files_modified: string[];
  /** Likewise. */
  files_created: string[];
  /** Likewise. */
  files_deleted: string[];
}

/** The result of a task. */
export interface ExecutedTask {
  /** `success`; `partial`: its changes could not be merged; `failed`. */
  status: 'success' | 'partial' | 'failed';
  /** What it has made; on failure its explanation says why. */
  output: ExecutedOutput;
  /** How. */
  metadata: ExecutionMetadata;
}

/** How a task was carried out. */
export interface ExecutionMetadata {
  /** Milliseconds from its start to its end. */
  execution_time_ms: number;
  /** Of all attempts. */
  tokens_used: number;
  /** As far as prices are known. */
  cost_usd: number;
  /** That did it. */
  model: string;
  /** Of the plan that was made for it; `apply_plan` brings the result into the files. */
  plan_id: string;
}

/** The executors. */
export interface ExecutorList {
  /** This program's own agent first. */
  executors: ExecutorRow[];
}

/** What can carry out the tasks of a plan. */
export interface ExecutorRow {
  /** For `run_plan`. */
  name: string;
  /** `agent`, this program's own; `acp`, an agent of others; `dask`, on other machines. */
  kind: string;
  /** What the user should know, or why it can't be used now; "" for nothing. */
  note: string;
}

/** A session as a file. */
export interface ExportedSession {
  /** A name for it, without a folder. */
  filename: string;
  /** All of it. */
  content: string;
}

/** The interception of the page's requests. */
export interface FetchState {
  /** Requests are intercepted. */
  enabled: boolean;
  /** Their responses, too. */
  response_stage: boolean;
  /** Requests that wait for a decision. */
  paused_count: number;
}

/** A file's bytes as `data:KIND;base64,…`. */
export interface FileData {
  data_uri: string;
}

/** A file in the next request, all its copies together. */
export interface FileDetail {
  /** The last part of its path. */
  name: string;
  path: string;
  tokens: number;
  /** Nothing of it is new: all was sent in earlier turns. */
  in_log: boolean;
  /** It is; what is in the log and isn't selected can be taken out (`trim_context`). */
  selected: boolean;
  /** Sentences about secrets that it seems to hold. */
  warnings: string[];
}

/** One file as the map shows it. */
export interface FileMapBlock {
  path: string;
  content: string;
  /** Which map: of code, or of documents. */
  mode: string;
}

/** The matches in one file. */
export interface FileMatches {
  /** Its path. */
  file: string;
  matches: Match[];
  /** True on the last file if there are further matches. */
  truncated?: boolean;
  /** Why the file was not searched; it has no matches then. */
  skipped?: string;
  /** Of a notebook, how many further lines of the file match, in outputs and metadata. */
  elsewhere?: number;
}

/** Two files that change together. */
export interface FilePairRow {
  /** The one with more commits. */
  first: string;
  /** The other one. */
  second: string;
  /** Commits that have changed both. */
  together: number;
  /** Of the commits of `second`, from 0 to 1. */
  share: number;
}

/** Files that a person has saved under a name. */
export interface FileSet {
  /** Of the set. */
  name: string;
  /** In the order in which they were ticked; they may be gone since. */
  paths: string[];
}

/** The symbols of one file as it is now, in the order of its lines. */
export interface FileSymbolTokens {
  /** As it was given. */
  path: string;
  /** At most 400; what others hold counts to the symbol around them. */
  symbols: SymbolTokens[];
  /** Tokens of the lines outside all symbols, and of the frame that the file is sent in. */
  rest: number;
}

/** The tree, and lists of paths by state. */
export interface FileTree {
  tree: Node;
  modified: string[];
  staged: string[];
  untracked: string[];
  deleted: string[];
  conflicted: string[];
  /** Changed files by path. */
  diff_stats: Record<string, DiffStat>;
  /** An unfinished merge, rebase, cherry-pick, revert or bisect. */
  operation: string | null;
}

/** The file is on disk. */
export interface FileWritten {
  status: 'ok';
  /** In its one spelling. */
  path: string;
  /** SHA-256 of its bytes, for the `expected_hash` of the next write. */
  hash: string;
}

/** The groups of filters, by name. */
export interface FilterState {
  enabled: string[];
  disabled: string[];
}

/** How a tool would repair what it has found. */
export interface Fix {
  /** What is done. */
  message: string;
  /** Whether the tool says that the meaning stays. */
  is_safe: boolean;
  /** In order. */
  edits: FixEdit[];
}

/** A piece of the code that is replaced; lines and columns from 1, the end exclusive. */
export interface FixEdit {
  content: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
}

/** The models of a server. */
export interface FoundModels {
  status: 'ok';
  /** The address to keep; `/v1` may be added to the one that was asked. */
  api_base: string;
  /** Names as `try_model` takes them. */
  models: string[];
}

/** A frame of a traceback. */
export interface FrameRow {
  /** `cell`, `repository` or `library`. */
  kind: string;
  /** Path in the repository, or of a library from its package on; "" for a cell. */
  file: string;
  /** Number of the cell's run, as in `In [3]`; null for a file, and where it is not known. */
  cell: number | null;
  /** Number of the line, from 1. */
  line: number;
  /** Name of the function; `<module>` outside of one. */
  function: string;
  /** The lines around it, the line itself marked by `→`; "" for a library. */
  source: string;
  /** Of frames of the user's own code only. */
  locals: LocalRow[];
  /** Number of the others. */
  locals_left_out: number;
}

/** The place of GitHub that an address names; None where it names none of the kind. */
export interface GitHubInfo {
  owner: string;
  repo: string;
  branch: string | null;
  path: string | null;
  issue_number: number | null;
  pr_number: number | null;
}

/** An image as a page shows it. */
export interface GotImage {
  data_uri: string;
}

/** What is allowed in a target now. */
export interface GrantedActions {
  granted: string[];
}

/** One commit and where it hangs. */
export interface GraphRow {
  sha: string;
  short_sha: string;
  /** The first paragraph of its message, on one line. */
  message: string;
  /** The author's name. */
  author: string;
  /** When it was written, ISO 8601. */
  date: string;
  /** The date in words. */
  relative_date: string;
  /** Full hashes, that of the branch it was made on first. */
  parents: string[];
}

/** An entry of a page's history. */
export interface HistoryEntryRow {
  /** The browser's number of it. */
  id: number;
  /** Of the document. */
  url: string;
  /** Of the document. */
  title: string;
}

/** A page's history. */
export interface HistoryRow {
  /** The oldest first. */
  entries: HistoryEntryRow[];
  /** Of the entry that is shown, from 0. */
  current_index: number;
}

/** How much of its room the talk takes; copies of files don't count. */
export interface HistoryStatus {
  /** Of the talk that is sent; also `history_tokens` and `current_tokens`. */
  tokens: number;
  /**
   * The room for it, beyond which it is compacted after the next answer; also `max_history_tokens`,
   * `trigger_tokens` and `compaction_trigger`.
   */
  max: number;
  /** At most 999; also `compaction_percent`. */
  percent: number;
  session_id: string;
  /** Of all messages, those that are no longer sent included. */
  message_count: number;
  history_tokens: number;
  max_history_tokens: number;
  remaining: number;
  /** The talk is longer than that. */
  needs_compaction: boolean;
  /** Compaction is switched on and the model's talk is compacted; also `enabled`. */
  compaction_enabled: boolean;
  compaction_trigger: number;
  compaction_percent: number;
  enabled: boolean;
  trigger_tokens: number;
  current_tokens: number;
  /** It is being compacted now. */
  is_compacting: boolean;
  /** How often it was. */
  compactions: number;
  /** Why the last attempt failed, as a sentence; absent if it didn't. All of the talk is still sent then. */
  failure?: string;
  /** Beside `failure`: the talk must be longer before it is tried again by itself. */
  retry_tokens?: number;
}

/** The outcome of going back or forward. */
export interface HistoryStepRow {
  /** Whether there was an entry to go to. */
  navigated: boolean;
  /** Of the entry that is shown now. */
  title: string;
  /** Of the entry that is shown now. */
  url: string;
  /** Of the entry that is shown now, from 0. */
  index: number;
  /** Number of entries. */
  total: number;
}

/** Whether the history is the caller's own. */
export interface HistoryTrustState {
  /** Conversations that the caller has not kept here, among the first 2,000. */
  foreign_sessions: number;
  /** The one on the caller's screens is their own; of another one nothing is sent. */
  current_trusted: boolean;
  /** What that means, for the user; "" when all is the caller's own. */
  message: string;
}

/** The history was trusted. */
export interface HistoryTrusted {
  status: 'ok';
  /** Conversations that go on from now. */
  trusted: number;
  /** Conversations that stay as they are, since what they have sent was changed. */
  refused: number;
}

/** A file and how often it has changed. */
export interface HotFileRow {
  /** As git names it. */
  path: string;
  /** That have changed it. */
  commits: number;
  /** Of the newest of them, ISO 8601. */
  last_day: string;
  /** It is on disk now. */
  exists: boolean;
}

/** The hover text for a position. */
export interface Hover {
  /** Markdown. */
  contents: string;
}

/** An image of a question. */
export interface ImageRow {
  /** For `get_image`. */
  id: string;
  /** `image/png`, `image/jpeg`, `image/gif` or `image/webp`. */
  mime: string;
}

/** The result of an import. */
export interface ImportedHistory {
  /** How many sessions have got messages. */
  sessions: number;
  /** How many messages are new. */
  messages: number;
  /** How many were there already. */
  known: number;
  /** The numbers of the first lines that could not be used. */
  bad_lines: number[];
  /** How many there were. */
  bad: number;
  /** How many images were passed over; their messages are there. */
  images: number;
}

/** What a host begins with. */
export interface InitializeRequest {
  /** Must be 3. */
  protocolVersion: number;
  /** Named arguments of the component. */
  props?: Record<string, unknown> | null;
  /** Members of the environment. */
  env?: Record<string, unknown> | null;
  /** What the host can do beyond version 3. */
  extensions?: string[] | null;
}

/** What a model suggests at the cursor. */
export interface InlineCompletion {
  /** To be inserted; "" for nothing. */
  text: string;
  /** Who suggests it; "" when nobody was asked. */
  model: string;
  /** What that used. */
  usage: MessageUsage | null;
  /** A later call of the same page has ended this one. */
  superseded: boolean;
}

/** The outcome of a click, or of typing. */
export interface InputRow {
  /** Always True. */
  done: boolean;
  /** Where it was clicked, in CSS pixels of the window; 0 for typing. */
  x: number;
  /** As x. */
  y: number;
  /** The dialog that it has opened, which has to be answered; None: none. */
  dialog: DialogRow | null;
}

/** Whether the user is choosing elements. */
export interface InspectMode {
  /** True. */
  success: boolean;
  /** A click in the page chooses an element. */
  inspect_active: boolean;
}

/** The selection of elements in the page. */
export interface InspectState {
  /** The user is choosing one. */
  inspect_active: boolean;
  /** Previews of chosen elements, by their id. */
  selections: Record<string, unknown>;
  /** What the user has typed about them. */
  prompt: string;
  /** Elements that are being read. */
  pending_count: number;
}

/** The state of the interception in a page. */
export interface InterceptionStatus {
  /** Whether manual mode is on: all requests pause that no rule matches. */
  enabled: boolean;
  /** Of manual mode: `request`, `response`. */
  stages: string[];
  /** How many requests wait. */
  paused: number;
  /** How many rules there are, by their kinds. */
  rules: Record<string, number>;
}

/** The outcome of code that ran in a page. */
export interface JsRow {
  /** What it gave, as JSON; a text for what JSON hasn't, such as NaN or a function. */
  value: unknown;
  /** Always True. */
  executed: boolean;
}

/** A file that an undo has left alone. */
export interface KeptFile {
  /** Relative to the repository. */
  path: string;
  /** Why, as the end of a sentence that begins with the path. */
  reason: string;
}

/** A message in the history. */
export interface KeptMessage {
  /** The complete blocks. */
  edit_blocks?: EditBlockRow[];
  /** The result of each block, including incomplete ones. */
  edit_results?: EditResult[];
  /** Files changed by the edits, each once. */
  files_modified?: string[];
  /** Its answers; absent if there is only one. */
  attempts?: Attempt[];
  /** A prompt that the user may send for failed edits; absent if none failed. */
  retry_prompt?: string;
  /** Number of blocks without a row here, because all rows would be too long; absent if all are here. */
  edits_left_out?: number;
  /** `system` for events beside the conversation, classified by `kind`. */
  role: 'user' | 'assistant' | 'system';
  content: string;
  /** The same for a question and its answer; a system event has its own. */
  request_id: string;
  /** `cancelled` and `error` on answers only; then their content is the part received before. */
  state: 'done' | 'cancelled' | 'error';
  /** Of a system event: `commit`, `reset`, `mode`, `compaction`, `review_started` or `review_ended`. */
  kind?: string;
  /** On answers. */
  turn_id?: string;
  /** The answering model; on answers. */
  model?: string;
  /** With the state `error`. */
  error?: MessageError;
  /** If the provider reported it. */
  usage?: MessageUsage;
  /** Sentences for the user about the turn. */
  notices?: string[];
  /** The provider's reason for the end; `length`: the answer was cut. */
  finish_reason?: string;
  /** The model's reasoning before the answer, from models that show it. */
  reasoning?: string;
  /** Images of a question, for `get_image`. */
  images?: ImageRow[];
  /** Which of its agents the client named with the question. */
  agent_tag?: string;
  /** The agent's run that made the answer. */
  run?: RunRow;
  /**
   * Of an answered question and its answer: `excluded` by the user from what is sent; `pinned`, so that a
   * compaction keeps them; `compacted`, so that they are sent only as a part of a summary, or not at all.
   * Missing: they are sent as they are.
   */
  context?: 'excluded' | 'pinned' | 'compacted';
  /** Number of UTF-16 code units missing from a very long content; `get_message_text` returns them. */
  content_left_out?: number;
  /** Likewise. */
  reasoning_left_out?: number;
  /** Unique everywhere. */
  id: string;
  session_id: string;
  /** When it was asked, or when its answer began; ISO 8601, UTC. */
  timestamp: string;
}

/** A key was kept or removed. */
export interface KeyKept {
  status: 'ok';
  /** It is, or was. */
  where: 'keyring' | 'llm.json';
  /** What the user should know; "" when there is nothing. */
  message: string;
}

/** The requests of the last turn, more than one when edits were asked for again. */
export interface LastRequestTokens {
  /** As the provider counted them. */
  input_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  /** By `tokenizer`, `message_overhead` included. */
  counted: number;
  /** Whether the provider's cache served a part of it; null when the provider counted no input. */
  cache: 'hit' | 'miss' | null;
  /** The part that it served. */
  cached_share: number;
}

/** How long calls of a method took, from the frame to the answer. */
export interface LatencySummary {
  /** Of the calls. */
  count: number;
  /** Of all of them. */
  sum_ms: number;
  /** Half of them took at most this; estimated from buckets, as the next two. */
  p50_ms: number;
  /** 95 % took at most this. */
  p95_ms: number;
  /** 99 % took at most this; 30,000 if they took longer than that. */
  p99_ms: number;
}

/** A browser that was started. */
export interface LaunchedBrowser {
  /** Its name, for `quit`. */
  browser: string;
  /** The id of its first page, which is watched. */
  target: string;
  /** Why the address could not be opened, such as net::ERR_CONNECTION_REFUSED. */
  error: string | null;
}

/** A file that isn't offered. */
export interface LeftOutFile {
  path: string;
  /** The second half of a sentence: "it is gone". */
  reason: string;
}

/** A line and its number, counted from 1. */
export interface Line {
  line_num: number;
  line: string;
}

/** A session in the list. */
export interface ListedSession {
  session_id: string;
  /** Of its own first message; ISO 8601, UTC. */
  timestamp: string;
  /** When it was last used; ISO 8601, UTC. */
  updated: string;
  /** All that is shown when it is loaded. */
  message_count: number;
  /** The beginning of its own first message, on one line. */
  preview: string;
  /** The name that the user has given it; "" for none. */
  title: string;
  /** Of its first message. */
  first_role: 'user';
  /** It was asked in a notebook's cells, and no panel has used it yet. */
  aside: boolean;
  /** The session that it goes on from, null when it began with nothing. */
  continues: string | null;
  /** How many of its messages stand in that one. */
  inherited: number;
  /** The caller has stored it here, or has trusted it; nothing of others is sent. */
  trusted: boolean;
  /** It is the one that the caller sees. */
  current: boolean;
}

/** The session that goes on; `message_count` is of all its messages. */
export interface LoadedSession {
  session_id: string;
  /** Oldest first; all of them, unless they are very many or very long. */
  messages: ChatMessage[];
  /** Number of messages before them, for `get_session_messages`. */
  earlier: number;
  message_count: number;
}

/** A local variable of a frame: its class, and its value in a line if that is known. */
export interface LocalRow {
  name: string;
  type: string;
  line: string;
}

/** A map in the next request. */
export interface MapDetail {
  /** `map` for the one at the head or in the log, `ranked_map` for what was chosen for questions. */
  name: string;
  /** Always null; a map is about many files. */
  path: string | null;
  tokens: number;
}

/**
 * The questions of the session that are excluded and pinned, with their answers. Those that a compaction has
 * taken out are left out.
 */
export interface MarkedTotals {
  /** How many. */
  excluded: number;
  /** That each request has less. */
  excluded_tokens: number;
  /** How many. */
  pinned: number;
  /** That compactions keep word for word. */
  pinned_tokens: number;
}

/** A question with its answer that the user has excluded from what is sent, or pinned. */
export interface MarkedTurn {
  request_id: string;
  /** The beginning of the question, on one line. */
  name: string;
  /** That are sent for both when it is pinned; that each request has less when it is excluded. */
  tokens: number;
  context: 'excluded' | 'pinned';
}

/** A matching line; its context ends at the next match. */
export interface Match {
  line_num: number;
  line: string;
  context_before: Line[];
  context_after: Line[];
  /**
   * Number of the notebook's cell, from 1, in whose source the line is; `line` and the context are lines of
   * that source then, and `line_num` is the line of the file.
   */
  cell?: number;
  /** The line's number in that source, from 1. */
  cell_line?: number;
  /** The line's number in the text that `get_notebook_text` returns. */
  text_line?: number;
}

/** Why an answer failed. */
export interface MessageError {
  /** An error type of the table of errors. */
  type: string;
  /** One or two sentences for the user. */
  message: string;
}

/** Messages of the console. */
export interface MessageList {
  messages: MessageRow[];
}

/** A message in the list of messages. */
export interface MessageRow {
  /** Never used again, in any page. */
  id: number;
  /** Of the message. */
  level: 'debug' | 'log' | 'info' | 'warning' | 'error';
  /** `console`, `exception`, `dialog`, or what the browser names: `network`, `security`. */
  source: string;
  /** All arguments as text, without its secrets unless they were asked for. */
  message: string;
  /** Seconds since 1970. */
  timestamp: number;
  /** Of the page that it belongs to. */
  target: string;
  /** Of the script, or of what the message is about; only if that is known. */
  url?: string;
  /** In the script, the first is 1; only with a URL. */
  line?: number;
  /** Of the script's file in the repository; only if it is there. */
  path?: string;
}

/** The message is being written; it streams, and `streamComplete` has it as its response. */
export interface MessageStarted {
  status: 'started';
}

/** A part of a message's text. */
export interface MessageText {
  request_id: string;
  role: 'user' | 'assistant';
  /** Where it begins, in UTF-16 code units. */
  offset: number;
  /** The part; "" behind the end. */
  text: string;
  /** Of the whole, in UTF-16 code units. */
  length: number;
}

/** The tokens of an answer, as counted by the provider. */
export interface MessageUsage {
  /** All tokens of the prompt, including those from the cache. */
  input_tokens: number;
  /** All tokens of the answer, including reasoning. */
  output_tokens: number;
  /** Part of the input that was read from the provider's cache. */
  cache_read_tokens: number;
  /** Part of the input that was written to the cache. */
  cache_write_tokens: number;
  /** Part of the output that isn't shown. */
  reasoning_tokens: number;
  /** Null if the price is unknown. */
  cost_usd: number | null;
  /** True if the answer ended before the provider could count; otherwise absent. */
  estimated?: boolean;
}

/** All methods of the host. */
export interface MethodList {
  /** By name. */
  methods: Record<string, MethodRow>;
}

/** What a method asks of its caller. */
export interface MethodRow {
  /** The right that a caller needs: read, write or execute. */
  access: string;
  /** The states of the target in which it may be called; empty for any. */
  requires_state: string[];
  /** The transition of the target that a call begins, or "". */
  trigger: string;
  /** Whether a call for an earlier epoch of the target is refused. */
  changes_state: boolean;
  /** Whether calls cost money, so that their number is limited. */
  is_billed: boolean;
}

/** The calls of one method. */
export interface MethodSummary {
  /** Full name; `unknown` for all names that no method has. */
  method: string;
  /** Calls that were answered with a result. */
  success: number;
  /** Calls that were answered with an error. */
  error: number;
  /** Calls with an idempotency key that was used before. */
  retries: number;
  /** Calls that were refused because there were too many. */
  rate_limited: number;
  /** Of all calls that were answered. */
  latency: LatencySummary;
}

/** The counts since the start of the host. */
export interface MetricsSummary {
  /** Those that were called, by name. */
  methods: MethodSummary[];
  /** Number of error answers by type (`data.type`). */
  errors: Record<string, number>;
  /** Size of all frames that were received. */
  bytes_in: number;
  /** Size of all frames that were sent. */
  bytes_out: number;
  /** Answers that are being streamed now. */
  streams_open: number;
  /** Those that were asked, by name. */
  models: ModelUse[];
}

/** The mode of a conversation. */
export interface ModeChange {
  /** `code`, or `doc` for documents. */
  mode: 'code' | 'doc';
  /** The model gets the map of the other kind, too. */
  cross_ref_enabled: boolean;
}

/** The mode that is on, and how far the indexes are. */
export interface ModeState {
  mode: 'code' | 'doc';
  cross_ref_enabled: boolean;
  /** The map of code can be sent. */
  symbol_index_ready: boolean;
  /** It is being made. */
  symbol_index_building: boolean;
  /** The map of documents can be sent. */
  doc_index_ready: boolean;
  /** It is being made. */
  doc_index_building: boolean;
  /** Its sections have keywords. */
  doc_index_enriched: boolean;
  /** How far the keywords are. */
  enrichment_status: 'unavailable' | 'pending' | 'building' | 'complete';
  /** The other mode's map can be sent beside this mode's. */
  cross_ref_ready: boolean;
  /** Why there is no index, or none of the whole tree; "" when there is or will be. */
  message: string;
}

/** The mode that is on. */
export interface ModeSwitched {
  mode: 'code' | 'doc';
  cross_ref_enabled: boolean;
  /** What has happened, or why nothing has, in a sentence. */
  message: string;
  /** The index that the mode needs isn't ready; the mode is as it was. */
  building?: boolean;
  /** The sections of documents have keywords. */
  keywords_available?: boolean;
  /** What is with the keywords; "" when all is well. */
  keywords_message?: string;
}

/** The choice was kept. */
export interface ModelChosen {
  status: 'ok';
  /** Which one answers now, which is another one where something is stronger. */
  model: string;
  /** Where the choice comes from, in words. */
  source: string;
  /** What the user should know; "" when there is nothing. */
  message: string;
}

/** Which model answers. */
export interface ModelInUse {
  /** "" when there is none. */
  model: string;
  /** Where the choice comes from, in words. */
  source: string;
  /** It is the embedded demo model. */
  demo: boolean;
}

/** Models that can be chosen, those of providers with a key first. */
export interface ModelList {
  current: ModelInUse;
  models: ModelRow[];
  providers: ProviderRow[];
}

/** A model that can be chosen; costs in USD for one token. */
export interface ModelRow {
  /** As `choose_model` takes it. */
  name: string;
  /** Litellm's word for who serves it. */
  provider: string;
  /** It can be used at once. */
  has_key: boolean;
  max_input_tokens: number;
  /** Null when it isn't known. */
  input_cost: number | null;
  /** Null when it isn't known. */
  output_cost: number | null;
}

/** Which model answers. */
export interface ModelState {
  /** "" when none is chosen. */
  name: string;
  /** Where the choice comes from, in words. */
  source: string;
  /** It is the embedded demo model. */
  demo: boolean;
  /** There is one. */
  available: boolean;
  /** Why there is none, and what to do; "" when there is one. */
  message: string;
}

/** A model has answered. */
export interface ModelTried {
  status: 'ok';
  /** From the request to the end of the answer. */
  milliseconds: number;
  /** The beginning of the answer; may be "". */
  text: string;
}

/** What was asked of one model. */
export interface ModelUse {
  /** Its name; `other` for all beyond the first hundred. */
  model: string;
  /**
   * Number by kind: `input`, `output`, `cache_read` and `cache_write` (parts of `input`), `reasoning` (part
   * of `output`).
   */
  tokens: Record<string, number>;
  /** Of the answers whose price is known. */
  cost_usd: number;
}

/** The outcome of going to an address. */
export interface NavigateRow {
  /** Of the page's main frame. */
  frame_id: string;
  /** Of the new document; None when only the fragment has changed, or nothing. */
  loader_id: string | null;
  /** Why nothing was loaded, such as net::ERR_CONNECTION_REFUSED; None when it was. */
  error: string | null;
  /** The address is a file that was downloaded; the page stays. */
  is_download: boolean;
}

/** The closest match in a file for text that was not found. */
export interface NearPlace {
  /** Its first line, from 1. */
  line: number;
  /** The file's lines there. */
  text: string;
}

/** A request in the list of requests. */
export interface NetworkRow {
  /** Never used again, in any page. */
  id: number;
  /** The browser's; all requests of a chain of redirects have the same. */
  request_id: string;
  /** What carries it. */
  protocol: 'http' | 'websocket';
  /** Of HTTP. */
  method: string;
  /** Of the answer; 0 as long as there is none. */
  status: number;
  /** Without its secrets unless they were asked for. */
  url: string;
  /** Kind of resource: `Document`, `Script`, `Fetch` and so on. */
  type: string;
  /** Bytes of the answer as they came. */
  size: number;
  /** How long it took; null as long as it goes on. */
  time_ms: number | null;
  /** What has become of it. */
  state: 'pending' | 'loading' | 'complete' | 'failed' | 'paused' | 'connecting' | 'open' | 'closed';
  /** Why it failed; only when it has. */
  error?: string;
  /** Where it waits for the user; only when it does. */
  pause_stage?: 'Request' | 'Response';
  /** The browser's id of the pause; only when it waits. */
  paused_id?: string;
  /** Of a WebSocket. */
  frames_sent: number;
  /** Of a WebSocket or an event stream. */
  frames_received: number;
  /** ISO 8601, UTC. */
  started_datetime: string;
  /** Seconds since 1970. */
  last_activity: number;
  /** Of the page that it belongs to. */
  target: string;
  /** Whether its body was read: `ok`, `err`, or null when it never was. */
  body_status: 'ok' | 'err' | null;
}

/** The session that has begun. */
export interface NewSession {
  session_id: string;
}

/** What is new in a page. */
export interface News {
  /** Errors first, then failed requests, then other messages. */
  items: NewsItem[];
  /** How many more there are. */
  left_out: number;
}

/** Something new in a page, as it may be added to a conversation. */
export interface NewsItem {
  /** The same for the same error, also after a reload. */
  key: string;
  /** Error of the console, request that has failed, or another output of the console. */
  kind: 'error' | 'request' | 'output';
  /** One line. */
  name: string;
  /** All of it, as it goes to the model. */
  text: string;
  /** The address of the page. */
  source: string;
  /** How often it happened. */
  count: number;
  /** Of the text, about. */
  tokens: number;
  /** It had been taken before, and has happened again. */
  known: boolean;
}

/** Requests are not intercepted. */
export interface NoInterception {
  enabled: boolean;
}

/** A file or a folder. */
export interface Node {
  name: string;
  /** Relative to the repository, "" for its top folder. */
  path: string;
  type: 'file' | 'dir';
  /** 0 for folders and binary files. */
  lines: number;
  /**
   * Of a folder, folders first; a folder more than `DEEPEST` levels down has its path below the folder at
   * that level as its name.
   */
  children?: Node[];
  /** Of a file, seconds since 1970; 0 for a deleted one. */
  mtime?: number;
  /** Of a file. */
  is_binary?: boolean;
  /** True for a nested repository, which is shown as a file. */
  submodule?: boolean;
  /** True for a symbolic link. */
  link?: boolean;
}

/** One cell of an open notebook. */
export interface NotebookCell {
  /** Unique in the notebook. */
  id: string;
  /** Code, markdown or raw. */
  cell_type: 'code' | 'markdown' | 'raw';
  /** Its text. */
  source: string;
  /** Of its metadata; absent for none. */
  tags?: string[];
  /** As in a notebook file; only if they are asked for. */
  outputs?: unknown[];
}

/** A cell of a notebook, as part of a request. */
export interface NotebookCellRow {
  /** Its name: the id, or `cell=N` by its position where it has none of its own. */
  id: string;
  /** Code, markdown or raw. */
  cell_type: 'code' | 'markdown' | 'raw';
  /** Its first line that isn't blank, truncated. */
  title: string;
  /** Of its text, and of its outputs and their images if these are sent; also if it is left out. */
  tokens: number;
  /** The cell is left out. */
  excluded: boolean;
  /** Its outputs are sent. */
  outputs: boolean;
  /**
   * How many PNG and JPEG images its outputs have; of a notebook that is open in a page this is known only of
   * cells whose outputs are sent, and 0 for others.
   */
  images: number;
  /** These images are sent with its outputs, each once. */
  images_sent: boolean;
}

/** The cells of a notebook. */
export interface NotebookCells {
  /** In order. */
  cells: NotebookCellRow[];
  /**
   * How many cells were left out that can't be found any more; as long as there are any, nothing of the
   * notebook is sent.
   */
  missing: number;
}

/** Argument of `AcApp.applyNotebookEdit`: changes of one open notebook, all of them or none. */
export interface NotebookEdit {
  /** As in `OpenNotebookRow`. */
  path: string;
  /** Path of the file in the repository, for `LLMService.save_notebook_edit`. */
  file: string;
  /** In the order in which they are to be carried out. */
  operations: (SourceChange | TagsChange | CellReplacement | CellInsertion | CellRemoval | CellMove)[];
}

/** The result of `AcApp.applyNotebookEdit`. */
export interface NotebookEdited {
  /**
   * `applied`; `changed`: a cell that is concerned has changed or is gone, so that nothing was done;
   * `refused`: the document can't be edited; `lost`: the host got no answer, so that it isn't known whether
   * the edit was made.
   */
  status: 'applied' | 'changed' | 'refused' | 'lost';
  /** A sentence for the user; absent if it was applied. */
  reason?: string;
}

/** The result of `save_notebook_edit`. */
export interface NotebookSaved {
  /** `ok`. */
  status: 'ok';
}

/** The recorded example. */
export interface OfferedExample {
  /** This repository is the sample of the tour, and the settings don't hide the example. */
  offered: boolean;
  /** In order; none unless it is offered. */
  questions: ExampleQuestion[];
  /** Its files that are no longer as the tour found them. */
  changed: string[];
}

/** A notebook as it stands in a page. */
export interface OpenNotebookRow {
  /**
   * Of its file: relative to the repository, absolute, below `~`, or `server:/` and a path relative to the
   * Jupyter server's root.
   */
  path: string;
  /** Of its code; "" if it isn't known. */
  language: string;
  /** Of its format, 4; from 5 on the file stores the ids of cells. */
  nbformat_minor: number;
  /** In order. */
  cells: NotebookCell[];
  /** Whether it has changes that are not saved. */
  unsaved: boolean;
  /** Milliseconds since the user last did something in the notebook. */
  idle_ms: number;
}

/** What a test has said. */
export interface OutcomeOutput {
  /** Of the test; "" for pytest itself. */
  id: string;
  /** The failure, and what was printed; the middle of a long one is left out. */
  text: string;
}

/** A test, or a file that can't be collected. */
export interface OutcomeRow {
  /** Pytest's, relative to the repository's top folder. */
  id: string;
  /** Its place in the order of the tests. */
  at: number;
  /** Of its last run. */
  outcome: '' | 'waiting' | 'running' | 'passed' | 'failed' | 'error' | 'skipped' | 'xfailed' | 'xpassed';
  /** Of that run. */
  duration_ms: number;
  /** `get_output` has a text of it. */
  has_output: boolean;
}

/** The pages of all browsers that are known. */
export interface PageList {
  pages: BrowserTarget[];
}

/** What a page shows now. */
export interface PageRow {
  /** Of the document. */
  url: string;
  /** Of the document. */
  title: string;
  /** Of the target. */
  id: string;
  /** Of the target. */
  type: string;
}

/** A panel that can be shown. */
export interface PanelRow {
  /** Identifies it on this link. */
  id: string;
  /** For people. */
  title: string;
  /** Who offers it. */
  origin: 'built-in' | 'entry-point' | 'command' | 'file' | 'connected' | 'kernel';
  /** Of its plugin. */
  state: 'stopped' | 'starting' | 'running' | 'failed';
  /** Why it has failed, else None. */
  error: ErrorReport | null;
  /** The methods of the server that it may call; known once it has run. */
  calls: string[];
  /**
   * How often its plugin was loaded; goes up when its file was saved, too, and what was wrong before is over.
   */
  loads: number;
}

/** A part of the way from the page to an element. */
export interface PathStep {
  /**
   * In which the selector is unique: `document` (of the page), `frame` (the document in the iframe of the
   * step before), `open shadow root` or `closed shadow root` (of the element of the step before).
   */
  scope: string;
  /** Of exactly one element there; "" where none of reasonable length exists. */
  selector: string;
}

/** The blocks of one answer that wait for the user. */
export interface PendingEdits {
  request_id: string;
  results: EditResult[];
}

/** A call that waits for the user. */
export interface PendingTool {
  /** The front end's name of its turn. */
  request_id: string;
  /** Unique within the turn. */
  call_id: string;
  /** What the user is asked. */
  question: ToolQuestion;
  /** Of a plan, whose call it is. */
  task?: TaskName;
  /** Title of the panel that makes the call. Without a task and a panel it is a call of the conversation. */
  panel?: string;
}

/** Questions and answers were pinned, or are no longer. */
export interface PinnedTurns {
  status: 'ok';
  /** How many of the conversation are pinned now. */
  pinned: number;
}

/** What a plan, or one of its tasks, has changed. */
export interface PlanDiff {
  /** Unified, of all files; at most 4 MiB. */
  diff: string;
}

/** Plans, the newest first. */
export interface PlanList {
  plans: PlanRow[];
}

/** A plan. */
export interface PlanRow {
  /** For the methods on it. */
  id: string;
  /** Draft, awaiting_approval, running, paused, completed, failed, cancelling or cancelled. */
  status: string;
  /** How many changes there were. */
  revision: number;
  /** A sentence about its state; "" for none. */
  reason: string;
  /** What the user wants. */
  user_request: string;
  /** In the order in which they were planned. */
  tasks: TaskRow[];
  /** The model's guess; 0 for none. */
  estimated_time_seconds: number;
  /** Why it is planned so. */
  explanation: string;
  /** Tasks that run at the same time. */
  concurrency: number;
  /** In which the results of its tasks are; "" before it runs. */
  branch: string;
  /** Name of what carries out its tasks; "" before it runs. */
  executor: string;
  /** There are results that the user's files don't have, and no task runs. */
  can_apply: boolean;
  /** That were changed when it was applied last; empty when that was taken back. */
  applied_files: string[];
  /** Milliseconds since the epoch. */
  created_ms: number;
  /** Same, of the last change. */
  updated_ms: number;
}

/** A change of a plan. */
export interface PlanUpdate {
  /** Which. */
  plan_id: string;
  /** Of it now; a page that doesn't have the one before may ask for the plan. */
  revision: number;
  /** Of the plan. */
  status: string;
  /** Of the plan. */
  reason: string;
  /** As of the plan. */
  can_apply: boolean;
  /** As of the plan. */
  applied_files: string[];
  /** Those that have changed; of an edited plan all. */
  tasks: TaskRow[];
  /** Of all its tasks, in order. */
  task_ids: string[];
}

/** A place as LSP counts: from 0, columns in UTF-16 code units. */
export interface Position {
  line: number;
  character: number;
}

/** A program that git's configuration names. */
export interface ProgramRow {
  /**
   * Filter, signing, hooks (a folder), include (a further file of configuration), hook, fsmonitor, diff,
   * merge, alias, credential, transport, editor, pager, tool or submodule.
   */
  kind: string;
  /** A filter's own name; of others the key in git's configuration. */
  name: string;
  /** As the configuration has it; several of one filter in a line each. */
  command: string;
  /** Of the configuration: system, global, local, worktree, command. */
  scope: string;
  /** Of the working tree that it names, also such as don't exist. */
  files: string[];
  /**
   * `trusted`: the user configured it for all repositories; `allowed`: for this one; `changed`: it, or a file
   * that it names, isn't as it was allowed; `never_run`: git is never let start it, hooks of a commit apart.
   */
  state: 'trusted' | 'allowed' | 'not_allowed' | 'changed' | 'never_run';
  /** In words; "" when there is nothing to say. */
  reason: string;
}

/**
 * A tier: a run of text blocks of the next request, in the order in which they go out. Tiers are a picture of
 * the log and move nothing: L0 is the head, L1 to L3 the talk and the files by age, the oldest in L1;
 * `active` is what is new.
 */
export interface PromptBlock {
  name: string;
  tier: 'L0' | 'L1' | 'L2' | 'L3' | 'active';
  tokens: number;
  count: number;
  /** The provider has read all of it from its cache in the last request. */
  cached: boolean;
  /** Of the blocks that it has read. */
  cached_tokens: number;
  contents: PromptContent[];
}

/** One text block of the next request. */
export interface PromptContent {
  type:
    | 'system'
    | 'legend'
    | 'symbols'
    | 'doc_symbols'
    | 'files'
    | 'urls'
    | 'review'
    | 'context'
    | 'tools'
    | 'history'
    | 'question';
  /** The path, or the block's category. */
  name: string;
  /** Of a file's block, null else. */
  path: string | null;
  tokens: number;
  /** In how many requests it has been sent, which is its age; 0 when it is new. */
  n: number;
  /** The age at which it comes to the next tier; null in the last one. */
  threshold: number | null;
  /** The provider has read it from its cache in the last request. */
  cached: boolean;
  /** The beginning of a question, the summary that stands for earlier talk; "" for others. */
  text: string;
}

/** A file that is changed only with the user's separate consent. */
export interface ProtectedFile {
  /** Its path. */
  file: string;
  /** Why it is executed automatically. */
  reason: string;
}

/** Who serves models. */
export interface ProviderRow {
  /** Litellm's word. */
  name: string;
  /** As `set_key` takes it; "" when there is no single one. */
  key_variable: string;
  /** There is a key. */
  has_key: boolean;
  /** The strongest place that has one; "" when none has. */
  where: 'environment' | 'keyring' | 'llm.json' | '';
}

/** An image that is kept. */
export interface PutImage {
  /** Names it in `chat_streaming` and `get_image`. */
  id: string;
  /** What it is, by its content. */
  mime: string;
  /** Its size. */
  bytes: number;
}

/** The files that were ticked when a question was asked, and aren't now. */
export interface QuestionFiles {
  /** That can be ticked, in the order in which they were ticked then. */
  files: string[];
  /** That can't. */
  left_out: LeftOutFile[];
}

/** The versions of a question. */
export interface QuestionVersions {
  /**
   * Of the current session's version; "" for the place behind its last answer, where only other sessions go
   * on.
   */
  request_id: string;
  /** All of them, the oldest first. */
  versions: VersionRow[];
}

/** A stretch of text, in LSP's spelling and in Monaco's, which counts from 1; end excluded. */
export interface Range {
  start: Position;
  end: Position;
  startLineNumber: number;
  startColumn: number;
  endLineNumber: number;
  endColumn: number;
}

/** The result of a refused call: nothing was done. */
export interface Refusal {
  /** One or two sentences for the user. */
  error: string;
}

/** The outcome of a reload. */
export interface ReloadRow {
  /** Whether a document has come; False: the server hasn't answered yet. */
  reloaded: boolean;
  /** Of the page. */
  url: string;
}

/** The session has this name from now on; "" for none. */
export interface RenamedSession {
  session_id: string;
  title: string;
}

/** What has changed within some days. */
export interface RepoActivity {
  /** The commit from which it was counted; "" in a repository without commits. */
  head: string;
  /** That were asked for. */
  days: number;
  /** Without merges. */
  commits: number;
  /** There were more than could be read; the newest ones are counted. */
  is_partial: boolean;
  /** Days with commits, oldest first. */
  by_day: DayCommits[];
  /** Those with the most commits, 100 at most. */
  files: HotFileRow[];
  /** The number of the others. */
  more_files: number;
  /** Those that change together most, 50 at most; commits of more than 40 files don't count. */
  pairs: FilePairRow[];
}

/** The outcome of a representation. */
export interface ReprResult {
  /** `done`; `running`: it has not ended in time and goes on without anybody waiting; `failed`. */
  state: string;
  /** The text, `REPR_CHARS` characters at most; what happened, in the other states. */
  text: string;
  /** Whether the text was longer. */
  is_cut: boolean;
}

/** The next request beside the last one. */
export interface RequestChanges {
  /** The parts whose size differs, the largest difference first. */
  parts: ChangedPart[];
  /** Of the beginning that both have, which the provider's cache can serve. */
  kept_tokens: number;
  /** Of the last request, behind that beginning: if the cache had them, it can serve them no more. */
  lost_tokens: number;
  /**
   * The first block behind that beginning: a path, or what kind of block; "" when all of the last request
   * stays as it was.
   */
  lost_from: string;
}

/** One request, with the fields that were asked for. */
export interface RequestEntry {
  entry: unknown;
}

/** Rows of requests. */
export interface RequestList {
  requests: NetworkRow[];
}

/** The result of `restore_cell_secrets`. */
export interface RestoredText {
  /** With the secrets in place of the placeholders that stand for them. */
  text: string;
}

/** A request that will be sent again. */
export interface RetryRow {
  /** Number of the coming retry, from 1. */
  attempt: number;
  /** Maximum number of retries; also `max_attempts`. */
  attempts: number;
  max_attempts: number;
  /** Delay before it; also `wait_seconds`. */
  wait_s: number;
  wait_seconds: number;
  /** What failed, as a sentence. */
  reason: string;
  /** An error type of the table of errors. */
  error_type: string;
}

/** A review has begun. */
export interface ReviewActive {
  /** A review is in progress, started by any host. */
  active: boolean;
  /**
   * `at_parent`: the files are those before the branch; `reviewing`: the branch's; `leaving`: it was being
   * ended.
   */
  phase: 'at_parent' | 'reviewing' | 'leaving' | null;
  /** The reviewed branch, as named by the user. */
  branch: string | null;
  /** The branch's last commit at the start of the review. */
  branch_tip: string | null;
  /** The first commit of the review. */
  base_commit: string | null;
  /** The commit that the review compares with. */
  parent_commit: string | null;
  /** The branch checked out before; null if it was a commit. */
  original_branch: string | null;
  /** The commit checked out before. */
  original_sha: string | null;
  /** Its start, ISO 8601; null if unknown. */
  since: string | null;
  /** A sentence for the user; "" for none. */
  message: string;
  /** Newest first. */
  commits: CommitRow[];
  changed_files: ReviewChange[];
  /** Null when nothing is under review. */
  stats: ReviewTotals | null;
  status: 'review_active';
}

/** What was before the branch is checked out. */
export interface ReviewBegun {
  branch: string;
  /** The branch's last commit. */
  branch_tip: string;
  /** The first commit of the review. */
  base_commit: string;
  /** What the review compares with. */
  parent_commit: string;
  /** What was checked out before; null when it was a commit. */
  original_branch: string | null;
  phase: 'at_parent';
}

/** A changed file of the review. */
export interface ReviewChange {
  /** Its new name. */
  path: string;
  /** Its name before the branch, if it was renamed or copied; else "". */
  old_path: string;
  status: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'typechange' | 'unknown';
  additions: number;
  deletions: number;
}

/** A part of a review in the next request, all its copies together. */
export interface ReviewDetail {
  /**
   * `summary`; `map-before/` and the two commits (the changed files as they were before the branch); or
   * `changes/` and the path of a file: its diff.
   */
  name: string;
  /** Its name for `trim_context`. */
  path: string;
  tokens: number;
  /** Nothing of it is new: all was sent in earlier turns. */
  in_log: boolean;
  /** It goes out; what is in the log and doesn't can be taken out (`trim_context`). */
  selected: boolean;
}

/** What is under review, with all that it changes. */
export interface ReviewDetails {
  /** A review is in progress, started by any host. */
  active: boolean;
  /**
   * `at_parent`: the files are those before the branch; `reviewing`: the branch's; `leaving`: it was being
   * ended.
   */
  phase: 'at_parent' | 'reviewing' | 'leaving' | null;
  /** The reviewed branch, as named by the user. */
  branch: string | null;
  /** The branch's last commit at the start of the review. */
  branch_tip: string | null;
  /** The first commit of the review. */
  base_commit: string | null;
  /** The commit that the review compares with. */
  parent_commit: string | null;
  /** The branch checked out before; null if it was a commit. */
  original_branch: string | null;
  /** The commit checked out before. */
  original_sha: string | null;
  /** Its start, ISO 8601; null if unknown. */
  since: string | null;
  /** A sentence for the user; "" for none. */
  message: string;
  /** Newest first. */
  commits: CommitRow[];
  changed_files: ReviewChange[];
  /** Null when nothing is under review. */
  stats: ReviewTotals | null;
}

/** What a review changes in one file, as a unified diff. */
export interface ReviewFileDiff {
  path: string;
  diff: string;
}

/** Whether a review can begin. */
export interface ReviewReadiness {
  clean: boolean;
  /** What is in its way, and the remedy; absent if nothing is. */
  message?: string;
}

/** The branch's files are on disk, and all that it changes is staged. */
export interface ReviewReady {
  status: 'review_ready';
}

/** What was checked out before is checked out again. */
export interface ReviewRestored {
  status: 'restored';
  /** Null when it is a commit. */
  branch: string | null;
  sha: string;
  /** What was changed during the review is in `git stash`. */
  stashed: boolean;
  /** The stash's commit; null when there is none. */
  stash: string | null;
  /** The branch that was made for commits of the user's; null when there is none. */
  kept: string | null;
  /** Sentences for the user: where this is, what was kept and how to get at it. */
  message: string;
}

/** The state of a review; all null if there is none. */
export interface ReviewState {
  /** A review is in progress, started by any host. */
  active: boolean;
  /**
   * `at_parent`: the files are those before the branch; `reviewing`: the branch's; `leaving`: it was being
   * ended.
   */
  phase: 'at_parent' | 'reviewing' | 'leaving' | null;
  /** The reviewed branch, as named by the user. */
  branch: string | null;
  /** The branch's last commit at the start of the review. */
  branch_tip: string | null;
  /** The first commit of the review. */
  base_commit: string | null;
  /** The commit that the review compares with. */
  parent_commit: string | null;
  /** The branch checked out before; null if it was a commit. */
  original_branch: string | null;
  /** The commit checked out before. */
  original_sha: string | null;
  /** Its start, ISO 8601; null if unknown. */
  since: string | null;
  /** A sentence for the user; "" for none. */
  message: string;
}

/** The review could not be ended; it is still open. */
export interface ReviewStuck {
  /** One or two sentences for the user. */
  error: string;
  status: 'partial';
}

/** How much a review is about. */
export interface ReviewTotals {
  commit_count: number;
  files_changed: number;
  additions: number;
  deletions: number;
}

/** Amounts of a run: what it has used, or may use. */
export interface RunAmounts {
  /** Requests to the model. */
  steps: number;
  /** Sent and received. */
  tokens: number;
  /** Null where no price is known. */
  usd: number | null;
  /** Since its beginning, without waits for the user. */
  seconds: number;
}

/** What a run has changed. */
export interface RunDiff {
  /** Unified, of all files; at most 4 MiB. */
  diff: string;
}

/** An agent's run: one turn of a conversation, in steps. */
export interface RunRow {
  /** The turn's id. */
  run_id: string;
  /** The front end's name of the turn. */
  request_id: string;
  /** How it may act. */
  mode: 'ask' | 'plan' | 'agent' | 'sandbox';
  /** `running`, or how it ended. */
  state: 'running' | 'done' | 'limit' | 'repeated' | 'stopped' | 'failed';
  /** Why it ended, in a sentence; "" for `done`. */
  reason: string;
  /** So far. */
  used: RunAmounts;
  /** Which it keeps. */
  limits: RunAmounts;
  /** In order. */
  calls: ToolCallRow[];
  /** The positions in the answer's text, in UTF-16 code units, at which each step ends. */
  steps: number[];
  /** The steps that changed files, from 1, to before which one can go back. */
  changed_steps: number[];
  /** By edits and commands. */
  files_changed: string[];
  /** There is something that `undo_run` takes back. */
  can_undo: boolean;
}

/** What became of undoing a run. */
export interface RunUndone {
  /** `undone`, also when some files were left alone. */
  status: 'undone';
  /** That are now as they were before. */
  files_restored: string[];
  /** That were left alone. */
  files_kept: KeptFile[];
  /** As it is now. */
  run: RunRow;
}

/** An answer that is being made. */
export interface RunningStream {
  request_id: string;
  /** Null in this release. */
  agent_id: string | null;
  /** The text so far; the beginning of a very long one, of which `attach_stream` gives all. */
  accumulated_content: string;
  /** Of the text, in UTF-16 code units. */
  length: number;
  /** What the model wrote before it answered, so far; likewise. */
  reasoning: string;
  /** True for a recorded answer, which no model makes; only there. */
  recorded?: boolean;
}

/** A picture of a page. */
export interface ScreenshotRow {
  /** The file, in base64. */
  data: string;
  /** Image/png or image/jpeg. */
  mime_type: string;
  /** In pixels. */
  width: number;
  /** In pixels. */
  height: number;
  /** The page is longer than the picture. */
  is_cut: boolean;
}

/** A sentence about secrets that a selected file seems to hold. */
export interface SecretWarning {
  path: string;
  message: string;
}

/** An element that the user picked. */
export interface SelectedElement {
  /** Of the selection, counted up and never used twice: "1", "2", …. */
  id: string;
  /** The element in a few words. */
  preview: ElementPreview;
  /** Of exactly this element in its document or shadow root; "" where none of reasonable length exists. */
  selector: string;
  /**
   * The way from the page's document into frames and shadow roots to the element; the last step has the
   * selector.
   */
  path: PathStep[];
  /** The same as a line. */
  path_text: string;
  /** An expression for scripts of the page; "" if they can't get to the element. */
  js_path: string;
  /** The markup, shortened; values of password fields and hidden fields are left out. */
  outer_html: string;
  /** Computed ones, the most useful. */
  styles: Record<string, string>;
  /** Where it is; null if it has no box. */
  rect: ElementRect | null;
  /** What is visible of it; null if there is none. */
  screenshot: ElementScreenshot | null;
  /** The browser's number of its node. */
  backend_node_id: number;
  /** That made it, if the development build of a web framework tells. */
  component: ComponentSource | null;
}

/** An error. */
export interface SessionErrorReport {
  /** Name of its class. */
  type: string;
  /** Made of its arguments; `MESSAGE_CHARS` characters at most. */
  message: string;
  /** What was added by `add_note`. */
  notes: string[];
  /** Those of cells and of the repository first, each part from the innermost out. */
  frames: FrameRow[];
  /** Number of the others. */
  frames_left_out: number;
  /** The errors before it, one line each, the nearest first. */
  causes: string[];
}

/** The messages of one session that were found. */
export interface SessionMatches {
  session_id: string;
  /** Newest first; a long one is cut. */
  messages: KeptMessage[];
  /** Of the newest, as are the members below. */
  message_id: string;
  role: 'user' | 'assistant' | 'system';
  /** The text around the place, on one line. */
  content_preview: string;
  timestamp: string;
}

/** The newest part of a conversation. */
export interface SessionSnapshot {
  session_id: string;
  /** Oldest first; all of them, unless they are very many or very long. */
  messages: ChatMessage[];
  /** Number of messages before them, for `get_session_messages`. */
  earlier: number;
}

/** The usage of a session, in tokens as the provider counts them. */
export interface SessionTotals {
  prompt: number;
  completion: number;
  /** Prompt and completion. */
  total: number;
  /** Part of the prompts that the provider's cache served; also `prompt_cached`. */
  cache_hit: number;
  cache_write: number;
  prompt_cached: number;
  reasoning: number;
  /** Of the answers with a price; null while there is none. */
  cost_usd: number | null;
  priced_request_count: number;
  unpriced_request_count: number;
}

/** The effect of a change of the settings. */
export interface SettingsChange {
  /** The selected model; "" if there is none. */
  model: string;
  /** The reason for the selection. */
  source: string;
  /** Information for the user, in sentences; "" for none. */
  message: string;
  /** Edits wait for the user's decision. */
  edits_review: boolean;
  /** The setting `urls.fetch`: `ask`, `auto` or `never`. */
  urls_fetch: string;
}

/** Nothing was done. */
export interface SettingsRefusal {
  /** One or two sentences for the user. */
  error: string;
  /** Of the text, from 1, when the error is about one. */
  line?: number;
}

/** The files were read anew. */
export interface SettingsReloaded {
  status: 'ok';
  /** Which one answers now; "" when there is none. */
  model: string;
  /** Where the choice comes from, in words. */
  source: string;
  /** The model for side tasks; "" when none is chosen. */
  smaller_model: string;
  /** What the user should know, in sentences. */
  notices: string[];
}

/** A file was saved and is in force. */
export interface SettingsSaved {
  status: 'ok';
  type: string;
  /** What the user should know, in sentences. */
  notices: string[];
}

/** What can be set in a form. */
export interface SettingsSchemas {
  /**
   * A JSON schema for each type of settings that has one; titles, descriptions, defaults and limits are those
   * of the host.
   */
  schemas: Record<string, Record<string, unknown>>;
}

/** Nothing was done yet: call again with `confirm` once the user agrees. */
export interface SettingsToConfirm {
  status: 'confirm';
  /** What would happen, in sentences. */
  changes: string[];
}

/** A change of the context that planners and executors share. */
export interface SharedContextChange {
  /** Of the context now; a page that doesn't have the one before asks for all. */
  version: number;
  /** Add, remove or modify. */
  action: 'add' | 'remove' | 'modify';
  /** File, dependency or state. */
  context_type: 'file' | 'dependency' | 'state';
  /** Of the changed entries, sorted. */
  names: string[];
}

/** The whole context. */
export interface SharedContextRow {
  version: number;
  files: ContextFile[];
  dependencies: ContextDependency[];
  state: Record<string, unknown>;
}

/** A text that a click puts into the input. */
export interface SnippetRow {
  /** A sign or two. */
  icon: string;
  /** What it is for. */
  tooltip: string;
  message: string;
}

/** A cell gets another text; its outputs stay. */
export interface SourceChange {
  /** `source`. */
  op: 'source';
  /** Of the cell. */
  id: string;
  /** Its text, which must not have changed. */
  before: string;
  /** The new one. */
  source: string;
}

/** The cost of a person's answers, in US dollars; null if no answer has a known price. */
export interface Spend {
  /** In the current session. */
  session_usd: number | null;
  /** Since midnight where the host is. */
  today_usd: number | null;
  /** In this repository, all its worktrees together. */
  repo_usd: number | null;
  /** Answers in this repository without a known price. */
  unpriced_turns: number;
}

/** What has changed is in the index. */
export interface StagedAll {
  status: 'ok';
  /**
   * Tracked files in whose place a pipe, a socket or a device stands now; git can't hold these. Not there
   * when nothing was left out.
   */
  left_out?: string[];
}

/** It was done. */
export interface Succeeded {
  success: boolean;
}

/** How the tests of a repository are run. */
export interface SuiteCommand {
  /** As a line; "" if nothing says how. */
  command: string;
  /** Why it is this one, as the end of a sentence; "" if there is none. */
  reason: string;
  /** Why tests can't be run here, in a sentence; "" if they can. */
  problem: string;
}

/** What has changed since a version. */
export interface SuiteNews {
  /** Another one than before: forget all tests. */
  generation: string;
  /** For the next call. */
  version: number;
  /** The last one; null before one. */
  run: SuiteRun | null;
  /** Those that have changed, 1000 at most. */
  tests: OutcomeRow[];
  /** There are more; ask again. */
  is_more: boolean;
  /** Tests beyond the 20,000 that are kept. */
  left_out: number;
}

/** A run of pytest. */
export interface SuiteRun {
  /** Unique. */
  run_id: string;
  /** It only finds the tests, or runs them. */
  kind: 'collect' | 'run';
  /** How far it is. */
  state: 'asking' | 'running' | 'done' | 'failed' | 'refused' | 'stopped';
  /** How it has ended, or why it could not go on, in a sentence; "" for nothing to say. */
  message: string;
  /** As a line; "" before it is known. */
  command: string;
  /** The number of nodes that were asked for; 0: all. */
  selected: number;
  /** Null before its end. */
  duration_ms: number | null;
}

/** A symbol that was found by its name. */
export interface SymbolRow {
  name: string;
  kind: string;
  file: string;
  /** Of its name, from 1. */
  line: number;
  /** Of its name, from 1, in UTF-16 code units. */
  column: number;
  /** The name of the symbol around it; "" at top level. */
  container: string;
  /** Parameters and result in short form; "" for none. */
  signature: string;
}

/** A symbol of a file, or a section of a document, and the tokens of its own lines. */
export interface SymbolTokens {
  /** As written. */
  name: string;
  /** `class`, `function`, …; `section` of a document. */
  kind: string;
  /** Where it begins, from 1. */
  line: number;
  /** Where it ends. */
  last_line: number;
  /** Index of the symbol around it among the rows; -1 at top level. */
  parent: number;
  /** Of those of its lines that are in no symbol inside it. */
  tokens: number;
}

/** A cell gets other tags. */
export interface TagsChange {
  /** `tags`. */
  op: 'tags';
  /** Of the cell. */
  id: string;
  /** All of them. */
  tags: string[];
}

/** A place in a file of the repository. */
export interface Target {
  file: string;
  range: Range;
}

/** The targets of a browser, or of all that are known. */
export interface TargetList {
  targets: BrowserTarget[];
}

/** A file that a task and others have changed in different ways. */
export interface TaskConflict {
  /** Relative to the repository. */
  path: string;
  /** The file with both versions between conflict marks, shortened; "" for no text. */
  text: string;
}

/** A task of a plan. */
export interface TaskName {
  plan_id: string;
  task_id: string;
}

/** What came out of a task. */
export interface TaskOutput {
  /** Of the executor. */
  explanation: string;
  /** Paths relative to the repository. */
  files_modified: string[];
  /** Likewise. */
  files_created: string[];
  /** Likewise. */
  files_deleted: string[];
  /** Of all attempts. */
  tokens_used: number;
  /** Of all attempts, as far as prices are known. */
  cost_usd: number;
  /** That did it. */
  model: string;
  /** Why the changes could not be merged into the plan's branch. */
  conflicts: TaskConflict[];
}

/** A task of a plan. */
export interface TaskRow {
  /** Unique within the plan. */
  id: string;
  /** `code_generation`, `refactoring`, `analysis` or `testing`. */
  type: string;
  /** What is to be done. */
  description: string;
  /** Ids of the tasks that must be done before. */
  dependencies: string[];
  /** 1 to 5, 1 first. */
  priority: number;
  /** A skipped dependency blocks it; else it counts as done. */
  needs_all: boolean;
  /** Pending, ready, running, validating, done, failed, blocked, cancelled or skipped. */
  status: string;
  /** How often it was started. */
  attempts: number;
  /** A sentence about its state; "" for none. */
  reason: string;
  /** After an attempt. */
  output?: TaskOutput;
}

/** The usage of an answer, with our names and those that other clients read. */
export interface TokenUsage {
  /** All tokens of the prompt, including those from the cache. */
  input_tokens: number;
  /** All tokens of the answer, including reasoning. */
  output_tokens: number;
  /** Part of the input that was read from the provider's cache. */
  cache_read_tokens: number;
  /** Part of the input that was written to the cache. */
  cache_write_tokens: number;
  /** Part of the output that isn't shown. */
  reasoning_tokens: number;
  /** Null if the price is unknown. */
  cost_usd: number | null;
  /** True if the answer ended before the provider could count; otherwise absent. */
  estimated?: boolean;
  /** `input_tokens`. */
  prompt_tokens: number;
  /** `output_tokens`. */
  completion_tokens: number;
  /** `cache_read_tokens`. */
  prompt_cached_tokens: number;
}

/** The tokens of the next request by what they are for. */
export interface TokensByCategory {
  system: number;
  /** What the signs of the maps mean. */
  legend: number;
  /** All maps, of code and of documents, the part chosen for the question included. */
  symbol_map: number;
  /** Files that the maps name. */
  symbol_map_files: number;
  /** Each map. */
  symbol_map_details: MapDetail[];
  files: number;
  /** Files, each once. */
  file_count: number;
  file_details: FileDetail[];
  urls: number;
  url_details: UrlDetail[];
  review: number;
  review_details: ReviewDetail[];
  context: number;
  context_details: ContextDetail[];
  /** Definitions of tools, their calls and results. */
  tools: number;
  /** Each of these. */
  tool_details: ToolDetail[];
  history: number;
  /** Earlier messages that go out again. */
  history_messages: number;
  question: number;
  /** Of all messages together. */
  overhead: number;
}

/** A decision that was passed on. */
export interface ToolAnswered {
  status: 'ok';
}

/** A tool call of a run. */
export interface ToolCallRow {
  /** Unique within its turn. */
  call_id: string;
  /** Of the run, from 1. */
  step: number;
  /** Its name. */
  tool: string;
  /** What it does, in one line: the command, the path, the address. */
  title: string;
  /** JSON, shortened. */
  arguments: string;
  /** `waiting` for the user, `running`, or how it ended. */
  status: 'waiting' | 'running' | 'done' | 'failed' | 'refused' | 'cancelled';
  /** Why it was refused or has failed; "" otherwise. */
  reason: string;
  /** What the user was asked; null for calls that don't ask. */
  question: ToolQuestion | null;
  /** ISO 8601, UTC; "" before it has started. */
  started_at: string;
  /** Null before its end. */
  duration_ms: number | null;
  /** Of the result that the model is sent. */
  tokens: number;
  /** The beginning of that result. */
  result: string;
  /** Characters of the result that `result` lacks. */
  left_out: number;
}

/** A part of the tools' share of the next request. */
export interface ToolDetail {
  /**
   * Of the tool whose result it is; else `tools` (their definitions), `tool_calls` of an answer, `run` (mode
   * and limits) or `step` (what is left of them).
   */
  name: string;
  /** Its name in the blocks. */
  path: string;
  tokens: number;
  /** It was sent in an earlier request. */
  in_log: boolean;
}

/** What the user is asked before a call runs. */
export interface ToolQuestion {
  /** The exact command, cell, path, address, or the model's question. */
  text: string;
  /** Why this asks, in a sentence. */
  why: string;
  /** For how long it may be allowed. */
  scopes: ('once' | 'session' | 'prefix')[];
  /** The leading arguments that the scope `prefix` is for. */
  prefix: string[];
  /** Of an address, for which the scope `session` is. */
  origin: string;
  /** It runs in a sandbox. */
  is_sandboxed: boolean;
  /** What the user should know before; "" for nothing. */
  warning: string;
  /** The answer is a text: `ask_user`. */
  wants_text: boolean;
}

/** News of a run, or of one of its calls. */
export interface ToolUpdate {
  /** The front end's name of the turn; of a plan's task ours. */
  request_id: string;
  /** Without its calls. */
  run: RunRow;
  /** That has changed; without one only the run has. */
  call?: ToolCallRow;
  /** Of a plan, that the run carries out. */
  task?: TaskName;
  /** Title of the panel that makes the call. Without a task and a panel it is a run of the conversation. */
  panel?: string;
}

/** A slice of the tree's files, as rows. */
export interface TreeRows {
  /** The repository's. */
  name: string;
  /** Of the tree; ask for what differs from it by `since`. */
  version: string;
  /** The version from which the rows differ; "" when they are a whole tree. */
  since: string;
  /** The branch and the commit. */
  head: string;
  /** The merge, rebase, cherry-pick, revert or bisect under way. */
  operation: string | null;
  /** How many rows all slices have together. */
  total: number;
  /**
   * `[path, lines, mtime, flags, additions, deletions]` by path, without the last two where both are 0.
   * Flags: 1 modified, 2 staged, 4 untracked, 8 deleted, 16 conflicted, 32 binary, 64 submodule, 128 link.
   */
  rows: (string | number)[][];
  /** The files that are gone, whole in the first slice. */
  removed: string[];
  /** Where the following slice starts; null in the last one. */
  next: number | null;
}

/** Files were taken out of the log. */
export interface Trimmed {
  status: 'ok';
  /** That the next request has less; 0 when there was nothing to take out. */
  tokens_freed: number;
}

/** Progress of a turn, or of the index of documents with the request id "". */
export interface TurnProgress {
  /**
   * `waiting` for the workspace's start, `notice` with a sentence for the user, `reading` while the model
   * reads the prompt; `compaction_start`, and then `compaction_complete` or `compaction_error` while the
   * conversation is shortened; `doc_enrichment_*` while keywords of documents are extracted; `url_fetch` and
   * then `url_ready` while a web page is fetched.
   */
  stage:
    | 'waiting'
    | 'notice'
    | 'reading'
    | 'compaction_start'
    | 'compaction_complete'
    | 'compaction_error'
    | 'doc_enrichment_queued'
    | 'doc_enrichment_file_done'
    | 'doc_enrichment_complete'
    | 'doc_enrichment_failed'
    | 'url_fetch'
    | 'url_ready';
  /** For the user. */
  message: string;
  /** Of the stage, if known. */
  percent?: number;
  /** How it was shortened: the older part was replaced by a summary, or dropped. */
  case?: 'summarize' | 'truncate';
  /** The newest part of the conversation; with `compaction_complete`. */
  messages?: ChatMessage[];
  /** Number of messages before them; with `messages`. */
  earlier?: number;
  /** Size of the conversation before. */
  before_tokens?: number;
  /** Size of the conversation after. */
  after_tokens?: number;
  /** Some of the documents whose keywords are extracted; with `doc_enrichment_queued`. */
  files?: string[];
  /** Number of these documents; with `doc_enrichment_queued`. */
  total?: number;
  /** The document that is done, or failed. */
  file?: string;
  /** Number of remaining documents; with `doc_enrichment_file_done`. */
  remaining?: number;
  /** Why there are no keywords, or no page; with `doc_enrichment_failed`, `url_ready`. */
  error?: string;
  /** Address of the page; with `url_fetch` and `url_ready`. */
  url?: string;
  /** Its short name. */
  display_name?: string;
}

/** The edits that `undo_last_edits` would undo. */
export interface UndoOffer {
  /** Of their turn. */
  request_id: string;
  /** The files that they changed. */
  files: string[];
}

/** A plan whose results were taken out of the user's files again. */
export interface UndonePlan {
  /** As it is now. */
  plan: PlanRow;
  /** That are as they were before. */
  files: string[];
  /** That were changed since, and left alone. */
  kept: KeptFile[];
}

/** The content of one address (`URLContent` of seed 001). */
export interface UrlContent {
  /** As it was found in the text. */
  url: string;
  /** Kind of page, see `WebAddress.type`. */
  url_type: string;
  /** Short, for lists. */
  display_name: string;
  /** Of the page. */
  title: string;
  /** Its summary of itself. */
  description: string;
  /** Its text. */
  content: string;
  /** Of a repository, how its files refer to each other. */
  symbol_map: string;
  /** Of a repository. */
  readme: string;
  /** What it names there. */
  github_info: GitHubInfo | null;
  /** ISO 8601, UTC; "" if it never was. */
  fetched_at: string;
  /** Why there is no content, in a sentence. */
  error: string | null;
  /** By the smaller model, if one was asked for. */
  summary: string | null;
  /** `BRIEF`, `USAGE`, `API`, `ARCHITECTURE` or `EVALUATION`. */
  summary_type: string | null;
  /** The address after redirects. */
  final_url: string;
  /** Host and port of the proxy that it came through, or "". */
  proxy: string;
}

/** A web page in the next request, all its copies together. */
export interface UrlDetail {
  /** Its title, or its address. */
  name: string;
  path: string;
  url: string;
  tokens: number;
  /** Nothing of it is new: all was sent in earlier turns. */
  in_log: boolean;
  /** It is; what is in the log and isn't included can be taken out (`trim_context`). */
  included: boolean;
}

/** A web page of a conversation. */
export interface UrlRow {
  url: string;
  /** Kind of page: `github_repo`, `documentation`, `generic` and so on. */
  type: string;
  /** Short, for lists. */
  display_name: string;
  /** Of the page; "" until it is fetched. */
  title: string;
  /** Of the fetch. */
  state: 'fetching' | 'ready' | 'failed';
  /** It goes to the model with the next question. */
  included: boolean;
  /** Why there is no content; null if there is. */
  error: string | null;
  /** ISO 8601, UTC; "" if it never was. */
  fetched_at: string;
  /** That have arrived; only while it is fetched. */
  bytes?: number;
}

/** It is done; also if there was nothing to do. */
export interface UrlsCleared {
  status: 'ok';
  success: boolean;
}

/** The result of a check. */
export interface ValidationResult {
  /** There is no diagnostic with the severity `error`. */
  valid: boolean;
  /** By their places, at most 500. */
  diagnostics: Diagnostic[];
  /** How many more there are. */
  left_out: number;
  /** What has checked it. */
  tool: string;
  /** Of the tool, or "". */
  tool_version: string;
  /** Milliseconds that it took. */
  elapsed_ms: number;
}

/** What a row says of a variable, and more. */
export interface VariableDescription {
  /** Of the variable. */
  name: string;
  /** `value`, `module`, `function` or `class`. */
  kind: string;
  /** Name of the class with its module; what the class says, not an identity. */
  type: string;
  /** Whether the class is a builtin or a known library's, and so its content is read. */
  is_known: boolean;
  /** Lengths of the dimensions; null where there are none, or where they are unknown. */
  shape: number[] | null;
  /** Number of items or characters; null where it has none. */
  length: number | null;
  /** Type of the elements; "" where there is none. */
  dtype: string;
  /**
   * Memory of the data, as far as the library counts it; for others of the object itself, without what it
   * refers to.
   */
  size_bytes: number;
  /** At most 80 characters; "" for an unknown class. */
  line: string;
  /** Pairs of a label and a text. */
  facts: string[][];
  /** The first 40 columns of a table. */
  columns: ColumnRow[];
  /** Number of the others. */
  columns_left_out: number;
  /** Texts of the first 5 rows, in the order of `columns`; "" for what is not shown. */
  head: string[][];
  /** What is not shown, and why. */
  note: string;
  /** All of this as text, for a model; at most `DESCRIPTION_CHARS` characters. */
  text: string;
  /** The value's own representation, if it was asked for. */
  repr: ReprResult | null;
}

/** The variables of a namespace in the order of their creation. */
export interface VariableList {
  /** `MOST_VARIABLES` at most. */
  variables: VariableRow[];
  /** Number of the others. */
  left_out: number;
}

/** A variable in a list. */
export interface VariableRow {
  /** Of the variable. */
  name: string;
  /** `value`, `module`, `function` or `class`. */
  kind: string;
  /** Name of the class with its module; what the class says, not an identity. */
  type: string;
  /** Whether the class is a builtin or a known library's, and so its content is read. */
  is_known: boolean;
  /** Lengths of the dimensions; null where there are none, or where they are unknown. */
  shape: number[] | null;
  /** Number of items or characters; null where it has none. */
  length: number | null;
  /** Type of the elements; "" where there is none. */
  dtype: string;
  /**
   * Memory of the data, as far as the library counts it; for others of the object itself, without what it
   * refers to.
   */
  size_bytes: number;
  /** At most 80 characters; "" for an unknown class. */
  line: string;
}

/** A version of a question. */
export interface VersionRow {
  /** The session to load for it: of those that have it, the one used last. */
  session_id: string;
  /** Its name in that session. */
  request_id: string;
  /** Its beginning, on one line. */
  preview: string;
  /** It is the one that the current session has. */
  current: boolean;
}

/** The outcome of waiting for something in a page. */
export interface WaitRow {
  /** Whether it came in time. */
  found: boolean;
  /** How long it took. */
  waited_ms: number;
  /** Of the page at the end. */
  url: string;
}

/** Every method by its name. */
export interface Methods {
  /** Tell whether a path is a regular file. */
  'Repo.file_exists': {
    params: [path: string];
    result: boolean;
  };
  /** Return a file's bytes as a data URI, for previews; its kind is told by its name. */
  'Repo.get_file_base64': {
    params: [path: string];
    result: FileData;
  };
  /** Return a file's text, of the working tree or of a branch, tag or commit. */
  'Repo.get_file_content': {
    params: [path: string, version?: string | null];
    result: string;
  };
  /** Return the SHA-256 of a file's bytes, as `write_file` takes it; null when it is missing. */
  'Repo.get_file_hash': {
    params: [path: string];
    result: string | null;
  };
  /** Return the language of a notebook's code, in small letters; "" when it is no notebook. */
  'Repo.get_notebook_language': {
    params: [path: string, version?: string | null];
    result: string;
  };
  /** Return a notebook as the text of its cells, which is what the model reads. */
  'Repo.get_notebook_text': {
    params: [path: string, version?: string | null];
    result: string;
  };
  /** Tell whether a file is binary; false for a missing one. */
  'Repo.is_binary_file': {
    params: [path: string];
    result: boolean;
  };
  /** Return the tree of files with their git state and changed lines. */
  'Repo.get_file_tree': {
    params: [];
    result: FileTree;
  };
  /** Return the files on disk, sorted, one a line. */
  'Repo.get_flat_file_list': {
    params: [];
    result: string;
  };
  /** Return the files as rows, or those that differ from an older tree, 2,000 at a time. */
  'Repo.get_tree_rows': {
    params: [since?: string, start?: number, version?: string];
    result: TreeRows;
  };
  /** Return the files with lines that match, each with its matches and lines around them. */
  'Repo.search_files': {
    params: [
      query: string,
      whole_word?: boolean,
      use_regex?: boolean,
      ignore_case?: boolean,
      context_lines?: number,
    ];
    result: FileMatches[];
  };
  /** Return the branch and the commit that are checked out. */
  'Repo.get_current_branch': {
    params: [];
    result: CurrentBranch;
  };
  /** Tell whether no tracked file differs from the last commit. */
  'Repo.is_clean': {
    params: [];
    result: boolean;
  };
  /** Return local branches, then those of remotes, each newest commit first. */
  'Repo.list_all_branches': {
    params: [];
    result: BranchRow[];
  };
  /** Return the repository's own branches by name, and which is checked out. */
  'Repo.list_branches': {
    params: [];
    result: Branches;
  };
  /** Return a page of the commits, children before parents, and the branches. */
  'Repo.get_commit_graph': {
    params: [limit?: number, offset?: number, include_remote?: boolean];
    result: CommitGraph;
  };
  /** Return the commits that `head` has and `base` has not, newest first. */
  'Repo.get_commit_log': {
    params: [base: string, head?: string, limit?: number];
    result: CommitRow[];
  };
  /** Return the commit that this one was made on. */
  'Repo.get_commit_parent': {
    params: [commit: string];
    result: CommitName | Refusal;
  };
  /** Return the best common ancestor of two refs; without `ref2`, of `ref1` and the trunk. */
  'Repo.get_merge_base': {
    params: [ref1: string, ref2?: string | null];
    result: CommitName | Refusal;
  };
  /** Return the full hash of the commit that a name stands for; null when there is none. */
  'Repo.resolve_ref': {
    params: [ref: string];
    result: string | null;
  };
  /** Return the commits whose message or author holds a text, newest first. */
  'Repo.search_commits': {
    params: [query: string, branch?: string | null, limit?: number];
    result: CommitRow[];
  };
  /** Return what the tracked files change of a branch, tag or commit, as a unified diff. */
  'Repo.get_diff_to_branch': {
    params: [ref: string];
    result: Diff | Refusal;
  };
  /** Return what the index changes of the last commit, as a unified diff. */
  'Repo.get_staged_diff': {
    params: [];
    result: string;
  };
  /** Return what the tracked files change of the index, as a unified diff. */
  'Repo.get_unstaged_diff': {
    params: [];
    result: string;
  };
  /** Make a file, and the folders above it; refused when something is there. */
  'Repo.create_file': {
    params: [path: string, content?: string];
    result: FileWritten;
  };
  /** Replace a file's text, or make the file; refused when it no longer has the hash given. */
  'Repo.write_file': {
    params: [path: string, content: string, expected_hash?: string | null];
    result: FileWritten;
  };
  /** Check out a branch; a remote's becomes the local one of its name. */
  'Repo.checkout_branch': {
    params: [name: string];
    result: BranchSwitched | Refusal;
  };
  /** Commit what is staged; hooks run as git runs them, and the answer names them. */
  'Repo.commit': {
    params: [message: string];
    result: CommitMade;
  };
  /** Make a branch at the checked out commit and check it out; changes stay as they are. */
  'Repo.create_branch': {
    params: [name: string];
    result: BranchSwitched | Refusal;
  };
  /** Make files as the last commit has them; those that it has not are removed. */
  'Repo.discard_changes': {
    params: [paths: readonly string[]];
    result: Done;
  };
  /** Make index and tracked files hold the last commit; untracked files stay. */
  'Repo.reset_hard': {
    params: [];
    result: Done;
  };
  /** Put everything that has changed into the index, but for what git can't hold. */
  'Repo.stage_all': {
    params: [];
    result: StagedAll | Done;
  };
  /** Put files, or all below folders, into the index as they are; deleted ones go from it. */
  'Repo.stage_files': {
    params: [paths: readonly string[]];
    result: Done;
  };
  /** Make the index hold what the last commit holds of these files; the files stay. */
  'Repo.unstage_files': {
    params: [paths: readonly string[]];
    result: Done;
  };
  /** Remove the files of a folder from disk; the index keeps them until that is staged. */
  'Repo.delete_directory': {
    params: [path: string];
    result: Done;
  };
  /** Remove a file from disk; the index keeps it until the removal is staged. */
  'Repo.delete_file': {
    params: [path: string];
    result: Done;
  };
  /** Give a folder another name, all that is in it included. */
  'Repo.rename_directory': {
    params: [old: string, new: string];
    result: Done;
  };
  /** Give a file another name, in the index as well when git tracks it. */
  'Repo.rename_file': {
    params: [old: string, new: string];
    result: Done;
  };
  /** Check out what was before a branch, or before one of its commits. */
  'Repo.checkout_review_parent': {
    params: [branch: string, base_commit?: string | null];
    result: ReviewBegun | Refusal;
  };
  /** Go back to what was checked out before; what was changed meanwhile goes to `git stash`. */
  'Repo.exit_review_mode': {
    params: [branch_tip?: string | null, original_branch?: string | null];
    result: ReviewRestored | Refusal;
  };
  /** Return the files that the review is about; without a review, those staged. */
  'Repo.get_review_changed_files': {
    params: [];
    result: ReviewChange[];
  };
  /** Return what the branch under review changes in one file, as a unified diff. */
  'Repo.get_review_file_diff': {
    params: [path: string];
    result: ReviewFileDiff;
  };
  /** Return what is under review here, whichever host began it; git is not asked. */
  'Repo.get_review_state': {
    params: [];
    result: ReviewState;
  };
  /** Put the branch's files on disk and stage all that it changes. */
  'Repo.setup_review_soft_reset': {
    params: [branch_tip: string, parent_commit: string];
    result: ReviewReady | Refusal;
  };
  /** Let a program run in this repository until it, or a file that it names, changes. */
  'Repo.allow_program': {
    params: [kind: string, name: string, command: string];
    result: ProgramRow;
  };
  /** Take the permission for a program back. */
  'Repo.forbid_program': {
    params: [kind: string, name: string];
    result: Done;
  };
  /** Return the hooks and programs that a commit would run now. */
  'Repo.get_commit_hooks': {
    params: [];
    result: CommitHooksRow;
  };
  /** Return the programs that git's configuration names, and whether they may run here. */
  'Repo.list_programs': {
    params: [];
    result: ProgramRow[];
  };
  /** Return which files have changed most within the last days, and which change together. */
  'Repo.get_activity': {
    params: [days?: number];
    result: RepoActivity;
  };
  /** Give an answer so far and stream the rest of it to this connection as well. */
  'LLMService.attach_stream': {
    params: [request_id: string];
    result: AttachedStream;
  };
  /** Stop an answer; its `streamComplete` follows, with what was written so far. */
  'LLMService.cancel_streaming': {
    params: [request_id: string];
    result: ChatCancelling | Refusal;
  };
  /** Ask; answers `{status: "started"}` once the question is kept, then the answer streams. */
  'LLMService.chat_streaming': {
    params: [
      request_id: string,
      message: string,
      files?: readonly unknown[] | null,
      images?: readonly unknown[] | null,
      excluded_urls?: readonly unknown[] | null,
      agent_tag?: string | null,
      reasoning?: boolean,
      effort?: string | null,
      agent?: string | null,
      ...further: unknown[],
    ];
    result: ChatStarted | Refusal;
  };
  /** Give an image by its id. */
  'LLMService.get_image': {
    params: [image_id: string];
    result: GotImage;
  };
  /** Keep a PNG, JPEG, GIF or WebP image of at most 5 MB for a question to come. */
  'LLMService.put_image': {
    params: [data_uri: string];
    result: PutImage;
  };
  /** Do the same as `new_session`. */
  'LLMService.history_new_session': {
    params: [];
    result: NewSession | Refusal;
  };
  /** Go on with an earlier session of the same person; refused while an answer is made. */
  'LLMService.load_session_into_context': {
    params: [session_id: string];
    result: LoadedSession | Refusal;
  };
  /** Begin a new conversation; what the user has ticked stays. */
  'LLMService.new_session': {
    params: [];
    result: NewSession | Refusal;
  };
  /** Delete one of the caller's sessions for good; files that it edited stay as they are. */
  'LLMService.delete_session': {
    params: [session_id: string];
    result: DeletedSession | Refusal;
  };
  /** Name one of the caller's sessions; an empty title takes the name away. */
  'LLMService.rename_session': {
    params: [session_id: string, title: string];
    result: RenamedSession | Refusal;
  };
  /** Give the text of a message from a place on; what is too long comes in several calls. */
  'LLMService.get_message_text': {
    params: [request_id: string, role?: string, offset?: number, part?: string];
    result: MessageText;
  };
  /** Give messages of the current session, oldest first: those right before another one. */
  'LLMService.get_session_messages': {
    params: [before?: string, limit?: number];
    result: SessionSnapshot;
  };
  /** List the selection. */
  'LLMService.get_selected_files': {
    params: [];
    result: string[];
  };
  /** Replace the selection; answers what was kept: files that exist, each once, in order. */
  'LLMService.set_selected_files': {
    params: [files: readonly string[]];
    result: string[];
  };
  /** Forget a set, not its files; answers the other sets. */
  'LLMService.delete_file_set': {
    params: [name: string];
    result: FileSet[] | Refusal;
  };
  /** List the saved sets by name; the files may be gone since. */
  'LLMService.list_file_sets': {
    params: [];
    result: FileSet[];
  };
  /** Give a set another name; answers all sets. */
  'LLMService.rename_file_set': {
    params: [name: string, new: string];
    result: FileSet[] | Refusal;
  };
  /** Save files under a name, in place of the set that has it; answers all sets. */
  'LLMService.save_file_set': {
    params: [name: string, files: readonly string[]];
    result: FileSet[] | Refusal;
  };
  /** List the excluded files and folders; some may be gone since. */
  'LLMService.get_excluded_index_files': {
    params: [];
    result: string[];
  };
  /** Exclude these files and folders, and no others; answers them, sorted. */
  'LLMService.set_excluded_index_files': {
    params: [files: readonly string[], made_from?: unknown];
    result: string[];
  };
  /** Add a variable, cell, selection, output or error to the next question. */
  'LLMService.add_context': {
    params: [item: ContextItemGiven];
    result: ContextItemRow | Refusal;
  };
  /** List what is added to the next question. */
  'LLMService.get_context_items': {
    params: [];
    result: ContextItemRow[];
  };
  /** Remove what was added to the next question; answers what is left. */
  'LLMService.remove_context': {
    params: [id: string];
    result: ContextItemRow[];
  };
  /** Put masked secrets back into the new text of the very cell that they were found in. */
  'LLMService.restore_cell_secrets': {
    params: [source: string, cell: string, text: string];
    result: RestoredText;
  };
  /** List the cells of a notebook, with the tokens that each adds to a request. */
  'LLMService.get_notebook_cells': {
    params: [path: string];
    result: NotebookCells;
  };
  /** Leave out exactly these cells of a notebook from the next request on. */
  'LLMService.set_excluded_cells': {
    params: [path: string, ids: readonly string[]];
    result: string[];
  };
  /** Send the outputs of exactly these cells of a notebook from the next request on. */
  'LLMService.set_shown_outputs': {
    params: [path: string, ids: readonly string[], images?: readonly string[] | null];
    result: string[];
  };
  /** Count the next request by category and file, exactly as it would be sent. */
  'LLMService.get_context_breakdown': {
    params: [agent_tag?: unknown, question?: string | readonly unknown[], images?: number];
    result: ContextBreakdown;
  };
  /** Return the map of the repository as the next request would hold it; "" without one. */
  'LLMService.get_sent_map': {
    params: [question?: string];
    result: string;
  };
  /** Count ticked files by symbol, as they are now; at most 50. */
  'LLMService.get_symbol_tokens': {
    params: [paths: readonly string[]];
    result: FileSymbolTokens[];
  };
  /** Compact the conversation though it is not due; `compactionEvent` tells how it goes. */
  'LLMService.compact_now': {
    params: [];
    result: CompactionStarted | Refusal;
  };
  /** Send the copies of these files no more; without paths, of all that aren't selected. */
  'LLMService.trim_context': {
    params: [paths?: readonly string[] | null];
    result: Trimmed | Refusal;
  };
  /** Send these questions and their answers no more, or again; they are still shown. */
  'LLMService.exclude_turns': {
    params: [request_ids: readonly string[], excluded?: boolean];
    result: ExcludedTurns | Refusal;
  };
  /** List the current session's excluded and pinned questions, in order, with their tokens. */
  'LLMService.list_marked_turns': {
    params: [];
    result: MarkedTurn[];
  };
  /** Keep these questions and their answers word for word through compactions, or no longer. */
  'LLMService.pin_turns': {
    params: [request_ids: readonly string[], pinned?: boolean];
    result: PinnedTurns | Refusal;
  };
  /** Say how many tokens the talk has, and how much room there is for it. */
  'LLMService.get_history_status': {
    params: [];
    result: HistoryStatus;
  };
  /** Say what the caller's answers have cost, as far as their prices are known. */
  'LLMService.get_spend': {
    params: [];
    result: Spend;
  };
  /** Say what the caller's answers in this repository have used, by day, oldest first. */
  'LLMService.get_spend_by_day': {
    params: [days?: number];
    result: DaySpend[];
  };
  /** Give the messages of one of the caller's sessions, oldest first; none for another's. */
  'LLMService.history_get_session': {
    params: [session_id: string];
    result: KeptMessage[];
  };
  /** List the caller's sessions, the one used last first; empty ones are left out. */
  'LLMService.history_list_sessions': {
    params: [limit?: number];
    result: ListedSession[];
  };
  /** Find messages that hold a text, newest first, gathered by session. */
  'LLMService.history_search': {
    params: [query: string, role?: string | null, limit?: number];
    result: SessionMatches[];
  };
  /** Give the conversation, the selection, what runs and which model answers. */
  'LLMService.get_current_state': {
    params: [];
    result: CurrentState;
  };
  /** Return the mode that is on, and how far the indexes are. */
  'LLMService.get_mode': {
    params: [];
    result: ModeState;
  };
  /** Show the model the map of the other kind as well, or not. */
  'LLMService.set_cross_reference': {
    params: [enabled: boolean];
    result: CrossReference | Refusal;
  };
  /** Work on documents (`doc`) or on code (`code`) from the next question on. */
  'LLMService.switch_mode': {
    params: [mode: string];
    result: ModeSwitched | Refusal;
  };
  /** Return the snippets for what is being done: a review, else work on code or documents. */
  'LLMService.get_snippets': {
    params: [];
    result: SnippetRow[];
  };
  /** Say whether a review can begin, and otherwise what is in its way. */
  'LLMService.check_review_ready': {
    params: [];
    result: ReviewReadiness;
  };
  /** End the review that is open, as `Repo.exit_review_mode` does. */
  'LLMService.end_review': {
    params: [];
    result: ReviewRestored | ReviewStuck | Refusal;
  };
  /** Return a page of the commits, as `Repo.get_commit_graph` does. */
  'LLMService.get_commit_graph': {
    params: [limit?: number, offset?: number, include_remote?: boolean];
    result: CommitGraph;
  };
  /** Return what the branch under review changes in one file, as a unified diff. */
  'LLMService.get_review_file_diff': {
    params: [path: string];
    result: ReviewFileDiff;
  };
  /** Return what is under review, its commits and the files that it changes. */
  'LLMService.get_review_state': {
    params: [];
    result: ReviewDetails;
  };
  /** Begin the review of a branch, from its first commit or from another one of it. */
  'LLMService.start_review': {
    params: [branch: string, base_commit?: string];
    result: ReviewActive | Refusal;
  };
  /** Apply pending blocks as the files are at this moment; without indices, all of the turn's. */
  'LLMService.apply_edits': {
    params: [request_id: string, indices?: readonly number[] | null];
    result: EditsDecided | Refusal;
  };
  /** Say how the applied edits of turns stand in the files at this moment. */
  'LLMService.get_edit_standings': {
    params: [request_ids: readonly string[]];
    result: EditsStanding[];
  };
  /** List the blocks that wait for the user, by turn, oldest first. */
  'LLMService.list_pending_edits': {
    params: [];
    result: PendingEdits[];
  };
  /** Reject pending blocks; without indices, all of the turn's. */
  'LLMService.reject_edits': {
    params: [request_id: string, indices?: readonly number[] | null];
    result: EditsDecided | Refusal;
  };
  /** Stage a notebook that was saved after edits were made in its open document. */
  'LLMService.save_notebook_edit': {
    params: [path: string];
    result: NotebookSaved;
  };
  /** Say whether edits wait for the user's word; kept in `app.json`. */
  'LLMService.set_edits_review': {
    params: [on: boolean];
    result: EditsReview | Refusal;
  };
  /** Take back edits of any turn, byte for byte; without indices, all that stand. */
  'LLMService.undo_edits': {
    params: [
      request_id: string,
      indices?: readonly number[] | null,
      confirmed_files?: readonly string[] | null,
    ];
    result: EditsUndone;
  };
  /** Take back all edits of the last turn that has any, as `undo_edits` does. */
  'LLMService.undo_last_edits': {
    params: [request_id?: string, confirmed_files?: readonly string[] | null];
    result: EditsUndone;
  };
  /** Return what could be written at a place, at most 50, whatever case the prefix has. */
  'LLMService.lsp_get_completions': {
    params: [path: string, line: number, col: number, prefix?: string];
    result: Completion[];
  };
  /** Return where the name at a place is defined in the repository; null when nowhere. */
  'LLMService.lsp_get_definition': {
    params: [path: string, line: number, col: number];
    result: Target | null;
  };
  /** Return what is known of the name at a place, as Markdown; null when nothing is. */
  'LLMService.lsp_get_hover': {
    params: [path: string, line: number, col: number];
    result: Hover | null;
  };
  /** Return where the name at a place is used in the repository, sorted. */
  'LLMService.lsp_get_references': {
    params: [path: string, line: number, col: number];
    result: Target[];
  };
  /** Return one file as the map in the prompt shows it. */
  'LLMService.get_file_map_block': {
    params: [path: string];
    result: FileMapBlock | Refusal;
  };
  /** Find the symbols of exactly these names, for links in a text; at most 200 names. */
  'LLMService.resolve_symbols': {
    params: [names: readonly string[]];
    result: SymbolRow[];
  };
  /** Find symbols by name, the best first. */
  'LLMService.search_symbols': {
    params: [query: string, limit?: number];
    result: SymbolRow[];
  };
  /** Stage everything and commit it; `commitResult` follows. */
  'LLMService.commit_all': {
    params: [message?: string, include_secrets?: boolean];
    result: CommitStarted | CommitRefusal;
  };
  /** Write a message for the commit that makes this diff. */
  'LLMService.generate_commit_message': {
    params: [diff: string];
    result: string | Refusal;
  };
  /** Commit these paths and nothing else, with the user's hooks. */
  'LLMService.commit_files': {
    params: [paths: readonly (string | CommitChoice)[], message: string, include_secrets?: boolean];
    result: CommitOutcome | CommitStarted | CommitRefusal;
  };
  /** Return the files that a commit could take, what it takes by default, and why not all. */
  'LLMService.list_commit_candidates': {
    params: [];
    result: CommitCandidates;
  };
  /** Take back the last commit, if it was made here and isn't pushed; its changes stay. */
  'LLMService.undo_commit': {
    params: [];
    result: CommitUndone | Refusal;
  };
  /** Have the model write the message of the commit that would take these paths. */
  'LLMService.write_commit_message': {
    params: [request_id: string, paths: readonly (string | CommitChoice)[]];
    result: MessageStarted | Refusal;
  };
  /** Write one of the caller's sessions as `markdown`, `ipynb` or `json`; nothing changes. */
  'LLMService.export_session': {
    params: [session_id: string, format?: string];
    result: ExportedSession | Refusal;
  };
  /** Take the messages of AC-DC's `history.jsonl` into the caller's history; again is fine. */
  'LLMService.import_history': {
    params: [content: string];
    result: ImportedHistory;
  };
  /** Remove all pages from the cache and from the conversation, and stop their fetches. */
  'LLMService.clear_url_cache': {
    params: [];
    result: UrlsCleared;
  };
  /** Fetch all pages whose addresses are in a text, as `fetch_url` does. */
  'LLMService.detect_and_fetch': {
    params: [text: string, use_cache?: boolean, summarize?: boolean];
    result: UrlContent[];
  };
  /** Find the web addresses in a text, each once; nothing is fetched. */
  'LLMService.detect_urls': {
    params: [text: string];
    result: DetectedUrl[];
  };
  /** Fetch a page and include it in the context; one that can't be fetched has an `error`. */
  'LLMService.fetch_url': {
    params: [
      url: string,
      use_cache?: boolean,
      summarize?: boolean,
      summary_type?: string | null,
      user_text?: string | null,
    ];
    result: UrlContent;
  };
  /** Return a page that was fetched, from the conversation or the cache; fetches nothing. */
  'LLMService.get_url_content': {
    params: [url: string];
    result: UrlContent;
  };
  /** List the web pages of the conversation. */
  'LLMService.get_urls': {
    params: [];
    result: UrlRow[];
  };
  /** Remove a page from the cache and from the conversation, or stop its fetch. */
  'LLMService.invalidate_url_cache': {
    params: [url: string];
    result: UrlsCleared;
  };
  /** Remove a page from the conversation, or stop its fetch; it stays in the cache. */
  'LLMService.remove_fetched_url': {
    params: [url: string];
    result: UrlsCleared;
  };
  /** Leave out exactly these pages from the next request; answers those that there are. */
  'LLMService.set_excluded_urls': {
    params: [urls: readonly string[]];
    result: string[];
  };
  /** Say whether there are conversations that the caller has not kept here. */
  'LLMService.get_history_trust': {
    params: [];
    result: HistoryTrustState;
  };
  /** Take all conversations of the caller for their own; they go on, and are sent, from then. */
  'LLMService.trust_history': {
    params: [];
    result: HistoryTrusted | Refusal;
  };
  /** Go on from before a question, in a new session; the present one stays in the list. */
  'LLMService.branch_session': {
    params: [request_id: string, after?: boolean];
    result: BranchedSession | Refusal;
  };
  /** List the questions of the current session of which other sessions have another version. */
  'LLMService.get_question_versions': {
    params: [];
    result: QuestionVersions[];
  };
  /** List the files that were ticked when a question was asked and aren't now. */
  'LLMService.get_question_files': {
    params: [request_id: string];
    result: QuestionFiles | Refusal;
  };
  /** Return the recorded questions; only the sample repository of the tour has some. */
  'LLMService.get_example': {
    params: [];
    result: OfferedExample;
  };
  /** Ask a recorded question: its answer streams as a model's, and its edits are applied. */
  'LLMService.play_example': {
    params: [request_id: string, question_id: string];
    result: ChatStarted | Refusal;
  };
  /** Write the files of the example as the tour found them; refused while an answer is made. */
  'LLMService.reset_example': {
    params: [];
    result: ExampleReset | Refusal;
  };
  /** Offer the recorded example no more, and delete the conversations made of it alone. */
  'LLMService.remove_example': {
    params: [];
    result: ExampleRemoved | Refusal;
  };
  /** Open a conversation for this client alone, by its session's id; "" begins a new one. */
  'LLMService.open_conversation': {
    params: [id?: string];
    result: LoadedSession;
  };
  /** Suggest what comes at the cursor of a document; a later call of the page ends this one. */
  'LLMService.complete_inline': {
    params: [
      path: string,
      prefix: string,
      suffix?: string,
      language?: string,
      before?: readonly CodeCell[] | null,
      after?: readonly CodeCell[] | null,
    ];
    result: InlineCompletion | Refusal;
  };
  /** Approve exactly this code for exactly this kernel, once, and run it. */
  'LLMService.approve_cell_run': {
    params: [run_id: string];
    result: CellRunStatus;
  };
  /** Return an image of one of the newest runs, by its position in `outputs` from 0. */
  'LLMService.get_cell_run_image': {
    params: [run_id: string, position: number];
    result: CellRunImage;
  };
  /** Interrupt a running cell; its end follows by `cellRunUpdated`. */
  'LLMService.interrupt_cell_run': {
    params: [run_id: string];
    result: CellRunStatus;
  };
  /** Return the newest 100 cells that were requested or run, newest first. */
  'LLMService.list_cell_runs': {
    params: [];
    result: CellRunRow[];
  };
  /** Refuse a cell that waits for approval. */
  'LLMService.refuse_cell_run': {
    params: [run_id: string];
    result: CellRunStatus;
  };
  /** Ask for approval to run code in a kernel; nothing is run yet. */
  'LLMService.request_cell_run': {
    params: [notebook: string, kernel_id: string, code: string, time_limit_s?: number];
    result: CellRunStatus;
  };
  /** Tell a running agent something; its next step delivers it to the model. */
  'LLMService.add_to_run': {
    params: [request_id: string, message: string];
    result: ToolAnswered;
  };
  /** Decide on a tool call that waits: `allow` or `refuse`. */
  'LLMService.answer_tool': {
    params: [
      request_id: string,
      call_id: string,
      decision: 'allow' | 'refuse',
      scope?: 'once' | 'session' | 'prefix',
      text?: string,
    ];
    result: ToolAnswered;
  };
  /** Return one diff of all that a run has changed; "" if it has changed nothing. */
  'LLMService.get_run_diff': {
    params: [run_id: string];
    result: RunDiff;
  };
  /** List the tool calls of the person's runs that wait for a decision, oldest first. */
  'LLMService.list_pending_tools': {
    params: [];
    result: PendingTool[];
  };
  /** Restore the files that a run changed, by edits and by commands, to the exact bytes. */
  'LLMService.undo_run': {
    params: [run_id: string, step?: number];
    result: RunUndone;
  };
  /** Find the tests by pytest, which runs the code of their files; asks the person before. */
  'Tests.collect': {
    params: [outside_sandbox?: boolean];
    result: SuiteRun;
  };
  /** Say how the tests of the repository are run, or why they can't be run here. */
  'Tests.get_command': {
    params: [];
    result: SuiteCommand;
  };
  /** Return what has changed since the version of another answer. */
  'Tests.get_news': {
    params: [generation?: string, version?: number, wait_ms?: number];
    result: SuiteNews;
  };
  /** Return why a test has failed or was skipped, and what it has printed. */
  'Tests.get_output': {
    params: [test_id?: string];
    result: OutcomeOutput;
  };
  /** Run tests by pytest; asks the person before, as the agent's tool `run_tests` does. */
  'Tests.run': {
    params: [nodes?: readonly string[] | null, outside_sandbox?: boolean];
    result: SuiteRun;
  };
  /** End the person's run, or take its question back; says whether there was one. */
  'Tests.stop': {
    params: [];
    result: boolean;
  };
  /** Describe one of these variables. */
  'Kernel.describe_variable': {
    params: [name: string];
    result: VariableDescription;
  };
  /** Return the last error that this session has shown; null if there was none. */
  'Kernel.get_last_error': {
    params: [];
    result: SessionErrorReport | null;
  };
  /** List the variables of the kernel of the caller's active notebook. */
  'Kernel.list_variables': {
    params: [];
    result: VariableList;
  };
  /** Return the model in use, where its choice comes from, and where the settings are. */
  'Settings.get_config_info': {
    params: [];
    result: ConfigInfo;
  };
  /** Return what can be set in a form: names, descriptions, defaults and limits. */
  'Settings.get_schemas': {
    params: [];
    result: SettingsSchemas;
  };
  /** Return a file's text, keys hidden; where none is written, the text of what holds then. */
  'Settings.get_config_content': {
    params: [type: string];
    result: string | SettingsRefusal;
  };
  /** Check a file's text, save it and put it in force; hidden keys stay what they are. */
  'Settings.save_config_content': {
    params: [type: string, content: string, confirm?: boolean];
    result: SettingsSaved | SettingsToConfirm | SettingsRefusal;
  };
  /** Read `app.json`, the snippets and the prompts anew. */
  'Settings.reload_app_config': {
    params: [];
    result: SettingsReloaded | SettingsRefusal;
  };
  /** Read `llm.json` and the keyring anew; a broken file leaves in force what held before. */
  'Settings.reload_llm_config': {
    params: [];
    result: SettingsReloaded | SettingsRefusal;
  };
  /** Keep the choice of a model in `llm.json`; "" leaves it to the keys that are set. */
  'Settings.choose_model': {
    params: [model: string];
    result: ModelChosen | SettingsRefusal;
  };
  /** Return the models for talk that may be chosen, those that can be used at once first. */
  'Settings.list_models': {
    params: [];
    result: ModelList;
  };
  /** Keep a provider's key in the system's keyring, or in `llm.json` where there is none. */
  'Settings.set_key': {
    params: [provider_variable: string, key: string, confirm?: boolean];
    result: KeyKept | SettingsToConfirm | SettingsRefusal;
  };
  /** Ask a model server for the names of its models. */
  'Settings.find_models': {
    params: [kind: string, api_base: string, key?: string, confirm?: boolean];
    result: FoundModels | SettingsToConfirm | SettingsRefusal;
  };
  /** Return the kinds of model servers that people run themselves. */
  'Settings.list_endpoint_kinds': {
    params: [];
    result: EndpointKindRow[];
  };
  /** Send one short question to a model, and say how long the answer took; keeps nothing. */
  'Settings.try_model': {
    params: [model: string, api_base?: string, key?: string, confirm?: boolean];
    result: ModelTried | SettingsToConfirm | SettingsRefusal;
  };
  /** Return the snippets for reviews. */
  'Settings.get_review_snippets': {
    params: [];
    result: SnippetRow[];
  };
  /** Return the snippets for work on code. */
  'Settings.get_snippets': {
    params: [];
    result: SnippetRow[];
  };
  /** Connect to a page, by its id or by its position in `pages`; exactly one of them. */
  'Browser.connect': {
    params: [page_id?: string | null, page?: number | null];
    result: ConnectedPage;
  };
  /** Disconnect from the page, and forget what was recorded of it. */
  'Browser.disconnect': {
    params: [];
    result: DisconnectedPage;
  };
  /** Forget the last error of the connection. */
  'Browser.dismiss_errors': {
    params: [];
    result: Succeeded;
  };
  /** List the pages of all known browsers; without any, that on port 9222 is tried. */
  'Browser.pages': {
    params: [];
    result: PageList;
  };
  /** Return the state of the connection, as clients of the event stream get it. */
  'Browser.status': {
    params: [];
    result: BrowserStatus;
  };
  /** Set what is allowed in a target until it goes: `js`, `cdp`, `fetch`, `input`, `navigate`. */
  'Browser.grant': {
    params: [target: string, actions: readonly string[]];
    result: GrantedActions;
  };
  /** Start Chromium, Chrome or Edge with an empty profile of its own, and watch its page. */
  'Browser.launch': {
    params: [url?: string, headless?: boolean | null];
    result: LaunchedBrowser;
  };
  /** End a browser that `launch` has started; one that runs on its own is only left. */
  'Browser.quit': {
    params: [browser: string];
    result: Succeeded;
  };
  /** List tabs and service workers; `endpoint` adds a browser that runs already. */
  'Browser.targets': {
    params: [endpoint?: string];
    result: TargetList;
  };
  /** Stop to record a target, and forget what was recorded. */
  'Browser.unwatch': {
    params: [target: string];
    result: Succeeded;
  };
  /** Record what happens in a target: console, requests, errors. */
  'Browser.watch': {
    params: [target: string];
    result: BrowserTarget;
  };
  /** Forget recorded requests (`events`), or messages (`console`), also the browser's own. */
  'Browser.clear': {
    params: [events?: boolean, console?: boolean, target?: string];
    result: ClearedRecords;
  };
  /** List messages of the console, the newest first. */
  'Browser.console': {
    params: [limit?: number, level?: string | null, reveal?: boolean, target?: string];
    result: MessageList;
  };
  /** Return all recorded requests as a HAR 1.2 document. */
  'Browser.get_har': {
    params: [reveal?: boolean, target?: string];
    result: Record<string, unknown>;
  };
  /** List what is new since `take_news`: errors of the console, and failed requests. */
  'Browser.get_news': {
    params: [target?: string];
    result: News;
  };
  /** List requests: the newest first, without those that filters hide. */
  'Browser.network': {
    params: [
      limit?: number,
      status?: number | null,
      method?: string | null,
      resource_type?: string | null,
      url?: string | null,
      state?: string | null,
      show_all?: boolean,
      order?: string,
      reveal?: boolean,
      target?: string,
    ];
    result: RequestList;
  };
  /** Return one request in the shape of HAR, with the fields asked for. */
  'Browser.request': {
    params: [
      id: number,
      fields?: readonly string[] | null,
      expr?: string | null,
      reveal?: boolean,
      target?: string,
    ];
    result: RequestEntry;
  };
  /** Return the news, and take them as known from now on. */
  'Browser.take_news': {
    params: [target?: string];
    result: News;
  };
  /** Forget the chosen elements. */
  'Browser.clear_selections': {
    params: [target?: string];
    result: ClearedSelections;
  };
  /** Return a chosen element: selector, role and name, HTML, styles, place, screenshot. */
  'Browser.get_selection': {
    params: [id: string, target?: string];
    result: SelectedElement;
  };
  /** Let the user choose elements: each click in the page chooses one, Escape ends it. */
  'Browser.start_inspect': {
    params: [target?: string];
    result: InspectMode;
  };
  /** End the choosing of elements; what was chosen stays. */
  'Browser.stop_inspect': {
    params: [target?: string];
    result: InspectMode;
  };
  /** Let all requests go, those that wait included. */
  'Browser.fetch_disable': {
    params: [target?: string];
    result: NoInterception;
  };
  /** Pause each request, before it is sent or when its response comes, for a decision. */
  'Browser.fetch_enable': {
    params: [request?: boolean, response?: boolean, target?: string];
    result: InterceptionStatus;
  };
  /** Let a paused request fail; `reason` is one of the DevTools Protocol's. */
  'Browser.fetch_fail': {
    params: [id?: number | null, reason?: string, request?: number | null, target?: string];
    result: Record<string, unknown>;
  };
  /** Answer a paused request in place of its server. */
  'Browser.fetch_fulfill': {
    params: [
      id?: number | null,
      response_code?: number,
      response_headers?: readonly Record<string, string>[] | null,
      body?: string,
      request?: number | null,
      target?: string,
    ];
    result: Record<string, unknown>;
  };
  /** Let a paused request go, changed or as it is. */
  'Browser.fetch_resume': {
    params: [
      id?: number | null,
      modifications?: Record<string, unknown> | null,
      wait?: number,
      request?: number | null,
      target?: string,
    ];
    result: Record<string, unknown>;
  };
  /** Return the rules by which requests are answered, blocked, delayed or paused. */
  'Browser.get_fetch_rules': {
    params: [target?: string];
    result: Record<string, unknown>;
  };
  /** Set the rules for requests: `{mock: {glob: …}, block: [glob], delay: {glob: ms}, pause}`. */
  'Browser.set_fetch_rules': {
    params: [rules: Record<string, unknown>, target?: string];
    result: Record<string, unknown>;
  };
  /** Add a group, or replace one: it hides requests by their `types` and `urls` (globs). */
  'Browser.filters_add': {
    params: [name: string, hide: Record<string, readonly string[]>];
    result: Record<string, unknown>;
  };
  /** Show again what a group names. */
  'Browser.filters_disable': {
    params: [name: string, target?: string];
    result: Record<string, unknown>;
  };
  /** Hide nothing. */
  'Browser.filters_disable_all': {
    params: [target?: string];
    result: Record<string, unknown>;
  };
  /** Hide what a group names, in all lists of requests. */
  'Browser.filters_enable': {
    params: [name: string, target?: string];
    result: Record<string, unknown>;
  };
  /** Hide what any group names. */
  'Browser.filters_enable_all': {
    params: [target?: string];
    result: Record<string, unknown>;
  };
  /** Remove a group. */
  'Browser.filters_remove': {
    params: [name: string];
    result: Record<string, unknown>;
  };
  /** Return all groups: `{name: {enabled, hide: {types, urls}}}`. */
  'Browser.filters_status': {
    params: [];
    result: Record<string, unknown>;
  };
  /** Go back one page. */
  'Browser.back': {
    params: [target?: string];
    result: HistoryStepRow;
  };
  /** Go forward one page. */
  'Browser.forward': {
    params: [target?: string];
    result: HistoryStepRow;
  };
  /** Return the pages that the tab has shown: `{entries, current_index}`. */
  'Browser.history': {
    params: [target?: string];
    result: HistoryRow;
  };
  /** Open an address: http, https or about:blank. */
  'Browser.navigate': {
    params: [url: string, target?: string];
    result: NavigateRow;
  };
  /** Return the page: `{id, type, title, url}`. */
  'Browser.page': {
    params: [target?: string];
    result: PageRow;
  };
  /** Load the page again. */
  'Browser.reload': {
    params: [ignore_cache?: boolean, target?: string];
    result: ReloadRow;
  };
  /** Send a command of the DevTools Protocol to the page: `{result}`. */
  'Browser.cdp': {
    params: [
      command?: string | null,
      params?: Record<string, unknown> | null,
      method?: string | null,
      target?: string,
    ];
    result: CdpRow;
  };
  /** Run JavaScript in the page: `{value, executed}`. */
  'Browser.js': {
    params: [
      code: string,
      selection?: number | string | null,
      persist?: boolean,
      await_promise?: boolean,
      return_value?: boolean,
      target?: string,
    ];
    result: JsRow;
  };
  /** Click the middle of the one element that a selector finds, or of a chosen element. */
  'Browser.click': {
    params: [selector?: string, selection?: string, target?: string];
    result: InputRow;
  };
  /** Answer the dialog that blocks the page; `text` is for a prompt. */
  'Browser.handle_dialog': {
    params: [accept: boolean, text?: string, target?: string];
    result: DialogAnswered;
  };
  /** Return a picture of what the page shows, or of the whole page. */
  'Browser.screenshot': {
    params: [full?: boolean, target?: string];
    result: ScreenshotRow;
  };
  /** Type a text into an element, or where the focus is; then press a key such as `Enter`. */
  'Browser.type_text': {
    params: [
      text: string,
      selector?: string,
      selection?: string,
      replace?: boolean,
      press?: string,
      target?: string,
    ];
    result: InputRow;
  };
  /** Wait until an element, a text, or an address (glob) is there: at most a minute. */
  'Browser.wait_for': {
    params: [selector?: string, text?: string, url?: string, timeout_s?: number, target?: string];
    result: WaitRow;
  };
  /** Check code and list what is wrong with it; the code is never executed. */
  'Planner.validate_code': {
    params: [code: string, language: string, rules?: readonly string[] | null];
    result: ValidationResult;
  };
  /** Return the context that planners and executors share, with its version. */
  'Planner.get_context': {
    params: [];
    result: SharedContextRow;
  };
  /** Change the context, and tell the caller's other pages its new version. */
  'Planner.update_context': {
    params: [
      action: 'add' | 'remove' | 'modify',
      context_type: 'file' | 'dependency' | 'state',
      data: Record<string, unknown>,
      upsert?: boolean,
    ];
    result: ContextApplied;
  };
  /** Have the model split a request into tasks; the plan then waits for approval. */
  'Planner.create_plan': {
    params: [
      user_request: string,
      current_state?: Record<string, unknown> | null,
      constraints?: Record<string, unknown> | null,
    ];
    result: CreatedPlan;
  };
  /** Return a plan with its tasks. */
  'Planner.get_plan': {
    params: [plan_id: string];
    result: PlanRow;
  };
  /** Return the caller's plans, the newest first. */
  'Planner.list_plans': {
    params: [limit?: number];
    result: PlanList;
  };
  /** Edit a task of a plan that doesn't run yet, add one, or take one away; or skip one. */
  'Planner.update_task': {
    params: [plan_id: string, task_id: string, changes?: Record<string, unknown> | null];
    result: PlanRow;
  };
  /** Merge the plan's branch into the user's files, and stage that; all or nothing. */
  'Planner.apply_plan': {
    params: [plan_id: string];
    result: AppliedPlan;
  };
  /** Reject a plan that waits for approval, or end one that runs. */
  'Planner.cancel_plan': {
    params: [plan_id: string, reason?: string];
    result: PlanRow;
  };
  /** End a task that isn't over; what depends on it is blocked. */
  'Planner.cancel_task': {
    params: [plan_id: string, task_id: string];
    result: PlanRow;
  };
  /** Return one diff of what a plan has changed on its branch, or one of its tasks. */
  'Planner.get_plan_diff': {
    params: [plan_id: string, task_id?: string];
    result: PlanDiff;
  };
  /** Start no further task of a plan; those that run go on to their ends. */
  'Planner.pause_plan': {
    params: [plan_id: string];
    result: PlanRow;
  };
  /** Go on with a paused plan, also with one whose host has ended. */
  'Planner.resume_plan': {
    params: [plan_id: string];
    result: PlanRow;
  };
  /** Carry out a failed task again, on top of what others have done since. */
  'Planner.retry_task': {
    params: [plan_id: string, task_id: string, note?: string];
    result: PlanRow;
  };
  /** Approve a plan and start it; `AcApp.planUpdated` tells how it goes on. */
  'Planner.run_plan': {
    params: [plan_id: string, concurrency?: number | null, executor?: string, allow_setup?: string];
    result: PlanRow;
  };
  /** Give the files the bytes from before `apply_plan`; files changed since are left alone. */
  'Planner.undo_plan': {
    params: [plan_id: string];
    result: UndonePlan;
  };
  /** Have an agent carry out one task in a copy of the repository, and return its result. */
  'Planner.execute_task': {
    params: [
      task_type: 'code_generation' | 'refactoring' | 'analysis' | 'testing',
      prompt: string,
      context?: Record<string, unknown> | null,
      options?: Record<string, unknown> | null,
    ];
    result: ExecutedTask;
  };
  /** List what `run_plan` and `execute_task` take as `executor`: the setting `executors`. */
  'Planner.list_executors': {
    params: [];
    result: ExecutorList;
  };
  /** List the panels that can be shown. */
  'Panels.list': {
    params: [];
    result: PanelRow[];
  };
  /** Show a panel; the tree, or the error of its start, is sent before the answer. */
  'Panels.initialize': {
    params: [panel_id: string, req: InitializeRequest];
    result: null;
  };
  /** Replace the props of a panel, for all views. */
  'Panels.updateProps': {
    params: [panel_id: string, props: Record<string, unknown> | null];
    result: null;
  };
  /** Change members of a panel's environment, for all views; null sets one back. */
  'Panels.setEnvironment': {
    params: [panel_id: string, env: Record<string, unknown>];
    result: null;
  };
  /** Run the function of an event. */
  'Panels.executeHandler': {
    params: [panel_id: string, handler_id: string, args?: readonly unknown[] | null];
    result: null;
  };
  /** Send the whole tree of a panel. */
  'Panels.syncTree': {
    params: [panel_id: string];
    result: null;
  };
  /** End the caller's view of a panel. Idempotent. */
  'Panels.destroy': {
    params: [panel_id: string];
    result: null;
  };
  /** End the process of a panel and start it anew, for all views; its state begins anew. */
  'Panels.restart': {
    params: [panel_id: string];
    result: null;
  };
  /** Return what was counted of calls, bytes, tokens and money since the host began. */
  get_metrics: {
    params: [];
    result: MetricsSummary;
  };
  /** List the methods of this host, with what they ask of their caller. */
  'rpc.discover': {
    params: [];
    result: MethodList;
  };
}

/** The arguments of every `AcApp.<event>`. */
export interface Events {
  /** Progress of the workspace's start; it ends with stage `ready` at 100 percent. */
  startupProgress: [stage: string, message: string, percent: number];
  /** All files and folders of which nothing is sent to a model, after a change; sorted. */
  excludedFilesChanged: [paths: string[]];
  /** The whole selection after a change. */
  filesChanged: [selected_files: string[], by_program: string[]];
  /** All web pages of the conversation after a change. */
  urlsChanged: [urls: UrlRow[]];
  /** All that the user has added to the next question, after a change of it. */
  contextChanged: [items: ContextItemRow[]];
  /** The state of the browser's connection, after a change of it or of what was recorded. */
  browserChanged: [state: BrowserState];
  /** Files that changed in the tree, by any program. */
  filesModified: [paths: string[]];
  /** A branch is under review: its files are on disk, and all its changes are staged. */
  reviewStarted: [state: ReviewState];
  /** The original branch or commit is checked out again after a review. */
  reviewEnded: [state: ReviewState];
  /** A question that another page of the same person has just sent. */
  userMessage: [message: AskedQuestion];
  /** The newest part of the conversation after a change. */
  sessionChanged: [session: SessionSnapshot];
  /** The settings have changed, through a page or on disk. */
  settingsChanged: [change: SettingsChange];
  /** The mode or the cross-reference of the conversation has changed. */
  modeChanged: [change: ModeChange];
  /** Progress of a turn with its request id; of the index of documents with "". */
  compactionEvent: [request_id: string, event: TurnProgress];
  /** The whole text of an answer so far; for pages that don't support `streamDelta`. */
  streamChunk: [request_id: string, text: string];
  /** An increment of an answer; `offset`, in UTF-16 code units, is the start of `text` in it. */
  streamDelta: [request_id: string, offset: number, text: string];
  /** An increment of a model's reasoning, which isn't part of the answer; `offset` as above. */
  streamReasoning: [request_id: string, offset: number, text: string];
  /** A request to the model failed temporarily and will be sent again. */
  streamRetry: [request_id: string, retry: RetryRow];
  /** The outcome of a commit. */
  commitResult: [result: CommitOutcome];
  /** All edit blocks of an answer so far; sent after the text that contains them. */
  editBlocks: [request_id: string, blocks: EditBlockRow[]];
  /** The state of a turn's edits after the user has decided on some. */
  editsChanged: [request_id: string, change: EditsChange];
  /** A cell that the program wants to run, in its new state. */
  cellRunUpdated: [run: CellRunRow];
  /** News of an agent's run, or of one of its tool calls. */
  toolUpdated: [update: ToolUpdate];
  /** The context that planners and executors share has changed. */
  contextUpdated: [change: SharedContextChange];
  /** A plan, or some of its tasks, in their new state. */
  planUpdated: [update: PlanUpdate];
  /** The end of a turn, sent once for each, also for errors and cancellation. */
  streamComplete: [request_id: string, result: CompletionResult];
}
