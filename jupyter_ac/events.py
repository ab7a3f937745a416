"""The events that are pushed to front ends: `AcApp.<name>`, with positional arguments."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, NotRequired, TypeAlias, TypedDict

from jupyter_ac.answer_rows import CommitOutcome, CompletionResult, RetryRow
from jupyter_ac.browser_rows import BrowserState
from jupyter_ac.cell_run_rows import CellRunRow
from jupyter_ac.context_rows import ContextItemRow
from jupyter_ac.edit_rows import EditBlockRow, EditsChange
from jupyter_ac.message_rows import AskedQuestion, ChatMessage, SessionSnapshot
from jupyter_ac.planner_rows import PlanUpdate, SharedContextChange
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.tool_rows import ToolUpdate
from jupyter_ac.url_rows import UrlRow

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
    "url_fetch",
    "url_ready",
]


class SettingsChange(TypedDict):
    """The effect of a change of the settings.

    Attributes:
        model: the selected model; "" if there is none.
        source: the reason for the selection.
        message: information for the user, in sentences; "" for none.
        edits_review: edits wait for the user's decision.
        urls_fetch: the setting `urls.fetch`: `ask`, `auto` or `never`.
    """

    model: str
    source: str
    message: str
    edits_review: bool
    urls_fetch: str


class TurnProgress(TypedDict):
    """Progress of a turn, or of the index of documents with the request id "".

    Attributes:
        stage: `waiting` for the workspace's start, `notice` with a sentence for the user, `reading`
            while the model reads the prompt; `compaction_start`, and then `compaction_complete` or
            `compaction_error` while the conversation is shortened; `doc_enrichment_*` while
            keywords of documents are extracted; `url_fetch` and then `url_ready` while a web page
            is fetched.
        message: for the user.
        percent: of the stage, if known.
        case: how it was shortened: the older part was replaced by a summary, or dropped.
        messages: the newest part of the conversation; with `compaction_complete`.
        earlier: number of messages before them; with `messages`.
        before_tokens: size of the conversation before.
        after_tokens: size of the conversation after.
        files: some of the documents whose keywords are extracted; with `doc_enrichment_queued`.
        total: number of these documents; with `doc_enrichment_queued`.
        file: the document that is done, or failed.
        remaining: number of remaining documents; with `doc_enrichment_file_done`.
        error: why there are no keywords, or no page; with `doc_enrichment_failed`, `url_ready`.
        url: address of the page; with `url_fetch` and `url_ready`.
        display_name: its short name.
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
    url: NotRequired[str]
    display_name: NotRequired[str]


class ModeChange(TypedDict):
    """The mode of a conversation.

    Attributes:
        mode: `code`, or `doc` for documents.
        cross_ref_enabled: the model gets the map of the other kind, too.
    """

    mode: Mode
    cross_ref_enabled: bool


@dataclass(frozen=True, slots=True)
class Event:
    """Base class: the fields of a subclass, in order, are the arguments on the wire."""

    name: ClassVar[str]

    @property
    def args(self) -> tuple[object, ...]:
        """The positional arguments."""
        return tuple(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True, slots=True)
class StartupProgress(Event):
    """Progress of the workspace's start; it ends with stage `ready` at 100 percent."""

    name = "startupProgress"
    stage: str
    message: str
    percent: int


@dataclass(frozen=True, slots=True)
class ExcludedFilesChanged(Event):
    """All files and folders of which nothing is sent to a model, after a change; sorted."""

    name = "excludedFilesChanged"
    paths: Sequence[str]


@dataclass(frozen=True, slots=True)
class FilesChanged(Event):
    """The whole selection after a change.

    Attributes:
        by_program: the files in it that the program selected, which are removed when the
            conversation ends; sent only if there are any, for clients that expect one argument.
    """

    name = "filesChanged"
    selected_files: Sequence[str]
    by_program: Sequence[str] = ()

    @property
    def args(self) -> tuple[object, ...]:
        """The positional arguments."""
        return (self.selected_files, *([self.by_program] if self.by_program else []))


@dataclass(frozen=True, slots=True)
class UrlsChanged(Event):
    """All web pages of the conversation after a change."""

    name = "urlsChanged"
    urls: Sequence[UrlRow]


@dataclass(frozen=True, slots=True)
class ContextChanged(Event):
    """All that the user has added to the next question, after a change of it."""

    name = "contextChanged"
    items: Sequence[ContextItemRow]


@dataclass(frozen=True, slots=True)
class BrowserChanged(Event):
    """The state of the browser's connection, after a change of it or of what was recorded."""

    name = "browserChanged"
    state: BrowserState


@dataclass(frozen=True, slots=True)
class FilesModified(Event):
    """Files that changed in the tree, by any program.

    Attributes:
        paths: [] if git's state changed: the branch, a commit, an operation in progress.
    """

    name = "filesModified"
    paths: Sequence[str]


@dataclass(frozen=True, slots=True)
class ReviewStarted(Event):
    """A branch is under review: its files are on disk, and all its changes are staged."""

    name = "reviewStarted"
    state: ReviewState


@dataclass(frozen=True, slots=True)
class ReviewEnded(Event):
    """The original branch or commit is checked out again after a review."""

    name = "reviewEnded"
    state: ReviewState


@dataclass(frozen=True, slots=True)
class UserMessage(Event):
    """A question that another page of the same person has just sent."""

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
    """Progress of a turn with its request id; of the index of documents with ""."""

    name = "compactionEvent"
    request_id: str
    event: TurnProgress


@dataclass(frozen=True, slots=True)
class StreamChunk(Event):
    """The whole text of an answer so far; for pages that don't support `streamDelta`."""

    name = "streamChunk"
    request_id: str
    text: str


@dataclass(frozen=True, slots=True)
class StreamDelta(Event):
    """An increment of an answer; `offset`, in UTF-16 code units, is the start of `text` in it."""

    name = "streamDelta"
    request_id: str
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class StreamReasoning(Event):
    """An increment of a model's reasoning, which isn't part of the answer; `offset` as above."""

    name = "streamReasoning"
    request_id: str
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class StreamRetry(Event):
    """A request to the model failed temporarily and will be sent again."""

    name = "streamRetry"
    request_id: str
    retry: RetryRow


@dataclass(frozen=True, slots=True)
class CommitResult(Event):
    """The outcome of a commit."""

    name = "commitResult"
    result: CommitOutcome


@dataclass(frozen=True, slots=True)
class EditBlocks(Event):
    """All edit blocks of an answer so far; sent after the text that contains them."""

    name = "editBlocks"
    request_id: str
    blocks: Sequence[EditBlockRow]


@dataclass(frozen=True, slots=True)
class EditsChanged(Event):
    """The state of a turn's edits after the user has decided on some."""

    name = "editsChanged"
    request_id: str
    change: EditsChange


@dataclass(frozen=True, slots=True)
class CellRunUpdated(Event):
    """A cell that the program wants to run, in its new state."""

    name = "cellRunUpdated"
    run: CellRunRow


@dataclass(frozen=True, slots=True)
class ToolUpdated(Event):
    """News of an agent's run, or of one of its tool calls."""

    name = "toolUpdated"
    update: ToolUpdate


@dataclass(frozen=True, slots=True)
class ContextUpdated(Event):
    """The context that planners and executors share has changed."""

    name = "contextUpdated"
    change: SharedContextChange


@dataclass(frozen=True, slots=True)
class PlanUpdated(Event):
    """A plan, or some of its tasks, in their new state."""

    name = "planUpdated"
    update: PlanUpdate


@dataclass(frozen=True, slots=True)
class StreamComplete(Event):
    """The end of a turn, sent once for each, also for errors and cancellation."""

    name = "streamComplete"
    request_id: str
    result: CompletionResult
