"""What a turn needs from outside, as protocols, and the bundle of it."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from jupyter_ac.chat.compaction.ports import LogPorts
from jupyter_ac.chat.edits.ports import EditPorts
from jupyter_ac.chat.images import ImageStore, NoImages
from jupyter_ac.chat.model_gateway import ModelGateway
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.prompt.counts import BlockCounts
from jupyter_ac.chat.prompt.profiles import PromptProfile, profile_of
from jupyter_ac.chat.records import Focus, SessionRecord, Ticks, TurnPosition, TurnRecord, now_ms
from jupyter_ac.chat.shapes import KeptMessage, SessionSummary, Spend
from jupyter_ac.chat.startup_gate import StartGate
from jupyter_ac.events import Event, Mode
from jupyter_ac.ids import ConversationKey, Identity, RepoPath, SessionId
from jupyter_ac.models.choice import ModelChoice

Enrichment: TypeAlias = Literal["unavailable", "pending", "building", "complete"]


@dataclass(frozen=True, slots=True)
class FileText:
    """A selected file that can be sent.

    Attributes:
        path: relative to the repository.
        block: the whole file as it would go out.
        warnings: sentences about secrets that it seems to hold.
    """

    path: RepoPath
    block: Block
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FileProblem:
    """A selected file that can't be sent.

    Attributes:
        path: relative to the repository.
        is_binary: whether it is there but no text.
        message: one sentence for the user.
    """

    path: RepoPath
    is_binary: bool
    message: str


@dataclass(frozen=True, slots=True)
class MessageQuery:
    """What to look for in the messages of a person.

    Attributes:
        text: found anywhere, upper and lower case being one; not empty.
        role: whose messages; "" for all.
        limit: how many to find at most.
    """

    text: str
    role: str = ""
    limit: int = 50


@dataclass(frozen=True, slots=True)
class Reading:
    """The selected files as they are now, in the order asked for."""

    files: tuple[FileText, ...] = ()
    problems: tuple[FileProblem, ...] = ()


class WorkingFiles(Protocol):
    """The repository's working files."""

    async def read(self, paths: Sequence[RepoPath]) -> Reading:
        """Read files for a prompt; what can't be sent is reported, never raised."""

    async def known(self, paths: Sequence[object]) -> list[RepoPath]:
        """Keep the paths of files that exist, in order, each once."""


class ConversationStore(Protocol):
    """Conversations on disk; every method raises `AcError` when the disk fails."""

    async def resume(self, identity: Identity, fresh: SessionId) -> SessionRecord | None:
        """Return the session in which a person's panels go on, mostly a new one named `fresh`."""

    async def session(
        self, session_id: SessionId, unless: int | None = None
    ) -> SessionRecord | None:
        """Return a session as it is now; None while its revision is the one named."""

    async def claim(self, seat: ConversationKey, session_id: SessionId) -> SessionRecord | None:
        """Return a session of the person at a seat and make it the one that the seat restores."""

    async def start_session(self, identity: Identity, session_id: SessionId) -> None:
        """Make a new session the one used last."""

    async def selection(self, identity: Identity) -> Ticks:
        """Return the selection kept for this person."""

    async def keep_selection(self, identity: Identity, ticks: Ticks) -> None:
        """Replace it."""

    async def begin(self, place: TurnPosition, turn: TurnRecord) -> None:
        """Add a turn with its question.

        Raises:
            Conflict: the session is no longer at `place.revision`.
            AlreadyExists: the request id was used before.
        """

    async def keep_sent(
        self, turn_id: str, profile: str, head: Sequence[Block], sent: Sequence[Block]
    ) -> None:
        """Keep what goes out, before it does; a head that is kept already stays.

        Raises:
            NotFound: the turn was deleted.
        """

    async def checkpoint(self, turn_id: str, text: str, reasoning: str = "") -> None:
        """Keep the answer and the reasoning so far, and that the turn is alive."""

    async def finish(self, turn: TurnRecord) -> None:
        """Keep how the turn ended; raises the session's revision by one.

        Raises:
            NotFound: the turn was deleted.
        """


class FocusKeeper(Protocol):
    """Where it is kept what a person works on; raises `AcError` when the disk fails."""

    async def read(self, identity: Identity, /) -> Focus:
        """Return what was kept for this person."""

    async def keep(self, identity: Identity, focus: Focus, /) -> None:
        """Replace it."""


class NoFocusKept:
    """For workspaces without a history."""

    async def read(self, _identity: Identity, /) -> Focus:
        """Return the beginning."""
        return Focus()

    async def keep(self, identity: Identity, focus: Focus) -> None:
        """Forget it."""


class SessionArchive(Protocol):
    """A person's sessions on disk, to look at; every method raises `AcError` when the disk fails.

    Nobody sees another person's, or those of another worktree.
    """

    async def sessions(self, identity: Identity, limit: int) -> list[SessionSummary]:
        """List the sessions in which something was asked, the one used last first."""

    async def messages(self, identity: Identity, session_id: SessionId) -> list[KeptMessage]:
        """Give the messages of a session, oldest first; none when there is no such session."""

    async def search(self, identity: Identity, wanted: MessageQuery) -> list[KeptMessage]:
        """Find messages, newest first."""

    async def prepare_search(self) -> None:
        """Make searching fast, a piece at a time; never raises because of the disk."""

    async def spend(self, identity: Identity, session_id: SessionId, since_ms: int) -> Spend:
        """Add up what a person's answers have cost, in one session and since a moment."""


class SystemEvents(Protocol):
    """Where what happens beside the talk is noted; never raises because of the disk."""

    async def note(
        self, seat: ConversationKey, session_id: SessionId, kind: str, text: str
    ) -> None:
        """Note it in the session that was on the seat's screens when it was begun.

        Args:
            seat: whose conversation.
            session_id: captured before the work began.
            kind: `commit`, `reset`, `mode`, `compaction`, `review_started` or `review_ended`.
            text: one sentence for the user; the model doesn't see it.
        """


class Pages(Protocol):
    """The connected pages; publishing never waits."""

    def publish(
        self, event: Event, seat: ConversationKey | None = None, *, but: Collection[object] = ()
    ) -> None:
        """Send an event to the pages at a seat, except some."""


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
    """What the ranked part of a map is made for.

    Attributes:
        mode: whose map; what it shows isn't repeated.
        selected: the selected files.
        question: the user's text.
        talk: earlier texts of the talk that is sent, the newest last.
        budget_tokens: at most as many.
        has_map: the prompt shows that mode's map.
        wait_s: how long an index that isn't ready may be waited for.
    """

    mode: Mode
    selected: tuple[RepoPath, ...]
    question: str
    talk: tuple[str, ...]
    budget_tokens: int
    has_map: bool = True
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
        """Return what else of the repository a question is likely to need; "" for nothing.

        Takes half a second at most, or as long as the question may wait; what isn't ready by then
        is None.
        """

    def state(self) -> MapState:
        """Say how far the indexes are."""


class NoMaps:
    """For workspaces without an index."""

    async def head(self, mode: Mode, wait_s: float) -> MapText | None:
        """Return none."""

    async def ranked(self, _ask: MapAsk, /) -> str | None:
        """Return nothing."""
        return ""

    def state(self) -> MapState:
        """Say that nothing is ready."""
        return MapState()


class NoEvents:
    """Notes nothing."""

    async def note(
        self, seat: ConversationKey, session_id: SessionId, kind: str, text: str
    ) -> None:
        """Note nothing."""


def _profile_of(choice: ModelChoice, mode: Mode) -> PromptProfile:
    return profile_of(choice, mode=mode)


@dataclass(frozen=True, slots=True)
class TurnPorts:
    """What the stages of a turn work with.

    Attributes:
        models: which model, what it takes, and the model itself.
        files: the working files.
        counts: tokens of blocks.
        history: where turns are kept.
        gate: opens when the workspace has started.
        profile_for: says how prompts are made for a model, by what is worked on.
        log: what decides on the length of the prompts' logs.
        edits: what applies edits; by default nothing does, they are only listed.
        images: where those that come with questions are.
        events: where what happens beside the talk is noted.
        maps: of the repository; by default there are none.
        clock: milliseconds since 1970.
    """

    models: ModelGateway
    files: WorkingFiles
    counts: BlockCounts
    history: ConversationStore
    gate: StartGate
    profile_for: Callable[[ModelChoice, Mode], PromptProfile] = _profile_of
    log: LogPorts = field(default_factory=LogPorts)
    edits: EditPorts = field(default_factory=EditPorts)
    images: ImageStore = field(default_factory=NoImages)
    events: SystemEvents = field(default_factory=NoEvents)
    maps: Maps = field(default_factory=NoMaps)
    clock: Callable[[], int] = now_ms
