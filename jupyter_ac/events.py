"""What is pushed to a front end.

Each event is a value with the name that the front end exposes (`AcApp.<name>`) and its positional
arguments. What an argument holds is a typed dictionary.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, NotRequired, TypeAlias, TypedDict

from jupyter_ac.answer_rows import CommitOutcome, CompletionResult, ImageRow, RetryRow
from jupyter_ac.edit_rows import EditBlockRow, EditsChange, MessageEdits
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.usage_rows import MessageUsage

MessageState: TypeAlias = Literal["done", "cancelled", "error"]
Mode: TypeAlias = Literal["code", "doc"]
Stage: TypeAlias = Literal[
    "waiting",
    "notice",
    "reading",
    "compaction_start",
    "compaction_complete",
    "compaction_error",
    "doc_enrichment_queued",
    "doc_enrichment_file_done",
    "doc_enrichment_complete",
    "doc_enrichment_failed",
]


class AskedQuestion(TypedDict):
    """A question that a page of the same person has just asked.

    Attributes:
        content: the user's text.
        request_id: the asking page's name for the turn; `attach_stream` takes it.
        images: that come with it; `get_image` gives them.
    """

    content: str
    request_id: str
    images: NotRequired[list[ImageRow]]


class MessageError(TypedDict):
    """Why an answer failed.

    Attributes:
        type: a word of the table of errors.
        message: one or two sentences for the user.
    """

    type: str
    message: str


class ChatMessage(MessageEdits):
    """One message of a conversation; an answer that is still being made is none yet.

    Attributes:
        role: `system` for what has happened beside the talk; `kind` says what.
        request_id: the same for a question and its answer; a system event has one of its own.
        state: `cancelled` and `error` on answers only; their content is what came until then.
        kind: of a system event: `commit`, `reset`, `mode`, `compaction`, `review_started` or
            `review_ended`.
        turn_id: on answers.
        model: who answered; on answers.
        error: with the state `error`.
        usage: when the provider told it.
        notices: sentences for the user about the turn.
        finish_reason: the provider's word for why the answer ended; `length`: it was cut.
        reasoning: what the model wrote before it answered, from models that show it.
        images: that came with a question; `get_image` gives them.
        content_left_out: how much of a very long content isn't here, in UTF-16 code units;
            `get_message_text` gives it.
        reasoning_left_out: likewise.
    """

    role: Literal["user", "assistant", "system"]
    content: str
    request_id: str
    state: MessageState
    kind: NotRequired[str]
    turn_id: NotRequired[str]
    model: NotRequired[str]
    error: NotRequired[MessageError]
    usage: NotRequired[MessageUsage]
    notices: NotRequired[list[str]]
    finish_reason: NotRequired[str]
    reasoning: NotRequired[str]
    images: NotRequired[list[ImageRow]]
    content_left_out: NotRequired[int]
    reasoning_left_out: NotRequired[int]


class SessionSnapshot(TypedDict):
    """The newest part of a conversation.

    Attributes:
        messages: oldest first; all of them, unless they are very many or very long.
        earlier: how many messages are before them, which `get_session_messages` gives.
    """

    session_id: str
    messages: list[ChatMessage]
    earlier: int


class SettingsChange(TypedDict):
    """What a change of the settings has led to.

    Attributes:
        model: which one answers from now on; "" when there is none.
        source: where the choice comes from, in words.
        message: what the user should know, in sentences; "" when there is nothing.
        edits_review: edits wait for the user's word.
    """

    model: str
    source: str
    message: str
    edits_review: bool


class TurnProgress(TypedDict):
    """What a turn does, or the index of documents under the request id "".

    Attributes:
        stage: `waiting` for the workspace's start, `notice` with a sentence that the user should
            read, `reading` while the model reads the prompt; `compaction_start`, and then
            `compaction_complete` or `compaction_error` when the conversation is shortened;
            `doc_enrichment_*` while keywords of documents are looked for.
        message: for the user.
        percent: of the stage, when it is known.
        case: how it was shortened: the older part gave way to a summary, or was dropped.
        messages: the newest part of the conversation; with `compaction_complete`.
        earlier: how many messages are before them; with `messages`.
        before_tokens: of the talk, when it was begun.
        after_tokens: of the talk that is left.
        files: some of the documents that get their keywords; with `doc_enrichment_queued`.
        total: how many do; with `doc_enrichment_queued`.
        file: which document is done, or failed.
        remaining: how many documents are left; with `doc_enrichment_file_done`.
        error: why there are no keywords; with `doc_enrichment_failed`.
    """

    stage: Stage
    message: str
    percent: NotRequired[int]
    case: NotRequired[Literal["summarize", "truncate"]]
    messages: NotRequired[list[ChatMessage]]
    earlier: NotRequired[int]
    before_tokens: NotRequired[int]
    after_tokens: NotRequired[int]
    files: NotRequired[list[str]]
    total: NotRequired[int]
    file: NotRequired[str]
    remaining: NotRequired[int]
    error: NotRequired[str]


class ModeChange(TypedDict):
    """What a conversation is about.

    Attributes:
        mode: `code`, or `doc` for documents.
        cross_ref_enabled: the model sees the map of the other kind, too.
    """

    mode: Mode
    cross_ref_enabled: bool


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
    """The selection, whole, after a change.

    Attributes:
        by_program: those of it that the program has ticked, unticked when the conversation ends; on
            the wire only where there are any, for clients that know one argument.
    """

    name = "filesChanged"
    selected_files: Sequence[str]
    by_program: Sequence[str] = ()

    @property
    def args(self) -> tuple[object, ...]:
        """The positional arguments."""
        return (self.selected_files, *([self.by_program] if self.by_program else []))


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
    """The newest part of the conversation after a change."""

    name = "sessionChanged"
    session: SessionSnapshot


@dataclass(frozen=True, slots=True)
class SettingsChanged(Event):
    """The settings have changed, through a page or on disk."""

    name = "settingsChanged"
    change: SettingsChange


@dataclass(frozen=True, slots=True)
class ModeChanged(Event):
    """The mode or the cross-reference of the conversation has changed."""

    name = "modeChanged"
    change: ModeChange


@dataclass(frozen=True, slots=True)
class CompactionEvent(Event):
    """Progress of a turn under its request id; of the index of documents under ""."""

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
class StreamReasoning(Event):
    """What a model's reasoning gained, which isn't part of its answer; `offset` as above."""

    name = "streamReasoning"
    request_id: str
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class StreamRetry(Event):
    """A request to the model failed for a passing reason and will be sent again."""

    name = "streamRetry"
    request_id: str
    retry: RetryRow


@dataclass(frozen=True, slots=True)
class CommitResult(Event):
    """How a commit ended."""

    name = "commitResult"
    result: CommitOutcome


@dataclass(frozen=True, slots=True)
class EditBlocks(Event):
    """The edit blocks of an answer so far, whole, after the text that they are about."""

    name = "editBlocks"
    request_id: str
    blocks: Sequence[EditBlockRow]


@dataclass(frozen=True, slots=True)
class EditsChanged(Event):
    """How the edits of a turn stand after the user has decided on some."""

    name = "editsChanged"
    request_id: str
    change: EditsChange


@dataclass(frozen=True, slots=True)
class StreamComplete(Event):
    """The end of a turn, once for each, errors and cancellation included."""

    name = "streamComplete"
    request_id: str
    result: CompletionResult
