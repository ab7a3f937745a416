/** The wire as a host serves it. Made by `make docs` from its table of methods; not edited. */

/** What `get_current_state` and the health route say when both ends fit together. */
export const PROTOCOL = 1;

/** A question that a page of the same person has just asked. */
export interface AskedQuestion {
  /** The user's text. */
  content: string;
  /** The asking page's name for the turn; `attach_stream` takes it. */
  request_id: string;
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
  /** One or two sentences when it failed; absent else. */
  error?: string;
  /** Sentences for the user about a turn that is over. */
  notices?: string[];
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

/** The repository's own branches. */
export interface Branches {
  /** By name. */
  branches: BranchRow[];
  /** Null when no branch is checked out. */
  current: string | null;
}

/** The answer is being stopped; its `streamComplete` follows. */
export interface ChatCancelling {
  status: 'cancelling';
  success: boolean;
}

/** One message of a conversation; an answer that is still being made is none yet. */
export interface ChatMessage {
  role: 'user' | 'assistant';
  content: string;
  /** The same for a question and its answer. */
  request_id: string;
  /** `cancelled` and `error` on answers only; their content is what came until then. */
  state: 'done' | 'cancelled' | 'error';
  /** On answers. */
  turn_id?: string;
  /** Who answered; on answers. */
  model?: string;
  /** With the state `error`. */
  error?: MessageError;
  /** When the provider told it. */
  usage?: MessageUsage;
  /** Sentences for the user about the turn. */
  notices?: string[];
}

/** The question was accepted; its `streamComplete` follows in any case. */
export interface ChatStarted {
  status: 'started';
}

/** A page of the commits, and the branches to mark in it. */
export interface CommitGraph {
  /** Children before parents. */
  commits: GraphRow[];
  branches: BranchRow[];
  /** Whether a further page has any. */
  has_more: boolean;
}

/** A commit that was made. */
export interface CommitMade {
  /** Its full hash. */
  sha: string;
  /** As it was given. */
  message: string;
}

/** A commit by its full hash and the shortest that git gives it. */
export interface CommitName {
  sha: string;
  short_sha: string;
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

/** How a turn ended. The members about edits and commands are empty in this release. */
export interface CompletionResult {
  /** The whole answer, or what came of it. */
  response: string;
  token_usage: TokenUsage;
  /** The provider's word for why the answer ended; `length`: it was cut. */
  finish_reason: string | null;
  /** The question. */
  user_message: string;
  turn_id: string;
  /** "" when none was chosen. */
  model: string;
  edit_blocks: unknown[];
  edit_results: unknown[];
  shell_commands: string[];
  passed: number;
  already_applied: number;
  failed: number;
  skipped: number;
  not_in_context: number;
  files_modified: string[];
  files_auto_added: string[];
  files_created: string[];
  /** Selected files that were not sent because they are no text. */
  binary_files?: string[];
  /** Selected files that were not sent for another reason. */
  invalid_files?: string[];
  /** Sentences for the user about the turn. */
  notices?: string[];
  /** True when the user stopped it; absent else. */
  cancelled?: boolean;
  /** One or two sentences when it failed; absent else. */
  error?: string;
  /** With `error`. */
  error_info?: ErrorInfo;
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
  /** What the administrator keeps, as `type` or `type.key`. */
  locked: string[];
  /** Keys go to the system's keyring. */
  keyring: boolean;
  /** What of the files on disk is not in force, and why, in sentences. */
  notices: string[];
}

/** What the next request would hold and cost. */
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
  mode: 'code';
  cross_ref_enabled: boolean;
  /** The model's limit; 0 when it isn't known. */
  max_input_tokens: number;
  /** Sentences about selected files that can't be sent, or not whole. */
  notices: string[];
  /** The part of this session's input that the provider's cache served; null before any input. */
  provider_cache_rate: number | null;
  cache_hit_rate: number;
  session_totals: SessionTotals;
  promotions: unknown[];
  demotions: unknown[];
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
  messages: ChatMessage[];
  /** The ticked files, in the order in which they were ticked. */
  selected_files: string[];
  /** An answer is being made. */
  streaming_active: boolean;
  repo_name: string;
  cross_ref_enabled: boolean;
  cross_ref_ready: boolean;
  /** The workspace has started; questions before that wait. */
  init_complete: boolean;
  mode: 'code';
  /** Of this wire; 1. */
  protocol: number;
  /** Of the server. */
  version: string;
  model: ModelState;
  active_streams: RunningStream[];
  excluded_index_files: string[];
  review_state: ReviewState;
}

/** A unified diff, "" when nothing differs. */
export interface Diff {
  diff: string;
}

/** How many lines a file gained and lost since the last commit. */
export interface DiffStat {
  additions: number;
  deletions: number;
}

/** It was done. */
export interface Done {
  status: 'ok';
}

/** Why a turn failed. */
export interface ErrorInfo {
  /** A word of the table of errors. */
  error_type: string;
  message: string;
  /** Seconds that the provider asks to wait. */
  retry_after: number | null;
  /** "" when it isn't known. */
  provider: string;
  model: string;
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
  /** Sentences about secrets that it seems to hold. */
  warnings: string[];
}

/** The matches in one file. */
export interface FileMatches {
  /** Its path. */
  file: string;
  matches: Match[];
  /** True on the last file when there was more to find. */
  truncated?: boolean;
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
  /** The merge, rebase, cherry-pick, revert or bisect under way. */
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

/** How much of its room the talk takes; copies of files don't count. No compaction yet. */
export interface HistoryStatus {
  /** Of the talk; also `history_tokens` and `current_tokens`. */
  tokens: number;
  /** The room for it; 0 when the model isn't known; also `max_history_tokens`. */
  max: number;
  /** At most 999; also `compaction_percent`. */
  percent: number;
  session_id: string;
  message_count: number;
  history_tokens: number;
  max_history_tokens: number;
  remaining: number;
  needs_compaction: boolean;
  compaction_enabled: boolean;
  compaction_trigger: number;
  compaction_percent: number;
  enabled: boolean;
  trigger_tokens: number;
  current_tokens: number;
}

/** A message in the history. */
export interface KeptMessage {
  role: 'user' | 'assistant';
  content: string;
  /** The same for a question and its answer. */
  request_id: string;
  /** `cancelled` and `error` on answers only; their content is what came until then. */
  state: 'done' | 'cancelled' | 'error';
  /** On answers. */
  turn_id?: string;
  /** Who answered; on answers. */
  model?: string;
  /** With the state `error`. */
  error?: MessageError;
  /** When the provider told it. */
  usage?: MessageUsage;
  /** Sentences for the user about the turn. */
  notices?: string[];
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

/** A line and its number, counted from 1. */
export interface Line {
  line_num: number;
  line: string;
}

/** A session in the list. */
export interface ListedSession {
  session_id: string;
  /** Of its first message; ISO 8601, UTC. */
  timestamp: string;
  /** When it was last used; ISO 8601, UTC. */
  updated: string;
  message_count: number;
  /** The beginning of its first message, on one line. */
  preview: string;
  /** Of its first message. */
  first_role: 'user';
  /** It was asked in a notebook's cells, and no panel has used it yet. */
  aside: boolean;
  /** It is the one that the caller sees. */
  current: boolean;
}

/** The session that goes on. */
export interface LoadedSession {
  session_id: string;
  messages: ChatMessage[];
  message_count: number;
}

/** A line that matches; the lines around it end at the next match. */
export interface Match {
  line_num: number;
  line: string;
  context_before: Line[];
  context_after: Line[];
}

/** Why an answer failed. */
export interface MessageError {
  /** A word of the table of errors. */
  type: string;
  /** One or two sentences for the user. */
  message: string;
}

/** What an answer used, in tokens as the provider counts them. */
export interface MessageUsage {
  /** All tokens of the prompt, those served by the cache included. */
  input_tokens: number;
  /** All tokens of the answer, those of its reasoning included. */
  output_tokens: number;
  /** Part of the input that the provider's cache served. */
  cache_read_tokens: number;
  /** Part of the input that was written to the cache. */
  cache_write_tokens: number;
  /** Part of the output that isn't shown. */
  reasoning_tokens: number;
  /** Null when the price isn't known. */
  cost_usd: number | null;
}

/** The mode that is on. The members about documents are constants in this release. */
export interface ModeState {
  mode: 'code';
  doc_index_ready: boolean;
  doc_index_building: boolean;
  doc_index_enriched: boolean;
  enrichment_status: string;
  cross_ref_ready: boolean;
  cross_ref_enabled: boolean;
}

/** The mode that is on now. */
export interface ModeSwitched {
  mode: 'code';
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

/** The session that has begun. */
export interface NewSession {
  session_id: string;
}

/** A file or a folder. */
export interface Node {
  name: string;
  /** Relative to the repository, "" for its top folder. */
  path: string;
  type: 'file' | 'dir';
  /** 0 for folders and binary files. */
  lines: number;
  /** Of a folder, folders first. */
  children?: Node[];
  /** Of a file, seconds since 1970; 0 for a deleted one. */
  mtime?: number;
  /** Of a file. */
  is_binary?: boolean;
  /** True on a nested repository, which is shown as a file. */
  submodule?: boolean;
  /** True on a symbolic link. */
  link?: boolean;
}

/** A run of text blocks of the next request, in the order in which they go out. */
export interface PromptBlock {
  name: string;
  tier: string;
  tokens: number;
  count: number;
  cached: boolean;
  contents: PromptContent[];
}

/** One text block of the next request. */
export interface PromptContent {
  type: 'system' | 'files' | 'history' | 'question';
  /** The path, or the block's category. */
  name: string;
  /** Of a file's block, null else. */
  path: string | null;
  tokens: number;
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

/** Nothing was done. */
export interface Refusal {
  /** One or two sentences for the user. */
  error: string;
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

/** A file that the review is about. */
export interface ReviewChange {
  /** Its new name. */
  path: string;
  status: 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'typechange' | 'unknown';
  additions: number;
  deletions: number;
}

/** What is under review, with all that it changes. */
export interface ReviewDetails {
  /** A review is under way, whichever host began it. */
  active: boolean;
  /**
   * `at_parent`: the files are those before the branch; `reviewing`: the branch's; `leaving`: it was being
   * ended.
   */
  phase: 'at_parent' | 'reviewing' | 'leaving' | null;
  /** What is reviewed, as it was named. */
  branch: string | null;
  /** The branch's last commit when the review began. */
  branch_tip: string | null;
  /** The first commit of the review. */
  base_commit: string | null;
  /** What the review compares with. */
  parent_commit: string | null;
  /** What was checked out before; null when it was a commit. */
  original_branch: string | null;
  /** The commit that was checked out before. */
  original_sha: string | null;
  /** When it began, ISO 8601; null when that is not known. */
  since: string | null;
  /** A sentence for the user; "" when there is nothing to say. */
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

/** What is under review; all null when nothing is. */
export interface ReviewState {
  /** A review is under way, whichever host began it. */
  active: boolean;
  /**
   * `at_parent`: the files are those before the branch; `reviewing`: the branch's; `leaving`: it was being
   * ended.
   */
  phase: 'at_parent' | 'reviewing' | 'leaving' | null;
  /** What is reviewed, as it was named. */
  branch: string | null;
  /** The branch's last commit when the review began. */
  branch_tip: string | null;
  /** The first commit of the review. */
  base_commit: string | null;
  /** What the review compares with. */
  parent_commit: string | null;
  /** What was checked out before; null when it was a commit. */
  original_branch: string | null;
  /** The commit that was checked out before. */
  original_sha: string | null;
  /** When it began, ISO 8601; null when that is not known. */
  since: string | null;
  /** A sentence for the user; "" when there is nothing to say. */
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

/** An answer that is being made. */
export interface RunningStream {
  request_id: string;
  /** Null in this release. */
  agent_id: string | null;
  /** The text so far. */
  accumulated_content: string;
  /** Of the text, in UTF-16 code units. */
  length: number;
}

/** A sentence about secrets that a selected file seems to hold. */
export interface SecretWarning {
  path: string;
  message: string;
}

/** The messages of one session that were found. */
export interface SessionMatches {
  session_id: string;
  /** Newest first; a long one is cut. */
  messages: KeptMessage[];
  /** Of the newest, as are the members below. */
  message_id: string;
  role: 'user' | 'assistant';
  /** The text around the place, on one line. */
  content_preview: string;
  timestamp: string;
}

/** A conversation, whole; messages oldest first. */
export interface SessionSnapshot {
  session_id: string;
  messages: ChatMessage[];
}

/** What a session has used, in tokens as the provider counts them. */
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

/** What a change of the settings has led to. */
export interface SettingsChange {
  /** Which one answers from now on; "" when there is none. */
  model: string;
  /** Where the choice comes from, in words. */
  source: string;
  /** What the user should know, in sentences; "" when there is nothing. */
  message: string;
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

/** Nothing was done yet: call again with `confirm` once the user agrees. */
export interface SettingsToConfirm {
  status: 'confirm';
  /** What would happen, in sentences. */
  changes: string[];
}

/** A text that a click puts into the input. */
export interface SnippetRow {
  /** A sign or two. */
  icon: string;
  /** What it is for. */
  tooltip: string;
  message: string;
}

/** What a person's answers have cost, in US dollars; null where no answer has a known price. */
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

/** What an answer used, under our names and those that other clients read. */
export interface TokenUsage {
  /** All tokens of the prompt, those served by the cache included. */
  input_tokens: number;
  /** All tokens of the answer, those of its reasoning included. */
  output_tokens: number;
  /** Part of the input that the provider's cache served. */
  cache_read_tokens: number;
  /** Part of the input that was written to the cache. */
  cache_write_tokens: number;
  /** Part of the output that isn't shown. */
  reasoning_tokens: number;
  /** Null when the price isn't known. */
  cost_usd: number | null;
  /** `input_tokens`. */
  prompt_tokens: number;
  /** `output_tokens`. */
  completion_tokens: number;
  /** `cache_read_tokens`. */
  prompt_cached_tokens: number;
}

/**
 * The tokens of the next request by what they are for. The members about legend, map and addresses are 0 or
 * empty in this release.
 */
export interface TokensByCategory {
  system: number;
  legend: number;
  symbol_map: number;
  symbol_map_files: number;
  files: number;
  /** Files, each once. */
  file_count: number;
  file_details: FileDetail[];
  urls: number;
  url_details: unknown[];
  history: number;
  /** Earlier messages that go out again. */
  history_messages: number;
  question: number;
  /** Of all messages together. */
  overhead: number;
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

/** What a turn does. */
export interface TurnProgress {
  /**
   * `waiting` for the workspace's start, `notice` with a sentence that the user should read, `reading` while
   * the model reads the prompt.
   */
  stage: 'waiting' | 'notice' | 'reading';
  /** For the user. */
  message: string;
  /** Of the stage, when it is known. */
  percent?: number;
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
  /** Commit what is staged, with the user's hooks. */
  'Repo.commit': {
    params: [message: string];
    result: CommitMade;
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
  /** Put everything that has changed into the index. */
  'Repo.stage_all': {
    params: [];
    result: Done;
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
  /** Ask; answers `{status: "started"}` at once, then the answer streams to the caller. */
  'LLMService.chat_streaming': {
    params: [
      request_id: string,
      message: string,
      files?: readonly unknown[] | null,
      images?: readonly unknown[] | null,
      ...further: unknown[],
    ];
    result: ChatStarted | Refusal;
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
  /** Begin a new conversation, the selection stays; refused while an answer is made. */
  'LLMService.new_session': {
    params: [];
    result: NewSession | Refusal;
  };
  /** List the selection. */
  'LLMService.get_selected_files': {
    params: [];
    result: string[];
  };
  /** Replace the selection; answers what was kept: files that exist, each once, in order. */
  'LLMService.set_selected_files': {
    params: [files: readonly unknown[]];
    result: string[];
  };
  /** Count the next request by category and file, exactly as it would be sent. */
  'LLMService.get_context_breakdown': {
    params: [agent_tag?: unknown, question?: string];
    result: ContextBreakdown;
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
  /** Return the mode that is on, and how far the index of documents is. */
  'LLMService.get_mode': {
    params: [];
    result: ModeState;
  };
  /** Switch to another mode, of which this release has `code` only. */
  'LLMService.switch_mode': {
    params: [mode: string];
    result: ModeSwitched | Refusal;
  };
  /** Return the snippets for the mode that is on; `code` is the only one in this release. */
  'LLMService.get_snippets': {
    params: [];
    result: SnippetRow[];
  };
  /** End the review that is open, as `Repo.exit_review_mode` does. */
  'LLMService.end_review': {
    params: [];
    result: ReviewRestored | ReviewStuck | Refusal;
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
  /** Return the model in use, where its choice comes from, and where the settings are. */
  'Settings.get_config_info': {
    params: [];
    result: ConfigInfo;
  };
  /** Return a file's text, keys hidden; "" when there is none. */
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
}

/** The arguments of every `AcApp.<event>`. */
export interface Events {
  /** How far the workspace's start is; stage `ready` at 100 percent ends it. */
  startupProgress: [stage: string, message: string, percent: number];
  /** The selection, whole, after a change. */
  filesChanged: [selected_files: string[]];
  /** Files that differ in the tree, whoever changed them. */
  filesModified: [paths: string[]];
  /** A branch is under review: its files are on disk, and all that it changes is staged. */
  reviewStarted: [state: ReviewState];
  /** What was checked out before the review is checked out again. */
  reviewEnded: [state: ReviewState];
  /** A question that another page of the same person has just asked. */
  userMessage: [message: AskedQuestion];
  /** The conversation, whole, after a change. */
  sessionChanged: [session: SessionSnapshot];
  /** The settings have changed, through a page or on disk. */
  settingsChanged: [change: SettingsChange];
  /** Progress of a turn, under the turn's request id. */
  compactionEvent: [request_id: string, event: TurnProgress];
  /** An answer so far, whole; for pages that don't take `streamDelta`. */
  streamChunk: [request_id: string, text: string];
  /** What an answer gained; `offset`, in UTF-16 code units, is where `text` begins in it. */
  streamDelta: [request_id: string, offset: number, text: string];
  /** The end of a turn, once for each, errors and cancellation included. */
  streamComplete: [request_id: string, result: CompletionResult];
}
