"""What a turn needs from outside, as protocols, and the bundle of it."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from jupyter_ac.chat.desk import ModelDesk
from jupyter_ac.chat.gate import StartGate
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.prompt.counts import BlockCounts
from jupyter_ac.chat.records import Place, SessionRecord, TurnRecord
from jupyter_ac.events import Event
from jupyter_ac.ids import Identity, RepoPath, Seat, SessionId


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
class Reading:
    """The selected files as they are now, in the order asked for."""

    files: tuple[FileText, ...] = ()
    problems: tuple[FileProblem, ...] = ()


class Files(Protocol):
    """The repository's working files."""

    async def read(self, paths: Sequence[RepoPath]) -> Reading:
        """Read files for a prompt; what can't be sent is reported, never raised."""

    async def known(self, paths: Sequence[object]) -> list[RepoPath]:
        """Keep the paths of files that exist, in order, each once."""


class History(Protocol):
    """Conversations on disk; every method raises `AcError` when the disk fails."""

    async def latest(self, identity: Identity) -> SessionRecord | None:
        """Return the session that this person used last."""

    async def session(self, session_id: SessionId) -> SessionRecord | None:
        """Return a session as it is now."""

    async def start_session(self, identity: Identity, session_id: SessionId) -> None:
        """Make a new session the one used last."""

    async def selection(self, identity: Identity) -> list[RepoPath]:
        """Return the selection kept for this person."""

    async def keep_selection(self, identity: Identity, paths: Sequence[RepoPath]) -> None:
        """Replace it."""

    async def begin(self, place: Place, turn: TurnRecord) -> None:
        """Add a turn with its question.

        Raises:
            Conflict: the session is no longer at `place.revision`.
            AlreadyExists: the request id was used before.
        """

    async def keep_sent(
        self, turn_id: str, profile: str, head: Sequence[Block], sent: Sequence[Block]
    ) -> None:
        """Keep what goes out, before it does; a head that is kept already stays."""

    async def checkpoint(self, turn_id: str, text: str) -> None:
        """Keep the answer so far, and that the turn is alive."""

    async def finish(self, turn: TurnRecord) -> None:
        """Keep how the turn ended; raises the session's revision by one."""


class Pages(Protocol):
    """The connected pages; publishing never waits."""

    def publish(
        self, event: Event, seat: Seat | None = None, *, but: Collection[object] = ()
    ) -> None:
        """Send an event to the pages at a seat, except some."""


@dataclass(frozen=True, slots=True)
class TurnPorts:
    """What the stages of a turn work with.

    Attributes:
        models: which model, what it takes, and the model itself.
        files: the working files.
        counts: tokens of blocks.
        history: where turns are kept.
        gate: opens when the workspace has started.
    """

    models: ModelDesk
    files: Files
    counts: BlockCounts
    history: History
    gate: StartGate
