"""The JSON views of a conversation for a front end, as typed dictionaries."""

from typing import Literal, NotRequired, TypedDict

from jupyter_ac.context_rows import LastRequestTokens, RequestChanges
from jupyter_ac.message_rows import ChatMessage, MarkedTotals


class FileDetail(TypedDict):
    """A file in the next request, all its copies together.

    Attributes:
        name: the last part of its path.
        in_log: nothing of it is new: all was sent in earlier turns.
        selected: it is; what is in the log and isn't selected can be taken out (`trim_context`).
        warnings: sentences about secrets that it seems to hold.
    """

    name: str
    path: str
    tokens: int
    in_log: bool
    selected: bool
    warnings: list[str]


class UrlDetail(TypedDict):
    """A web page in the next request, all its copies together.

    Attributes:
        name: its title, or its address.
        in_log: nothing of it is new: all was sent in earlier turns.
        included: it is; what is in the log and isn't included can be taken out (`trim_context`).
    """

    name: str
    path: str
    url: str
    tokens: int
    in_log: bool
    included: bool


class ReviewDetail(TypedDict):
    """A part of a review in the next request, all its copies together.

    Attributes:
        name: `summary`; `map-before/` and the two commits (the changed files as they were
            before the branch); or `changes/` and the path of a file: its diff.
        path: its name for `trim_context`.
        in_log: nothing of it is new: all was sent in earlier turns.
        selected: it goes out; what is in the log and doesn't can be taken out (`trim_context`).
    """

    name: str
    path: str
    tokens: int
    in_log: bool
    selected: bool


class ContextDetail(TypedDict):
    """A variable, cell, output or error in the next request.

    Attributes:
        name: its kind and its name: `variable/df`.
        path: its name in the blocks.
        in_log: it was sent with an earlier question.
    """

    name: str
    path: str
    tokens: int
    in_log: bool


class ToolDetail(TypedDict):
    """A part of the tools' share of the next request.

    Attributes:
        name: of the tool whose result it is; else `tools` (their definitions), `tool_calls` of an
            answer, `run` (mode and limits) or `step` (what is left of them).
        path: its name in the blocks.
        in_log: it was sent in an earlier request.
    """

    name: str
    path: str
    tokens: int
    in_log: bool


class MapDetail(TypedDict):
    """A map in the next request.

    Attributes:
        name: `map` for the one at the head or in the log, `ranked_map` for what was chosen for
            questions.
        path: always null; a map is about many files.
    """

    name: str
    path: str | None
    tokens: int


class TokensByCategory(TypedDict):
    """The tokens of the next request by what they are for.

    Attributes:
        legend: what the signs of the maps mean.
        symbol_map: all maps, of code and of documents, the part chosen for the question included.
        symbol_map_files: files that the maps name.
        symbol_map_details: each map.
        file_count: files, each once.
        tools: definitions of tools, their calls and results.
        tool_details: each of these.
        history_messages: earlier messages that go out again.
        overhead: of all messages together.
    """

    system: int
    legend: int
    symbol_map: int
    symbol_map_files: int
    symbol_map_details: list[MapDetail]
    files: int
    file_count: int
    file_details: list[FileDetail]
    urls: int
    url_details: list[UrlDetail]
    review: int
    review_details: list[ReviewDetail]
    context: int
    context_details: list[ContextDetail]
    tools: int
    tool_details: list[ToolDetail]
    history: int
    history_messages: int
    question: int
    overhead: int


class PromptContent(TypedDict):
    """One text block of the next request.

    Attributes:
        name: the path, or the block's category.
        path: of a file's block, null else.
        n: in how many requests it has been sent, which is its age; 0 when it is new.
        threshold: the age at which it comes to the next tier; null in the last one.
        cached: the provider has read it from its cache in the last request.
        text: the beginning of a question, the summary that stands for earlier talk; "" for others.
    """

    type: Literal[
        "system",
        "legend",
        "symbols",
        "doc_symbols",
        "files",
        "urls",
        "review",
        "context",
        "tools",
        "history",
        "question",
    ]
    name: str
    path: str | None
    tokens: int
    n: int
    threshold: int | None
    cached: bool
    text: str


class PromptBlock(TypedDict):
    """A tier: a run of text blocks of the next request, in the order in which they go out.

    Tiers are a picture of the log and move nothing: L0 is the head, L1 to L3 the talk and the
    files by age, the oldest in L1; `active` is what is new.

    Attributes:
        cached: the provider has read all of it from its cache in the last request.
        cached_tokens: of the blocks that it has read.
    """

    name: str
    tier: Literal["L0", "L1", "L2", "L3", "active"]
    tokens: int
    count: int
    cached: bool
    cached_tokens: int
    contents: list[PromptContent]


class SecretWarning(TypedDict):
    """A sentence about secrets that a selected file seems to hold."""

    path: str
    message: str


class PromptReport(TypedDict):
    """The part of `ContextBreakdown` that depends on the prompt alone.

    Attributes:
        tokenizer: the encoding that counted.
        estimate: the model itself counts by another one.
        total_tokens: the tokens of all text blocks and `message_overhead` for each message.
        message_overhead: tokens.
        messages: how many the next request has.
        cost_usd: of the input at the plain price; null when the price isn't known.
    """

    tokenizer: str
    estimate: bool
    total_tokens: int
    message_overhead: int
    messages: int
    cost_usd: float | None
    breakdown: TokensByCategory
    blocks: list[PromptBlock]
    warnings: list[SecretWarning]


class SessionTotals(TypedDict):
    """The usage of a session, in tokens as the provider counts them.

    Attributes:
        total: prompt and completion.
        cache_hit: part of the prompts that the provider's cache served; also `prompt_cached`.
        cost_usd: of the answers with a price; null while there is none.
    """

    prompt: int
    completion: int
    total: int
    cache_hit: int
    cache_write: int
    prompt_cached: int
    reasoning: int
    cost_usd: float | None
    priced_request_count: int
    unpriced_request_count: int


class ContextBreakdown(PromptReport):
    """The contents and the cost of the next request.

    Attributes:
        model: "" when none is chosen.
        max_input_tokens: the model's limit; 0 when it isn't known.
        image_tokens: a guess for the images that come with the question, beside `total_tokens`.
        notices: sentences about selected files that can't be sent, or not whole, and about cost.
        plain_notices: those of them that warn of nothing.
        marked: what the user has excluded from what is sent, or pinned.
        shed_files: selected files for which there is no room.
        warning: this request is likely to cost more than `prompt.warn_usd`; "" else.
        cached_tokens: of `total_tokens`, likely to be served by the provider's cache.
        uncached_tokens: all others.
        expected_cost_usd: of the input, the cache counted in; null when the price isn't known.
        last_request: what went out last, as the provider counted it; null before that.
        provider_cache_rate: the part of this session's input that the provider's cache served;
            null before any input.
        promotions: what has come to an older tier since the last request, one text for each two
            tiers: `L3 → L2: 4 items — a.py, question, …`.
        demotions: what is sent again since it has changed, and what isn't sent any more.
        changes: the same by part, with tokens; null before the first request, and with a model
            for which each request is made anew.
    """

    model: str
    mode: Literal["code", "doc"]
    cross_ref_enabled: bool
    max_input_tokens: int
    image_tokens: int
    notices: list[str]
    plain_notices: list[str]
    marked: MarkedTotals
    shed_files: list[str]
    warning: str
    cached_tokens: int
    uncached_tokens: int
    expected_cost_usd: float | None
    last_request: LastRequestTokens | None
    provider_cache_rate: float | None
    cache_hit_rate: float
    session_totals: SessionTotals
    promotions: list[str]
    demotions: list[str]
    changes: RequestChanges | None


class HistoryStatus(TypedDict):
    """How much of its room the talk takes; copies of files don't count.

    Attributes:
        tokens: of the talk that is sent; also `history_tokens` and `current_tokens`.
        max: the room for it, beyond which it is compacted after the next answer; also
            `max_history_tokens`, `trigger_tokens` and `compaction_trigger`.
        percent: at most 999; also `compaction_percent`.
        message_count: of all messages, those that are no longer sent included.
        needs_compaction: the talk is longer than that.
        compaction_enabled: compaction is switched on and the model's talk is compacted; also
            `enabled`.
        is_compacting: it is being compacted now.
        compactions: how often it was.
        failure: why the last attempt failed, as a sentence; absent if it didn't. All of the talk
            is still sent then.
        retry_tokens: beside `failure`: the talk must be longer before it is tried again by itself.
    """

    tokens: int
    max: int
    percent: int
    session_id: str
    message_count: int
    history_tokens: int
    max_history_tokens: int
    remaining: int
    needs_compaction: bool
    compaction_enabled: bool
    compaction_trigger: int
    compaction_percent: int
    enabled: bool
    trigger_tokens: int
    current_tokens: int
    is_compacting: bool
    compactions: int
    failure: NotRequired[str]
    retry_tokens: NotRequired[int]


class KeptMessage(ChatMessage):
    """A message in the history.

    Attributes:
        id: unique everywhere.
        timestamp: when it was asked, or when its answer began; ISO 8601, UTC.
    """

    id: str
    session_id: str
    timestamp: str


class SessionSummary(TypedDict):
    """A session in the list.

    Attributes:
        timestamp: of its own first message; ISO 8601, UTC.
        updated: when it was last used; ISO 8601, UTC.
        message_count: all that is shown when it is loaded.
        preview: the beginning of its own first message, on one line.
        title: the name that the user has given it; "" for none.
        first_role: of its first message.
        aside: it was asked in a notebook's cells, and no panel has used it yet.
        continues: the session that it goes on from, null when it began with nothing.
        inherited: how many of its messages stand in that one.
        trusted: the caller has stored it here, or has trusted it; nothing of others is sent.
    """

    session_id: str
    timestamp: str
    updated: str
    message_count: int
    preview: str
    title: str
    first_role: Literal["user"]
    aside: bool
    continues: str | None
    inherited: int
    trusted: bool


class Spend(TypedDict):
    """The cost of a person's answers, in US dollars; null if no answer has a known price.

    Attributes:
        session_usd: in the current session.
        today_usd: since midnight where the host is.
        repo_usd: in this repository, all its worktrees together.
        unpriced_turns: answers in this repository without a known price.
    """

    session_usd: float | None
    today_usd: float | None
    repo_usd: float | None
    unpriced_turns: int
