"""The ports of a turn: what it calls in the layers above, as protocols, and the bundle of all."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from jupyter_ac.chat.chat_events import SystemEventRecorder
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.edit_blocks.blocks import BlockOutcome
from jupyter_ac.chat.edits.edit_tracker import TrackedAnswer
from jupyter_ac.chat.edits.ports import EditPorts
from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.history.sent_rows import CompactionStore
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.model_gateway import ModelGateway
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.prompt.counts import BlockCounts
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.maps import NOTHING_SHOWN, ShownStructure
from jupyter_ac.chat.prompt.profiles import PromptProfile, profile_of
from jupyter_ac.chat.records import TurnState, now_ms
from jupyter_ac.chat.review_context import ReviewContext
from jupyter_ac.chat.run_record import RunRecord
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.chat.tool_calls import ToolCall
from jupyter_ac.events import Mode
from jupyter_ac.ids import RepoPath, RequestId
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.client import CompletedAnswer, ModelInfo, Usage
from jupyter_ac.settings.app import AppSettings
from jupyter_ac.tool_rows import AgentMode


class StartGate:
    """Turns that come early wait here instead of being refused."""

    def __init__(self) -> None:
        self._opened = asyncio.Event()

    @property
    def is_open(self) -> bool:
        """Whether the start is complete."""
        return self._opened.is_set()

    def open(self) -> None:
        """Let everybody through, for good."""
        self._opened.set()

    async def wait(self) -> None:
        """Return when the gate is open; the caller bounds the wait by cancelling it."""
        await self._opened.wait()


Enrichment: TypeAlias = Literal["unavailable", "pending", "building", "complete"]


@dataclass(frozen=True, slots=True)
class MapText:
    """A map of the repository.

    Attributes:
        text: the map.
        legend: what its signs mean; "" where the text says so itself or it needs none.
        tokens: of both, by cl100k_base; 0 when they weren't counted.
        generation: names the content of the tree that it shows.
        files: how many it names.
    """

    text: str
    legend: str = ""
    tokens: int = 0
    generation: str = ""
    files: int = 0


@dataclass(frozen=True, slots=True)
class MapState:
    """How far the indexes are.

    Attributes:
        code_ready: the map of the code can be had.
        code_building: it is being made.
        doc_ready: the map of the documents can be had.
        doc_building: it is being made.
        enrichment: how far the documents' keywords are.
        message: why there is no index, or none of the whole tree; "" when there is or will be.
        off: why no map goes out though there is an index; "" when one does.
    """

    code_ready: bool = False
    code_building: bool = False
    doc_ready: bool = False
    doc_building: bool = False
    enrichment: Enrichment = "unavailable"
    message: str = ""
    off: str = ""


@dataclass(frozen=True, slots=True)
class MapAsk:
    """The request for what a question is likely to need of a map.

    Attributes:
        selected: the selected files.
        question: the user's text.
        talk: earlier texts of the talk that is sent, the newest last.
        budget_tokens: of all that the question is likely to need.
        shown: what the prompt shows already; it isn't repeated.
        wait_s: how long an index that isn't ready may be waited for.
    """

    selected: tuple[RepoPath, ...]
    question: str
    talk: tuple[str, ...]
    budget_tokens: int
    shown: ShownStructure = NOTHING_SHOWN
    wait_s: float = field(default=0.0, compare=False)


class Maps(Protocol):
    """Maps of the repository; no method raises because of the index."""

    async def head(self, mode: Mode, wait_s: float) -> MapText | None:
        """Return the map for the head of a prompt; the same for the same tree, whatever is asked.

        Args:
            mode: of the code, or of the documents.
            wait_s: how long an index that isn't ready may be waited for; 0 for what is in memory.

        Returns:
            None when it isn't ready by then, or there is none.
        """

    async def ranked(self, ask: MapAsk, /) -> str | None:
        """Return what else of the repository a question is likely to need; "" for nothing new.

        Takes half a second at most, or as long as the question may wait; else it is None.
        """

    def state(self) -> MapState:
        """Say how far the indexes are."""


@dataclass(frozen=True, slots=True)
class PageAsk:
    """The request for the web pages whose addresses are in a question.

    Attributes:
        question: the user's text.
        excluded: addresses that stay out.
        request_id: of the turn, for the events.
    """

    question: str
    excluded: tuple[str, ...] = ()
    request_id: str = ""


FetchPages: TypeAlias = Callable[[Conversation, PageAsk], Awaitable[Sequence[str]]]
"""Fetches the pages of a question into its conversation; returns sentences for the user."""


async def _no_pages(_conversation: Conversation, _ask: PageAsk) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class ShortenedRun:
    """What shortening the log of a run has brought.

    Attributes:
        steps: of the run that are no longer sent.
        freed_tokens: about so many fewer.
        usage: of the summary.
    """

    steps: int
    freed_tokens: int
    usage: Usage


ShortenRun: TypeAlias = Callable[[Sequence[ToolCall], int], Awaitable[ShortenedRun | None]]
"""Shortens a run's log, given the last calls and the least tokens to free; None: it can't."""


async def _never_shortened(_calls: Sequence[ToolCall], _least_tokens: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What a run is begun with.

    Attributes:
        conversation: of the turn.
        request_id: the front end's name of the turn.
        turn_id: of the turn, and of the run.
        mode: how it may act.
        info: what is known of the model; None: nothing.
        log: what goes out again.
        stream: of the answer.
        shorten: makes room for further steps.
    """

    conversation: Conversation
    request_id: RequestId
    turn_id: str
    mode: AgentMode
    info: ModelInfo | None
    log: Sequence[Exchange]
    stream: ActiveStream
    shorten: ShortenRun = _never_shortened

    def progress(self, message: str) -> None:
        """Tell the user what the run does."""
        self.stream.progress("waiting", message)

    def has_added(self) -> bool:
        """Say whether the user has added something that no step has delivered."""
        return bool(self.stream.added)

    def added(self) -> list[str]:
        """Take what the user has added since the last step."""
        added, self.stream.added = self.stream.added, []
        return added


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """What came of the calls of an answer.

    Attributes:
        results: of the calls, in their order, each as the model is sent it.
        closing: ends the message with the results: what is left of the limits, how edits went.
        is_over: the model isn't asked again.
        text: for the user, behind the answer; "" for nothing.
        images: names in the image store, which go out with the results.
    """

    results: Sequence[tuple[ToolCall, str]] = ()
    closing: str = ""
    is_over: bool = False
    text: str = ""
    images: Sequence[str] = ()


RunLimit: TypeAlias = Literal["max_tokens", "max_usd"]


class AgentRun(Protocol):
    """One turn in steps: each answer may call tools, whose results are asked with again.

    Attributes:
        has_steps: each step is told what became of the edits before it; otherwise edits that failed
            are asked for again, and files that edits are about are ticked.
    """

    has_steps: bool

    @property
    def may_edit(self) -> bool:
        """Whether edits are applied."""

    def retried(self, answer: CompletedAnswer) -> None:
        """Note an answer without calls whose edits are asked for again, in place of `step`."""

    def opening(self) -> Sequence[Block]:
        """Return what stands before the question: mode, limits, and what the log lacks of tools."""

    async def edited(self, apply: Callable[[], Awaitable[None]]) -> None:
        """Apply an answer's edits between two checkpoints."""

    async def in_context(self) -> Collection[RepoPath]:
        """Return the files that the model has seen in this run, as they still are."""

    async def decide(
        self, outcome: BlockOutcome, text_end: int, apply: Callable[[], Awaitable[BlockOutcome]]
    ) -> BlockOutcome:
        """Have the user decide on an edit that waits, and return what became of it.

        When nobody answers it goes on waiting. Cancelling this takes the question back.

        Args:
            outcome: of the edit.
            text_end: as of `step`.
            apply: makes the edit, if the user allows that.
        """

    async def step(
        self, answer: CompletedAnswer, tracked: TrackedAnswer, text_end: int
    ) -> StepOutcome:
        """Carry out the calls of an answer.

        Args:
            answer: of the model.
            tracked: its edits, with what became of them.
            text_end: in the turn's text, in UTF-16 code units.
        """

    def refuse(self, limit: RunLimit) -> str:
        """End the run since its next request would go beyond a limit; return why, in a sentence."""

    def record(self, state: TurnState | None = None) -> RunRecord | None:
        """Return the run so far, at its end with how the turn ended; None for nothing to keep."""

    async def close(self) -> None:
        """End what the run has left running; awaited once, however its turn has ended."""


class Agent(Protocol):
    """Runs of a workspace."""

    def tools(
        self, session: Session, mode: AgentMode, info: ModelInfo | None, /
    ) -> tuple[Block, ...]:
        """Return the definitions of the tools, each as JSON, for a provider that takes them.

        They are always the same: the provider's cache serves nothing behind others.
        """

    async def begin(self, request: RunRequest, /) -> AgentRun | None:
        """Begin a run; None for a plain answer without tools."""


class NoAgent:
    """A workspace whose models call no tools."""

    def tools(
        self, _session: Session, _mode: AgentMode, _info: ModelInfo | None
    ) -> tuple[Block, ...]:
        """There are none."""
        return ()

    async def begin(self, _request: RunRequest) -> None:
        """There are no runs."""


def _profile_of(choice: ModelChoice, mode: Mode) -> PromptProfile:
    return profile_of(choice, mode=mode)


def _no_instructions() -> str:
    return ""


@dataclass(frozen=True, slots=True)
class LogPorts:
    """The ports that decide on the length of the logs.

    Attributes:
        removals: the store of removals from them.
        settings: the user's, as they are in force.
        instructions: the user's prompt for compaction, "" for ours.
    """

    removals: CompactionStore
    settings: Callable[[], AppSettings]
    instructions: Callable[[], str] = _no_instructions


@dataclass(frozen=True, slots=True)
class TurnPorts:
    """The ports that the stages of a turn use.

    Attributes:
        models: which model, what it takes, and the model itself.
        files: the working files.
        counts: tokens of blocks.
        history: the store of conversations.
        gate: opens when the workspace has started.
        log: what decides on the length of the prompts' logs.
        images: the store of images that come with questions.
        events: records what happens beside the talk.
        maps: of the repository.
        review: what is sent about the branch under review.
        edits: what applies edits; by default nothing does, they are only listed.
        fetch_pages: fetches the web pages of a question, if the user wants that.
        agent: carries out the tool calls of answers.
        profile_for: says how prompts are made for a model, by what is worked on.
        clock: milliseconds since 1970.
    """

    models: ModelGateway
    files: RepositoryFiles
    counts: BlockCounts
    history: HistoryStore
    gate: StartGate
    log: LogPorts
    images: ImageFolder
    events: SystemEventRecorder
    maps: Maps
    review: ReviewContext
    edits: EditPorts = field(default_factory=EditPorts)
    fetch_pages: FetchPages = _no_pages
    agent: Agent = field(default_factory=NoAgent)
    profile_for: Callable[[ModelChoice, Mode], PromptProfile] = _profile_of
    clock: Callable[[], int] = now_ms
