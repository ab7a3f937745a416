"""Small ports in memory for tests of the stages, and the bundle of them."""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from jupyter_ac.chat.chat_events import PageEvent, SystemEventRecorder
from jupyter_ac.chat.conversation import Conversation, ConversationRegistry
from jupyter_ac.chat.files import ALL_WHOLE, FileProblem, FileText, Reading, RepositoryFiles
from jupyter_ac.chat.history.archive import HistoryArchive, kept_messages
from jupyter_ac.chat.history.branching import HistoryBranches
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.history.mode_store import FocusStore
from jupyter_ac.chat.history.notebook_views import NotebookViewStore
from jupyter_ac.chat.history.page_store import PageStore
from jupyter_ac.chat.history.search import MessageQuery
from jupyter_ac.chat.history.sent_rows import CompactionStore
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.images import QuestionImage
from jupyter_ac.chat.model_gateway import ModelGateway
from jupyter_ac.chat.open_notebooks import NONE_OPEN, OpenNotebook
from jupyter_ac.chat.ports import (
    LogPorts,
    MapAsk,
    MapState,
    MapText,
    StartGate,
    TurnPorts,
)
from jupyter_ac.chat.prompt.blocks import Block, file_block
from jupyter_ac.chat.prompt.counts import BlockCounts
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.chat.records import Focus, SessionRecord, Ticks, TurnPosition, TurnRecord, now_ms
from jupyter_ac.chat.review_context import CHANGES, NO_REVIEW_READING, ReviewContext, ReviewReading
from jupyter_ac.chat.run_record import RunRecord
from jupyter_ac.chat.shapes import KeptMessage, SessionSummary, Spend
from jupyter_ac.chat.turn.record import completion_result
from jupyter_ac.chat.turn.turn import Question, Turn
from jupyter_ac.chat.web_pages import WebPage
from jupyter_ac.errors import AcError, AlreadyExists, Conflict, NotFound
from jupyter_ac.event_bus import EventBus
from jupyter_ac.events import Event, Mode, StreamComplete
from jupyter_ac.git.excluded_paths import NONE_EXCLUDED, ExcludedPaths
from jupyter_ac.git.likely_secrets import secret_warnings
from jupyter_ac.ids import ConversationKey, Identity, RepoPath, SessionId
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.client import (
    CompletedAnswer,
    CompletionRequest,
    ModelInfo,
    PromptProgress,
    Retry,
    Usage,
)
from jupyter_ac.notebook.cell_selection import NotebookView
from jupyter_ac.settings.app import AppSettings
from jupyter_ac.usage_rows import DaySpend

ADA = Identity("ada")
INFO = ModelInfo(100_000, 4_000, 0.000_001, 0.000_002, takes_cache_marks=False, known=True)


class QuarterCounter:
    """Counts a token for every four characters begun."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def count(self, encoding: str, texts: Sequence[str]) -> list[int]:
        assert encoding
        self.asked += texts
        return [(len(text) + 3) // 4 for text in texts]


class MemoryFiles(RepositoryFiles):
    """Files by path; None for a binary one."""

    def __init__(self, texts: Mapping[str, str | None] | None = None) -> None:
        self.texts = dict(texts or {})
        self.not_sent = NONE_EXCLUDED
        self.links: dict[RepoPath, RepoPath] = {}

    async def excluded(self) -> ExcludedPaths:
        return self.not_sent

    async def links_to(
        self, paths: Iterable[RepoPath], excluded: ExcludedPaths
    ) -> tuple[RepoPath, ...]:
        asked = excluded.sent(paths)
        return tuple(path for path in asked if excluded.covers(self.links.get(path, path)))

    async def read(
        self,
        paths: Sequence[RepoPath],
        notebooks: Mapping[RepoPath, OpenNotebook] = NONE_OPEN,
        views: Mapping[RepoPath, NotebookView] = ALL_WHOLE,
    ) -> Reading:
        assert not notebooks
        assert not views
        found: list[FileText] = []
        problems: list[FileProblem] = []
        for path in paths:
            text = self.texts.get(path)
            if text is not None:
                block = file_block(path, text)
                found.append(FileText(path, block, secret_warnings(path, text)))
            else:
                problems.append(FileProblem(path, path in self.texts, f"Not sent: {path}"))
        return Reading(tuple(found), tuple(problems), self.not_sent)

    async def known(self, paths: Sequence[object]) -> list[RepoPath]:
        return [RepoPath(path) for path in paths if isinstance(path, str) and path in self.texts]


NO_TICKS = Ticks()


class MemoryHistory(HistoryStore):
    """Keeps what the real one keeps; `failure` makes the disk fail."""

    def __init__(self) -> None:
        self.sessions: dict[SessionId, SessionRecord] = {}
        self.owners: dict[SessionId, Identity] = {}
        self.selections: dict[Identity, Ticks] = {}
        self.steps: list[str] = []
        self.failure: AcError | None = None

    def _step(self, name: str) -> None:
        self.steps.append(name)
        if self.failure is not None:
            raise self.failure

    async def resume(self, identity: Identity, fresh: SessionId) -> SessionRecord | None:
        self._step(f"resume {identity}")
        mine = [
            session
            for session in self.sessions.values()
            if self.owners.get(session.session_id, ADA) == identity
        ]
        if mine and mine[-1].turns:
            self.owners[fresh] = identity
            self.sessions[fresh] = replace(mine[-1], session_id=fresh, revision=0)
            return self.sessions[fresh]
        return mine[-1] if mine else None

    async def session(
        self, session_id: SessionId, unless: int | None = None
    ) -> SessionRecord | None:
        self._step("session")
        found = self.sessions.get(session_id)
        return None if found is not None and found.revision == unless else found

    async def claim(
        self, conversation_key: ConversationKey, session_id: SessionId
    ) -> SessionRecord | None:
        self._step(f"claim {conversation_key.identity}")
        is_mine = self.owners.get(session_id, ADA) == conversation_key.identity
        return self.sessions.get(session_id) if is_mine else None

    async def start_session(self, conversation_key: ConversationKey, session_id: SessionId) -> None:
        self._step(f"start_session {conversation_key.identity}")
        self.owners[session_id] = conversation_key.identity
        self.sessions[session_id] = SessionRecord(session_id)

    async def selection(self, identity: Identity, none_kept: Ticks = NO_TICKS) -> Ticks:
        self._step("selection")
        return self.selections.get(identity, none_kept)

    async def keep_selection(self, identity: Identity, ticks: Ticks) -> None:
        self._step("keep_selection")
        self.selections[identity] = ticks

    async def begin(self, place: TurnPosition, turn: TurnRecord) -> None:
        self._step(f"begin {turn.question}")
        self.owners[place.session_id] = place.conversation_key.identity
        session = self.sessions.get(place.session_id, SessionRecord(place.session_id))
        if session.revision != place.revision:
            raise Conflict("elsewhere")
        if any(known.request_id == turn.request_id for known in session.turns):
            raise AlreadyExists("twice")
        self._put(replace(session, revision=session.revision + 1), turn)

    async def keep_sent(
        self, turn_id: str, profile: str, head: Sequence[Block], sent: Sequence[Block]
    ) -> None:
        self._step(f"keep_sent {profile}")
        assert turn_id
        assert head
        assert sent

    async def checkpoint(
        self, turn_id: str, text: str, reasoning: str = "", run: RunRecord | None = None
    ) -> None:
        assert turn_id
        assert reasoning == "" or reasoning.strip()
        self._step(f"checkpoint {text}")
        if run is not None:
            self._keep_run(turn_id, run)

    def _keep_run(self, turn_id: str, run: RunRecord) -> None:
        session = next(
            one for one in self.sessions.values() if any(t.turn_id == turn_id for t in one.turns)
        )
        turn = next(one for one in session.turns if one.turn_id == turn_id)
        changed = replace(session, revision=session.revision + 1)
        self._put(changed, replace(turn, run=run))

    async def finish(self, turn: TurnRecord) -> None:
        self._step(f"finish {turn.state.value}")
        having = (
            found
            for found in self.sessions.values()
            if any(known.turn_id == turn.turn_id for known in found.turns)
        )
        session = next(having, None)
        if session is None:
            raise NotFound("deleted")
        self._put(replace(session, revision=session.revision + 1), turn)

    def _put(self, session: SessionRecord, turn: TurnRecord) -> None:
        known = {found.turn_id: found for found in session.turns} | {turn.turn_id: turn}
        self.sessions[session.session_id] = replace(session, turns=tuple(known.values()))


class MemoryFocuses(FocusStore):
    """What people work on; `failure` makes the disk fail."""

    def __init__(self) -> None:
        self.focuses: dict[Identity, Focus] = {}
        self.failure: AcError | None = None

    async def read(self, identity: Identity) -> Focus:
        if self.failure is not None:
            raise self.failure
        return self.focuses.get(identity, Focus())

    async def keep(self, identity: Identity, focus: Focus) -> None:
        if self.failure is not None:
            raise self.failure
        self.focuses[identity] = focus


class MemoryPages(PageStore):
    """The web pages of people."""

    def __init__(self) -> None:
        self.pages: dict[Identity, tuple[WebPage, ...]] = {}

    async def read(self, identity: Identity) -> tuple[WebPage, ...]:
        return self.pages.get(identity, ())

    async def keep(self, identity: Identity, pages: Sequence[WebPage]) -> None:
        self.pages[identity] = tuple(pages)


class MemoryViews(NotebookViewStore):
    """Keeps what is shown of notebooks by person."""

    def __init__(self) -> None:
        self.views: dict[Identity, dict[RepoPath, NotebookView]] = {}

    async def read(self, identity: Identity) -> Mapping[RepoPath, NotebookView]:
        return dict(self.views.get(identity, {}))

    async def keep(self, identity: Identity, path: RepoPath, view: NotebookView) -> None:
        self.views.setdefault(identity, {})[path] = view


def memory_book(
    history: HistoryStore, files: RepositoryFiles, focuses: FocusStore | None = None
) -> ConversationRegistry:
    """Conversations whose modes and web pages are in memory."""
    return ConversationRegistry(
        history, files, focuses or MemoryFocuses(), MemoryPages(), MemoryViews()
    )


class MemoryBranches(HistoryBranches):
    """Keeps branches in a history in memory."""

    def __init__(self, history: MemoryHistory) -> None:
        self.history = history
        self.is_kept = True

    async def begin(
        self,
        conversation_key: ConversationKey,
        session_id: SessionId,
        turn_id: str,
        fresh: SessionId,
        *,
        after: bool = False,
    ) -> bool:
        assert conversation_key == ConversationKey(ADA)
        kept = self.history.sessions[session_id]
        names = [turn.turn_id for turn in kept.turns]
        before = kept.turns[: names.index(turn_id) + after]
        self.history.sessions[fresh] = replace(kept, session_id=fresh, revision=0, turns=before)
        return self.is_kept


class MemoryImages(ImageFolder):
    """Images by name; their files are nowhere."""

    def __init__(self) -> None:
        self.images: dict[str, QuestionImage] = {}

    async def put(self, image: QuestionImage) -> None:
        self.images[image.name] = image

    async def get(self, name: str) -> QuestionImage:
        return self.images[name]

    async def find(self, names: Sequence[str]) -> list[Path | None]:
        return [Path("/images") / name for name in names]


class MemoryArchive(HistoryArchive):
    """Looks at what a `MemoryHistory` keeps; the spend is made up."""

    def __init__(self, history: MemoryHistory) -> None:
        self._history = history

    async def sessions(self, identity: Identity, limit: int) -> list[SessionSummary]:
        found: list[SessionSummary] = []
        for session_id, owner in reversed(self._history.owners.items()):
            messages = await self.messages(owner, session_id)
            if owner == identity and messages:
                found.append(
                    {
                        "session_id": session_id,
                        "trusted": True,
                        "timestamp": messages[0]["timestamp"],
                        "updated": messages[-1]["timestamp"],
                        "message_count": len(messages),
                        "title": "",
                        "preview": messages[0]["content"],
                        "first_role": "user",
                        "aside": False,
                        "continues": None,
                        "inherited": 0,
                    }
                )
        return found[:limit]

    async def messages(self, identity: Identity, session_id: SessionId) -> list[KeptMessage]:
        session = self._history.sessions.get(session_id)
        if session is None or self._history.owners.get(session_id) != identity:
            return []
        return [
            message for turn in session.turns for message in kept_messages(session_id, turn, {})
        ]

    async def search(self, identity: Identity, wanted: MessageQuery) -> list[KeptMessage]:
        found = [
            message
            for session_id in self._history.owners
            for message in await self.messages(identity, session_id)
            if wanted.text in message["content"] and wanted.role in {"", message["role"]}
        ]
        return found[::-1][: wanted.limit]

    async def prepare_search(self) -> None:
        pass

    async def spend(self, identity: Identity, session_id: SessionId, since_ms: int) -> Spend:
        assert identity
        assert session_id
        assert since_ms
        return {"session_usd": 0.5, "today_usd": 1.0, "repo_usd": None, "unpriced_turns": 2}

    async def spend_by_day(self, identity: Identity, since_ms: int) -> list[DaySpend]:
        assert identity
        assert since_ms
        return [
            {
                "day": "2026-01-31",
                "answers": 2,
                "input_tokens": 5,
                "cached_tokens": 3,
                "output_tokens": 2,
                "usd": None,
            }
        ]


def _set_event() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


class MemoryMaps:
    """Maps by mode; none where the index isn't ready, which `held` makes take its time."""

    def __init__(self) -> None:
        self.heads: dict[Mode, MapText] = {}
        self.near: str | None = ""
        self.building = False
        self.off = ""
        self.held = _set_event()
        self.waits: list[tuple[Mode, float]] = []
        self.asked: list[MapAsk] = []

    async def head(self, mode: Mode, wait_s: float) -> MapText | None:
        self.waits.append((mode, wait_s))
        await self.held.wait()
        return self.heads.get(mode)

    async def ranked(self, ask: MapAsk) -> str | None:
        self.asked.append(ask)
        return self.near

    def state(self) -> MapState:
        return MapState(
            code_ready="code" in self.heads,
            code_building=self.building,
            doc_ready="doc" in self.heads,
            off=self.off,
        )


@dataclass
class ScriptedModel:
    """Answers with `pieces`, after `error` if there is one; waits for `release` when held.

    With a `script`, the first request gets its first answer, and so on; the last one stays.
    Side tasks, which are asked without a cache, get `aside` when there is one, after `aside_error`,
    and wait for `aside_release` when that is there.
    """

    pieces: Sequence[str] = ("Hello ", "world")
    error: Exception | None = None
    progress: Sequence[PromptProgress | Retry] = (PromptProgress(50, 200),)
    held: bool = False
    info: ModelInfo = INFO
    requests: list[CompletionRequest] = field(default_factory=list)
    release: asyncio.Event = field(default_factory=asyncio.Event)
    began: asyncio.Event = field(default_factory=asyncio.Event)
    loaded: asyncio.Event = field(default_factory=_set_event)
    aside: str | None = None
    aside_error: Exception | None = None
    aside_release: asyncio.Event | None = None
    thoughts: Sequence[str] = ()
    script: Sequence[CompletedAnswer] = ()

    async def describe(self, model: str) -> ModelInfo:
        assert model
        return self.info

    async def load(self) -> None:
        await self.loaded.wait()

    async def complete(
        self,
        request: CompletionRequest,
        on_text: Callable[[str], None],
        on_progress: Callable[[PromptProgress | Retry], None] | None = None,
        on_reasoning: Callable[[str], None] | None = None,
    ) -> CompletedAnswer:
        self.requests.append(request)
        if not request.cache and self.aside is not None:
            return await self._answer_aside()
        if on_reasoning is not None:
            for thought in self.thoughts:
                on_reasoning(thought)
        if on_progress is not None:
            for progress in self.progress:
                on_progress(progress)
        scripted = self.script[: len(self.requests)][-1:]
        for piece in [one.text for one in scripted] if scripted else self.pieces:
            on_text(piece)
        self.began.set()
        if self.held:
            await self.release.wait()
        if self.error is not None:
            raise self.error
        if scripted:
            return scripted[0]
        usage = Usage(100, 10, cost_usd=0.5)
        return CompletedAnswer("".join(self.pieces), "stop", usage)

    async def _answer_aside(self) -> CompletedAnswer:
        if self.aside_release is not None:
            await self.aside_release.wait()
        if self.aside_error is not None:
            raise self.aside_error
        return CompletedAnswer(self.aside or "", "stop", Usage(50, 5))


class MemoryRemovals(CompactionStore):
    """Keeps what is taken out of the logs; `failure` makes the disk fail."""

    def __init__(self, history: MemoryHistory) -> None:
        self.kept: list[Removal] = []
        self.failure: AcError | None = None
        self._history = history

    async def keep(self, session_id: SessionId, removal: Removal, revision: int | None) -> None:
        if self.failure is not None:
            raise self.failure
        session = self._history.sessions[session_id]
        if revision not in {None, session.revision}:
            raise Conflict("elsewhere")
        self.kept.append(removal)
        removals = (*session.removals, removal)
        changed = replace(session, revision=session.revision + 1, removals=removals)
        self._history.sessions[session_id] = changed


class Pages(EventBus):
    """A bus that remembers what goes to the pages."""

    def __init__(self) -> None:
        super().__init__()
        self.published: list[tuple[Event, ConversationKey | None, tuple[object, ...]]] = []
        self.subscribe(PageEvent, self._remember)

    def _remember(self, told: PageEvent) -> None:
        self.published.append((told.event, told.conversation_key, tuple(told.but)))

    def names(self) -> list[str]:
        return [event.name for event, _, _ in self.published]


class Notes(SystemEventRecorder):
    """Remembers what happens beside the talk."""

    def __init__(self) -> None:
        self.noted: list[tuple[ConversationKey, SessionId, str, str]] = []

    async def note(
        self, conversation_key: ConversationKey, session_id: SessionId, kind: str, text: str
    ) -> None:
        self.noted.append((conversation_key, session_id, kind, text))


class MemoryReview(ReviewContext):
    """What is sent about a review, as a test wants it."""

    def __init__(self) -> None:
        self.reading = NO_REVIEW_READING

    async def read(self, selection: Sequence[RepoPath], _wait_s: float) -> ReviewReading:
        chosen = {f"{CHANGES}{path}" for path in selection}
        diffs = tuple(diff for diff in self.reading.diffs if diff.path in chosen)
        return replace(self.reading, diffs=diffs)


@dataclass
class World:
    """The ports of a test, each by its own type."""

    files: MemoryFiles = field(default_factory=MemoryFiles)
    history: MemoryHistory = field(default_factory=MemoryHistory)
    model: ScriptedModel = field(default_factory=ScriptedModel)
    counter: QuarterCounter = field(default_factory=QuarterCounter)
    gate: StartGate = field(default_factory=StartGate)
    pages: Pages = field(default_factory=Pages)
    choice: ModelChoice | None = field(default_factory=lambda: ModelChoice("openai/test", "flag"))
    settings: AppSettings = field(default_factory=AppSettings)
    maps: MemoryMaps = field(default_factory=MemoryMaps)
    review: MemoryReview = field(default_factory=MemoryReview)
    later_ms: int = 0

    def __post_init__(self) -> None:
        self.removals = MemoryRemovals(self.history)

    def ports(self) -> TurnPorts:
        return TurnPorts(
            models=ModelGateway(self.model, lambda: self.choice),
            files=self.files,
            counts=BlockCounts(self.counter),
            history=self.history,
            gate=self.gate,
            images=MemoryImages(),
            events=Notes(),
            log=LogPorts(self.removals, lambda: self.settings),
            maps=self.maps,
            review=self.review,
            clock=lambda: now_ms() + self.later_ms,
        )


def open_world(texts: Mapping[str, str | None] | None = None) -> World:
    """A workspace that has started, with these files."""
    world = World(files=MemoryFiles(texts))
    world.gate.open()
    return world


def completion(request_id: str, response: str) -> StreamComplete:
    """The end of a turn with this answer."""
    turn = Turn.of(Conversation(ConversationKey(ADA)), Question(request_id, "Why?"))
    turn.stored.record = replace(turn.record, answer=response)
    return StreamComplete(request_id, completion_result(turn))


class Recorder:
    """A follower that remembers what it is told."""

    def __init__(self) -> None:
        self.told: list[object] = []
        self.over = asyncio.Event()

    def grew(self) -> None:
        self.told.append("grew")

    def progressed(self, event: Event | Retry) -> None:
        self.told.append(event)

    def ended(self, completion: Event) -> None:
        self.told.append(completion)
        self.over.set()

    def dropped(self) -> None:
        self.told.append("dropped")
