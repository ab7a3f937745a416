"""The turn as a value: the question, and one value for the result of each stage."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Self

from jupyter_ac.chat.context_items import ContextItem
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.edits.edit_tracker import EditTracker
from jupyter_ac.chat.files import FileProblem, Reading
from jupyter_ac.chat.model_gateway import AnswerSource, ModelGateway
from jupyter_ac.chat.ports import AgentRun
from jupyter_ac.chat.prompt.blocks import Block, wellformed
from jupyter_ac.chat.prompt.counts import Scale
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.log_removals import CompactedEntry, Removal
from jupyter_ac.chat.prompt.maps import KnownMaps
from jupyter_ac.chat.prompt.profiles import PromptProfile
from jupyter_ac.chat.prompt.prompt import Prompt
from jupyter_ac.chat.recorded.player import RecordedAnswer
from jupyter_ac.chat.records import TurnRecord, new_turn_id, now_ms
from jupyter_ac.chat.review_context import NO_REVIEW_READING, ReviewReading
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.streams import ActiveStream, EditsSoFar
from jupyter_ac.chat.turn.stored_turn import StoredTurn
from jupyter_ac.events import Mode
from jupyter_ac.ids import RepoPath, RequestId
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.client import CompletedAnswer, ModelInfo
from jupyter_ac.settings.app import AppSettings
from jupyter_ac.tool_rows import AgentMode

MAX_TICKED: Final = 200
"""More ticked files are not stored with a question: nobody chose each of them."""


@dataclass(frozen=True, slots=True)
class Question:
    """The question of a turn.

    Attributes:
        request_id: the page's name for the turn.
        text: the user's text; "" in a preview without one.
        images: that come with it, by name.
        unknown: files that the asker named and that aren't there, or are excluded.
        index_wait_s: how long an index that isn't ready is waited for; a preview doesn't wait.
        effort: how much the model is to reason; "" for its own default.
        agent_tag: see `TurnRecord`.
        excluded_urls: addresses in the text whose pages aren't fetched.
        items: that the user has added.
        agent: how the answer may act.
        recorded: its recorded answer; None: a model answers.
    """

    request_id: str
    text: str
    images: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    index_wait_s: float = 0.0
    effort: str = ""
    agent_tag: str = ""
    excluded_urls: tuple[str, ...] = ()
    items: tuple[ContextItem, ...] = ()
    agent: AgentMode = "ask"
    recorded: RecordedAnswer | None = None


@dataclass(slots=True)
class Findings:
    """Results of `gather` so far: the record of a turn that ends within that stage has them too.

    Attributes:
        choice: the model that answers; None if there is none.
        info: known properties of the model.
        problems: selected files that can't be sent.
    """

    choice: ModelChoice | None = None
    info: ModelInfo | None = None
    problems: Sequence[FileProblem] = ()


@dataclass(frozen=True, slots=True)
class TurnContext:
    """The part of a turn that every stage can read.

    Attributes:
        conversation: where it was asked.
        question: what was asked.
        stream: the answer as it is made, and its progress.
        notices: sentences for the user; each stage adds its own.
        findings: results of `gather` so far.
    """

    conversation: Conversation
    question: Question
    stream: ActiveStream
    notices: list[str] = field(default_factory=list)
    findings: Findings = field(default_factory=Findings)

    @classmethod
    def of(cls, conversation: Conversation, question: Question) -> Self:
        """Begin a turn, or the preview of one."""
        wellformed_question = replace(question, text=wellformed(question.text))
        stream = ActiveStream(RequestId(question.request_id))
        stream.is_recorded = question.recorded is not None
        return cls(conversation, wellformed_question, stream)

    def source(self, models: ModelGateway) -> AnswerSource:
        """Say where the answer comes from.

        Args:
            models: unless it is recorded.
        """
        return self.question.recorded or models

    @property
    def session(self) -> Session:
        """The session that the turn is part of."""
        return self.conversation.session


@dataclass(frozen=True, slots=True)
class AnsweringModel:
    """The model that answers.

    Attributes:
        choice: which one; None when there is none.
        info: what is known of it.
        profile: how its prompts are made.
        takes_whole_log: it has room for the log and for maps.
        mode: whose map its prompts show.
        scale: weighs blocks for it.
    """

    choice: ModelChoice | None
    info: ModelInfo | None
    profile: PromptProfile
    takes_whole_log: bool
    mode: Mode
    scale: Scale

    @property
    def name(self) -> str:
        """Its name; "" for none."""
        return self.choice.model if self.choice is not None else ""


@dataclass(frozen=True, slots=True)
class LogState:
    """The prompt log as it goes out again.

    Attributes:
        session: whose log it is.
        head: the system blocks that were sent; none before that.
        entries: the exchanges, with the turns that they are of.
        exchanges: of the entries.
        is_cold: the provider's cache of them has expired.
        is_long: they have more tokens than the settings want, with the cache as it is.
        withheld: what is taken out of it since files were excluded; None for nothing new.
    """

    session: Session
    head: tuple[Block, ...]
    entries: Sequence[CompactedEntry]
    exchanges: Sequence[Exchange]
    is_cold: bool
    is_long: bool
    withheld: Removal | None = None


@dataclass(frozen=True, slots=True)
class Gathered:
    """The parts of a prompt: the result of `gather`.

    Attributes:
        model: that answers.
        settings: the user's, as they are in force.
        log: of the session.
        head: the system blocks: those that were sent, or else the rules and the map.
        reading: the selected files.
        maps: what is known of the repository's structure.
        input_limit: tokens that the request may have; 0 when that isn't known.
        images: files with the images that come with the question.
        pages: the web pages that are included.
        review: what is sent about the branch under review.
        image_note: names the images of outputs, which are the last of `images`; None without any.
        tools: their definitions, if they go out.
        items: what the user has added, without that of excluded files.
    """

    model: AnsweringModel
    settings: AppSettings
    log: LogState
    head: tuple[Block, ...]
    reading: Reading
    maps: KnownMaps
    input_limit: int
    images: tuple[Path, ...] = ()
    pages: tuple[Block, ...] = ()
    review: ReviewReading = NO_REVIEW_READING
    image_note: Block | None = None
    tools: tuple[Block, ...] = ()
    items: tuple[ContextItem, ...] = ()


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """The request that is to be sent: the result of `assemble`.

    Attributes:
        prompt: what goes out.
        left_out: selected files that it has no room for.
        trim: what it takes out of the log to make room; None for nothing.
        answer_tokens: the longest answer for which there is something left; None for no limit.
    """

    prompt: Prompt = field(default_factory=Prompt)
    left_out: tuple[RepoPath, ...] = ()
    trim: Removal | None = None
    answer_tokens: int | None = None

    @property
    def sent(self) -> tuple[Block, ...]:
        """The turn's own blocks, which are stored."""
        return self.prompt.ask


@dataclass(slots=True)
class TurnAnswers:
    """The answers of a turn as they come: the result of `stream`.

    Attributes:
        stream: gets their text.
        tracker: the edits that they ask for.
        outcome: the whole answers, joined; None before the first is complete.
        gap: goes between two answers.
        announced: how many of the turn's notices were sent to the pages.
    """

    stream: ActiveStream
    tracker: EditTracker = field(default_factory=EditTracker)
    outcome: CompletedAnswer | None = None
    gap: str = ""
    announced: int = 0

    def feed(self, piece: str) -> None:
        """Take what the model has just written."""
        version = self.tracker.version
        self.tracker.feed(piece)
        if self.tracker.version != version:
            self.stream.edits = EditsSoFar(self.tracker.blocks, self.tracker.version)
        self.stream.append(self.gap + piece)
        self.gap = ""

    def add(self, text: str) -> None:
        """Add a text of ours behind the last answer, in which no edits are looked for."""
        self.stream.append(text)
        self.tracker.answers[-1].end += len(text)


@dataclass(slots=True)
class NextRequest:
    """A further request of a turn: the result of `edit` or `act`.

    Attributes:
        answered: this turn's earlier answers, as the log will have them.
        blocks: ask again, in place of the user's question: for edits that failed, or with the
            results of tool calls; none before that.
        opening: stands before the user's question: how a run may act.
        images: that come with these results.
        is_retry: it asks for edits that failed: if it fails, the answer before it stands.
        added: files that were added to the context because an answer edits them, until it is said.
        failure: why the edits of a repeated answer were not taken; "" when they were.
    """

    answered: list[Exchange] = field(default_factory=list)
    blocks: tuple[Block, ...] = ()
    opening: tuple[Block, ...] = ()
    images: tuple[Path, ...] = ()
    is_retry: bool = False
    added: list[RepoPath] = field(default_factory=list)
    failure: str = ""


@dataclass(slots=True)
class Turn:
    """One question on its way to an answer.

    Attributes:
        context: what every stage may see.
        stored: its record, in memory and in the history.
        answers: as they come.
        next: what is asked again.
        run: its tool calls; None for a plain answer.
        gathered: what its prompt is made of; None until then.
        request: what goes out.
    """

    context: TurnContext
    stored: StoredTurn
    answers: TurnAnswers
    next: NextRequest = field(default_factory=NextRequest)
    run: AgentRun | None = None
    gathered: Gathered | None = None
    request: PromptRequest = field(default_factory=PromptRequest)

    @classmethod
    def of(cls, conversation: Conversation, question: Question) -> Self:
        """Begin a turn."""
        context = TurnContext.of(conversation, question)
        stream, asked = context.stream, context.question
        record = TurnRecord(
            new_turn_id(),
            stream.request_id,
            asked.text,
            now_ms(),
            images=asked.images,
            agent_tag=asked.agent_tag,
            ticked=conversation.selection if len(conversation.selection) <= MAX_TICKED else (),
        )
        stored = StoredTurn(conversation, stream, context.notices, record)
        return cls(context, stored, TurnAnswers(stream))

    @property
    def record(self) -> TurnRecord:
        """The stored record of the turn."""
        return self.stored.record

    @property
    def model_info(self) -> ModelInfo | None:
        """The known properties of its model."""
        return self.context.findings.info
