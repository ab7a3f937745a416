"""What is pushed to a front end.

Each event is a value with the name that the front end exposes (`AcApp.<name>`) and its positional
arguments. What an argument holds is a typed dictionary.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, NotRequired, TypeAlias, TypedDict

MessageState: TypeAlias = Literal["done", "cancelled", "error"]
Stage: TypeAlias = Literal["waiting", "notice", "reading"]


class AskedQuestion(TypedDict):
    """A question that a page of the same person has just asked.

    Attributes:
        content: the user's text.
        request_id: the asking page's name for the turn; `attach_stream` takes it.
    """

    content: str
    request_id: str


class MessageError(TypedDict):
    """Why an answer failed.

    Attributes:
        type: a word of the table of errors.
        message: one or two sentences for the user.
    """

    type: str
    message: str


class MessageUsage(TypedDict):
    """What an answer used, in tokens as the provider counts them.

    Attributes:
        input_tokens: all tokens of the prompt, those served by the cache included.
        output_tokens: all tokens of the answer, those of its reasoning included.
        cache_read_tokens: part of the input that the provider's cache served.
        cache_write_tokens: part of the input that was written to the cache.
        reasoning_tokens: part of the output that isn't shown.
        cost_usd: null when the price isn't known.
    """

    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int
    cost_usd: float | None


class ChatMessage(TypedDict):
    """One message of a conversation; an answer that is still being made is none yet.

    Attributes:
        request_id: the same for a question and its answer.
        state: `cancelled` and `error` on answers only; their content is what came until then.
        turn_id: on answers.
        model: who answered; on answers.
        error: with the state `error`.
        usage: when the provider told it.
        notices: sentences for the user about the turn.
    """

    role: Literal["user", "assistant"]
    content: str
    request_id: str
    state: MessageState
    turn_id: NotRequired[str]
    model: NotRequired[str]
    error: NotRequired[MessageError]
    usage: NotRequired[MessageUsage]
    notices: NotRequired[list[str]]


class SessionSnapshot(TypedDict):
    """A conversation, whole; messages oldest first."""

    session_id: str
    messages: list[ChatMessage]


class SettingsChange(TypedDict):
    """What a change of the settings has led to.

    Attributes:
        model: which one answers from now on; "" when there is none.
        source: where the choice comes from, in words.
        message: what the user should know, in sentences; "" when there is nothing.
    """

    model: str
    source: str
    message: str


class ReviewState(TypedDict):
    """What is under review; all null when nothing is.

    Attributes:
        active: a review is under way, whichever host began it.
        phase: `at_parent`: the files are those before the branch; `reviewing`: the branch's;
            `leaving`: it was being ended.
        branch: what is reviewed, as it was named.
        branch_tip: the branch's last commit when the review began.
        base_commit: the first commit of the review.
        parent_commit: what the review compares with.
        original_branch: what was checked out before; null when it was a commit.
        original_sha: the commit that was checked out before.
        since: when it began, ISO 8601; null when that is not known.
        message: a sentence for the user; "" when there is nothing to say.
    """

    active: bool
    phase: Literal["at_parent", "reviewing", "leaving"] | None
    branch: str | None
    branch_tip: str | None
    base_commit: str | None
    parent_commit: str | None
    original_branch: str | None
    original_sha: str | None
    since: str | None
    message: str


class TurnProgress(TypedDict):
    """What a turn does.

    Attributes:
        stage: `waiting` for the workspace's start, `notice` with a sentence that the user should
            read, `reading` while the model reads the prompt.
        message: for the user.
        percent: of the stage, when it is known.
    """

    stage: Stage
    message: str
    percent: NotRequired[int]


class TokenUsage(MessageUsage):
    """What an answer used, under our names and those that other clients read.

    Attributes:
        prompt_tokens: `input_tokens`.
        completion_tokens: `output_tokens`.
        prompt_cached_tokens: `cache_read_tokens`.
    """

    prompt_tokens: int
    completion_tokens: int
    prompt_cached_tokens: int


class ErrorInfo(TypedDict):
    """Why a turn failed.

    Attributes:
        error_type: a word of the table of errors.
        retry_after: seconds that the provider asks to wait.
        provider: "" when it isn't known.
    """

    error_type: str
    message: str
    retry_after: float | None
    provider: str
    model: str


class CompletionResult(TypedDict):
    """How a turn ended. The members about edits and commands are empty in this release.

    Attributes:
        response: the whole answer, or what came of it.
        finish_reason: the provider's word for why the answer ended; `length`: it was cut.
        user_message: the question.
        model: "" when none was chosen.
        binary_files: selected files that were not sent because they are no text.
        invalid_files: selected files that were not sent for another reason.
        notices: sentences for the user about the turn.
        cancelled: true when the user stopped it; absent else.
        error: one or two sentences when it failed; absent else.
        error_info: with `error`.
    """

    response: str
    token_usage: TokenUsage
    finish_reason: str | None
    user_message: str
    turn_id: str
    model: str
    edit_blocks: list[object]
    edit_results: list[object]
    shell_commands: list[str]
    passed: int
    already_applied: int
    failed: int
    skipped: int
    not_in_context: int
    files_modified: list[str]
    files_auto_added: list[str]
    files_created: list[str]
    binary_files: NotRequired[list[str]]
    invalid_files: NotRequired[list[str]]
    notices: NotRequired[list[str]]
    cancelled: NotRequired[bool]
    error: NotRequired[str]
    error_info: NotRequired[ErrorInfo]


@dataclass(frozen=True, slots=True)
class Event:
    """Base: the fields of a subclass, in order, are the arguments on the wire."""

    name: ClassVar[str]

    @property
    def args(self) -> tuple[object, ...]:
        """The positional arguments."""
        return tuple(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True, slots=True)
class StartupProgress(Event):
    """How far the workspace's start is; stage `ready` at 100 percent ends it."""

    name = "startupProgress"
    stage: str
    message: str
    percent: int


@dataclass(frozen=True, slots=True)
class FilesChanged(Event):
    """The selection, whole, after a change."""

    name = "filesChanged"
    selected_files: Sequence[str]


@dataclass(frozen=True, slots=True)
class FilesModified(Event):
    """Files that differ in the tree, whoever changed them.

    Attributes:
        paths: [] when something about git does: the branch, a commit, an operation under way.
    """

    name = "filesModified"
    paths: Sequence[str]


@dataclass(frozen=True, slots=True)
class ReviewStarted(Event):
    """A branch is under review: its files are on disk, and all that it changes is staged."""

    name = "reviewStarted"
    state: ReviewState


@dataclass(frozen=True, slots=True)
class ReviewEnded(Event):
    """What was checked out before the review is checked out again."""

    name = "reviewEnded"
    state: ReviewState


@dataclass(frozen=True, slots=True)
class UserMessage(Event):
    """A question that another page of the same person has just asked."""

    name = "userMessage"
    message: AskedQuestion


@dataclass(frozen=True, slots=True)
class SessionChanged(Event):
    """The conversation, whole, after a change."""

    name = "sessionChanged"
    session: SessionSnapshot


@dataclass(frozen=True, slots=True)
class SettingsChanged(Event):
    """The settings have changed, through a page or on disk."""

    name = "settingsChanged"
    change: SettingsChange


@dataclass(frozen=True, slots=True)
class CompactionEvent(Event):
    """Progress of a turn, under the turn's request id."""

    name = "compactionEvent"
    request_id: str
    event: TurnProgress


@dataclass(frozen=True, slots=True)
class StreamChunk(Event):
    """An answer so far, whole; for pages that don't take `streamDelta`."""

    name = "streamChunk"
    request_id: str
    text: str


@dataclass(frozen=True, slots=True)
class StreamDelta(Event):
    """What an answer gained; `offset`, in UTF-16 code units, is where `text` begins in it."""

    name = "streamDelta"
    request_id: str
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class StreamComplete(Event):
    """The end of a turn, once for each, errors and cancellation included."""

    name = "streamComplete"
    request_id: str
    result: CompletionResult
