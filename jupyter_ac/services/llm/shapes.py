"""Response types of `LLMService` that are not views of the domain."""

from typing import Literal, NotRequired, TypedDict

from jupyter_ac.answer_rows import ImageRow
from jupyter_ac.chat.ports import Enrichment
from jupyter_ac.chat.shapes import KeptMessage, SessionSummary
from jupyter_ac.edit_rows import EditResult, EditsChange, ProtectedFile, UndoOffer
from jupyter_ac.events import Mode
from jupyter_ac.git.review.changes import ReviewChange
from jupyter_ac.message_rows import SessionSnapshot
from jupyter_ac.review_rows import ReviewState
from jupyter_ac.rpc.methods import Refusal
from jupyter_ac.services.repo.shapes import CommitRow
from jupyter_ac.tool_rows import RunRow
from jupyter_ac.url_rows import UrlRow


class ChatStarted(TypedDict):
    """The question was accepted; its `streamComplete` follows in any case."""

    status: Literal["started"]


class ChatCancelling(TypedDict):
    """The answer is being stopped; its `streamComplete` follows."""

    status: Literal["cancelling"]
    success: bool


class AttachedStream(TypedDict):
    """An answer so far.

    Attributes:
        length: of the text, in UTF-16 code units: the `offset` of the next `streamDelta`.
        done: it is over, nothing follows.
        state: how it ended, `running` before that.
        finish_reason: the provider's word for why it ended; `length`: it was cut.
        reasoning: what the model wrote before it answered, so far.
        error: one or two sentences when it failed; absent else.
        notices: sentences for the user about a turn that is over.
        run: the agent's run that makes it; absent for a plain answer.
    """

    text: str
    length: int
    request_id: str
    done: bool
    state: Literal["running", "done", "cancelled", "error"]
    finish_reason: str | None
    reasoning: str
    error: NotRequired[str]
    notices: NotRequired[list[str]]
    run: NotRequired[RunRow]


class Trimmed(TypedDict):
    """Files were taken out of the log.

    Attributes:
        tokens_freed: that the next request has less; 0 when there was nothing to take out.
    """

    status: Literal["ok"]
    tokens_freed: int


class ExcludedTurns(TypedDict):
    """Questions and answers were excluded from what is sent, or were put back.

    Attributes:
        tokens_freed: that each later request has less; negative when they are sent again.
        tokens_rewritten: of the log behind the first of them, which the provider's cache can't
            serve with the next request.
    """

    status: Literal["ok"]
    tokens_freed: int
    tokens_rewritten: int


class PinnedTurns(TypedDict):
    """Questions and answers were pinned, or are no longer.

    Attributes:
        pinned: how many of the conversation are pinned now.
    """

    status: Literal["ok"]
    pinned: int


class CompactionStarted(TypedDict):
    """The conversation is being compacted; `compactionEvent` tells the end."""

    status: Literal["started"]


class RenamedSession(TypedDict):
    """The session has this name from now on; "" for none."""

    session_id: str
    title: str


class DeletedSession(TypedDict):
    """The session is no longer in the history."""

    status: Literal["ok"]
    session_id: str


class NewSession(TypedDict):
    """The session that has begun."""

    session_id: str


class LoadedSession(SessionSnapshot):
    """The session that goes on; `message_count` is of all its messages."""

    message_count: int


class BranchedSession(LoadedSession):
    """The session that goes on from before a question, or from behind its answer.

    Attributes:
        question: the question, whole; "" from behind the answer.
        images: that came with it.
    """

    question: str
    images: list[ImageRow]


class ListedSession(SessionSummary):
    """A session in the list.

    Attributes:
        current: it is the one that the caller sees.
    """

    current: bool


class HistoryTrustState(TypedDict):
    """Whether the history is the caller's own.

    Attributes:
        foreign_sessions: conversations that the caller has not kept here, among the first 2,000.
        current_trusted: the one on the caller's screens is their own; of another one nothing is
            sent.
        message: what that means, for the user; "" when all is the caller's own.
    """

    foreign_sessions: int
    current_trusted: bool
    message: str


class HistoryTrusted(TypedDict):
    """The history was trusted.

    Attributes:
        trusted: conversations that go on from now.
        refused: conversations that stay as they are, since what they have sent was changed.
    """

    status: Literal["ok"]
    trusted: int
    refused: int


class SessionMatches(TypedDict):
    """The messages of one session that were found.

    Attributes:
        messages: newest first; a long one is cut.
        message_id: of the newest, as are the members below.
        content_preview: the text around the place, on one line.
    """

    session_id: str
    messages: list[KeptMessage]
    message_id: str
    role: Literal["user", "assistant", "system"]
    content_preview: str
    timestamp: str


class ModelState(TypedDict):
    """Which model answers.

    Attributes:
        name: "" when none is chosen.
        source: where the choice comes from, in words.
        demo: it is the embedded demo model.
        available: there is one.
        message: why there is none, and what to do; "" when there is one.
    """

    name: str
    source: str
    demo: bool
    available: bool
    message: str


class RunningStream(TypedDict):
    """An answer that is being made.

    Attributes:
        agent_id: null in this release.
        accumulated_content: the text so far; the beginning of a very long one, of which
            `attach_stream` gives all.
        length: of the text, in UTF-16 code units.
        reasoning: what the model wrote before it answered, so far; likewise.
        recorded: true for a recorded answer, which no model makes; only there.
    """

    request_id: str
    agent_id: str | None
    accumulated_content: str
    length: int
    reasoning: str
    recorded: NotRequired[bool]


class ReviewTotals(TypedDict):
    """How much a review is about."""

    commit_count: int
    files_changed: int
    additions: int
    deletions: int


class ReviewDetails(ReviewState):
    """What is under review, with all that it changes.

    Attributes:
        commits: newest first.
        stats: null when nothing is under review.
    """

    commits: list[CommitRow]
    changed_files: list[ReviewChange]
    stats: ReviewTotals | None


class ReviewActive(ReviewDetails):
    """A review has begun."""

    status: Literal["review_active"]


class ReviewReadiness(TypedDict):
    """Whether a review can begin.

    Attributes:
        message: what is in its way, and the remedy; absent if nothing is.
    """

    clean: bool
    message: NotRequired[str]


class ReviewStuck(Refusal):
    """The review could not be ended; it is still open."""

    status: Literal["partial"]


class MessageText(TypedDict):
    """A part of a message's text.

    Attributes:
        offset: where it begins, in UTF-16 code units.
        text: the part; "" behind the end.
        length: of the whole, in UTF-16 code units.
    """

    request_id: str
    role: Literal["user", "assistant"]
    offset: int
    text: str
    length: int


class PendingEdits(TypedDict):
    """The blocks of one answer that wait for the user."""

    request_id: str
    results: list[EditResult]


class EditsDecided(EditsChange):
    """The user's word was carried out; `edit_results` says what came of each block.

    Attributes:
        note: what was left out, since it has to be named; absent when nothing was.
    """

    status: Literal["ok"]
    note: NotRequired[str]


class EditsUndone(TypedDict):
    """What came of taking edits back.

    Attributes:
        status: `refused` and `confirm`: nothing was changed.
        files_restored: files out of which the edits were taken.
        reason: why it was refused, or what is to be confirmed; absent when it was done.
        indices: with `refused`, the blocks that can be taken back all the same, together; absent
            when there are none.
        protected: with `confirm`, the files that have to be confirmed; absent otherwise.
    """

    status: Literal["undone", "refused", "confirm"]
    files_restored: list[str]
    reason: NotRequired[str]
    indices: NotRequired[list[int]]
    protected: NotRequired[list[ProtectedFile]]


class NotebookSaved(TypedDict):
    """The result of `save_notebook_edit`.

    Attributes:
        status: `ok`.
    """

    status: Literal["ok"]


class EditsReview(TypedDict):
    """Whether edits wait for the user's word."""

    status: Literal["ok"]
    edits_review: bool


class CurrentState(SessionSnapshot):
    """Everything that a page shows.

    Attributes:
        selected_files: the ticked files, in the order in which they were ticked.
        ticked_by_program: those of them that the program has ticked; unticked when the conversation
            ends.
        urls: the web pages of the conversation, also those that are being fetched.
        urls_fetch: the setting `urls.fetch`: `ask`, `auto` or `never`.
        streaming_active: an answer is being made.
        repo_name: of the repository, for people.
        repo_root: the repository's top folder, absolute.
        has_git: false in a folder without a repository: nothing is staged or committed there.
        cross_ref_enabled: the model sees the map of the other kind, too.
        cross_ref_ready: that map can be had.
        init_complete: the workspace has started; questions before that wait.
        mode: what is worked on: code, or documents.
        enrichment_status: how far the keywords of documents are.
        protocol: of this wire; 1.
        version: of the server.
        undo: the edits that `undo_last_edits` would take back; null when there are none.
        edits_review: edits wait for the user's word before they are applied.
    """

    selected_files: list[str]
    ticked_by_program: list[str]
    urls: list[UrlRow]
    urls_fetch: str
    streaming_active: bool
    repo_name: str
    repo_root: str
    has_git: bool
    cross_ref_enabled: bool
    cross_ref_ready: bool
    init_complete: bool
    mode: Mode
    enrichment_status: Enrichment
    protocol: int
    version: str
    model: ModelState
    active_streams: list[RunningStream]
    excluded_index_files: list[str]
    review_state: ReviewState
    undo: UndoOffer | None
    edits_review: bool
