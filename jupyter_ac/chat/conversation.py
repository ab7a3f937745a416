"""One person's conversation about one repository, and the book of them."""

import asyncio
import logging
from collections.abc import Sequence

from jupyter_ac.chat.ports import Files, History
from jupyter_ac.chat.prompt.blocks import Block
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.profiles import Profile
from jupyter_ac.chat.records import (
    INTERRUPTED,
    Place,
    SessionRecord,
    State,
    TurnRecord,
    new_session_id,
)
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.errors import AcError, Busy, NotFound
from jupyter_ac.events import ChatMessage, SessionSnapshot
from jupyter_ac.ids import RepoPath, RequestId, Seat, SessionId

log = logging.getLogger(__name__)


class Conversation:
    """What one person sees in all panels of one repository.

    Attributes:
        seat: whose it is.
        selection: the ticked files, in the order in which they were ticked.
        stream: the answer being made; None when there is none.
        is_selection_kept: whether the selection is on disk, where other hosts see it.
    """

    def __init__(self, seat: Seat, session: SessionRecord | None = None) -> None:
        self.seat = seat
        self.selection: tuple[RepoPath, ...] = ()
        self.stream: ActiveStream | None = None
        self.is_selection_kept = True
        self.adopt(session or SessionRecord(new_session_id()))

    def adopt(self, session: SessionRecord) -> None:
        """Go on with a session as it is on disk."""
        self.session_id = session.session_id
        self.revision = session.revision
        self._turns = list(session.turns)
        self._heads: dict[str, tuple[Block, ...]] = dict(session.heads)

    def rejoin(self, session: SessionRecord) -> None:
        """Take over what other hosts have added to this session; what only we know of it stays."""
        mine = {turn.turn_id: turn for turn in self._turns}
        heads = self._heads
        self.adopt(session)
        self._turns = [_fuller(mine.pop(turn.turn_id, turn), turn) for turn in session.turns]
        self._turns += mine.values()
        self._heads = {**heads, **self._heads}

    @property
    def place(self) -> Place:
        """Where the next turn goes."""
        return Place(self.seat, self.session_id, self.revision)

    @property
    def turns(self) -> Sequence[TurnRecord]:
        """All turns, oldest first; the last one may still run."""
        return self._turns

    @property
    def exchanges(self) -> list[Exchange]:
        """The prompt log."""
        return [found for turn in self._turns if (found := turn.exchange()) is not None]

    def head(self, profile: Profile) -> tuple[Block, ...]:
        """Return the system blocks, which stay the same for the whole session."""
        return self._heads.get(profile.name) or profile.head()

    def freeze_head(self, profile: Profile, head: tuple[Block, ...]) -> None:
        """Keep the system blocks that were sent first."""
        self._heads.setdefault(profile.name, head)

    def put(self, turn: TurnRecord) -> None:
        """Add a turn, or replace what is known of it."""
        for index, known in enumerate(self._turns):
            if known.turn_id == turn.turn_id:
                self._turns[index] = turn
                return
        self._turns.append(turn)

    def turn(self, request_id: str) -> TurnRecord | None:
        """Find a turn by the front end's name for it."""
        return next((turn for turn in self._turns if turn.request_id == request_id), None)

    def messages(self) -> list[ChatMessage]:
        """Give the talk as a front end shows it, without the answer that is being made."""
        return [message for turn in self._turns for message in turn.messages()]

    def snapshot(self) -> SessionSnapshot:
        """Give the session as `sessionChanged` carries it."""
        return {"session_id": self.session_id, "messages": self.messages()}

    def require_idle(self, doing: str) -> None:
        """Refuse something that can't be done while an answer is being made.

        Raises:
            Busy: an answer is being made.
        """
        if self.stream is not None:
            raise Busy(f"An answer is still being made; press Stop or wait before {doing}.")

    def running(self, request_id: str) -> ActiveStream | None:
        """Return the stream of this name while it runs."""
        stream = self.stream
        return stream if stream is not None and stream.request_id == RequestId(request_id) else None


class ConversationBook:
    """All conversations of one workspace, restored from disk when they are first asked for.

    Args:
        history: where they are kept.
        files: what may be selected.
    """

    def __init__(self, history: History, files: Files) -> None:
        self._history = history
        self._files = files
        self._open: dict[Seat, Conversation] = {}
        self._opening = asyncio.Lock()

    @property
    def running(self) -> int:
        """How many answers are being made."""
        return sum(conversation.stream is not None for conversation in self._open.values())

    async def open(self, seat: Seat) -> Conversation:
        """Return the conversation at this seat: the session used last, with its selection.

        A seat aside begins with an empty one; so does any when the disk can't be read, and the
        log says why.
        """
        async with self._opening:
            if seat not in self._open:
                self._open[seat] = await self._restore(seat)
            return self._open[seat]

    async def select(self, conversation: Conversation, paths: Sequence[object]) -> list[RepoPath]:
        """Replace the selection by those of `paths` that are files, and keep it."""
        kept = await self._files.known(paths)
        conversation.selection = tuple(kept)
        if conversation.seat.aside:
            return kept
        try:
            await self._history.keep_selection(conversation.seat.identity, kept)
        except AcError as error:
            conversation.is_selection_kept = False
            log.warning("the selection is not kept: %s", error)
        else:
            conversation.is_selection_kept = True
        return kept

    async def new_session(self, conversation: Conversation) -> None:
        """Begin anew with nothing said; the selection stays.

        Raises:
            Busy: an answer is being made.
        """
        conversation.require_idle("beginning a new session")
        conversation.adopt(SessionRecord(new_session_id()))
        if conversation.seat.aside:
            return
        try:
            await self._history.start_session(conversation.seat.identity, conversation.session_id)
        except AcError as error:
            log.warning("the new session is not kept: %s", error)

    async def load(self, conversation: Conversation, session_id: str) -> None:
        """Go on with an earlier session of this person.

        Raises:
            Busy: an answer is being made.
            NotFound: the person has no such session here.
            AcError: the disk fails.
        """
        doing = "loading another session"
        conversation.require_idle(doing)
        session = await self._history.claim(conversation.seat, SessionId(session_id))
        if session is None:
            raise NotFound(f"There is no session {session_id[:64]!r} in your history here.")
        conversation.require_idle(doing)
        conversation.adopt(session)

    async def refresh(self, conversation: Conversation) -> bool:
        """Take over what other hosts have done to this conversation since; say whether they had.

        While an answer is being made here, nothing changes; its turn joins them by itself.
        """
        if conversation.stream is not None:
            return False
        before = conversation.session_id, conversation.revision
        try:
            session = await self._history.session(
                conversation.session_id, unless=conversation.revision
            )
        except AcError as error:
            log.warning("the history can't be read again: %s", error)
            return False
        now = conversation.session_id, conversation.revision
        if session is None or conversation.stream is not None or now != before:
            return False
        conversation.rejoin(session)
        return True

    async def refresh_selection(self, conversation: Conversation) -> bool:
        """Take over what another host has selected since; say whether it had."""
        before = conversation.selection
        if conversation.seat.aside or not conversation.is_selection_kept:
            return False
        try:
            found = tuple(await self._history.selection(conversation.seat.identity))
        except AcError as error:
            log.warning("the selection can't be read again: %s", error)
            return False
        if conversation.selection is not before or found == before:
            return False
        conversation.selection = found
        return True

    async def _restore(self, seat: Seat) -> Conversation:
        if seat.aside:
            return Conversation(seat)
        try:
            conversation = Conversation(seat, await self._history.latest(seat.identity))
            conversation.selection = tuple(await self._history.selection(seat.identity))
        except AcError as error:
            log.warning("the history can't be read: %s", error)
            return Conversation(seat)
        return conversation


def _fuller(mine: TurnRecord, theirs: TurnRecord) -> TurnRecord:
    """Choose between a turn as we know it and as the disk has it, which may have failed us."""
    is_lost = theirs.state is State.RUNNING or theirs.failure == INTERRUPTED
    return mine if is_lost and mine.state is not State.RUNNING else theirs
