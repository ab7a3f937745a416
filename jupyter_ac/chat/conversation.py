"""One person's conversation about one repository, and the registry of all conversations."""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Final, Self

from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.history.mode_store import FocusStore
from jupyter_ac.chat.history.notebook_views import NotebookViewStore
from jupyter_ac.chat.history.page_store import PageStore
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.kept_context import KeptContext
from jupyter_ac.chat.records import Focus, SessionRecord, TurnPosition, new_session_id
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.errors import AcError, Busy, Conflict, NotFound
from jupyter_ac.ids import ConversationKey, Identity, RepoPath, RequestId, SessionId, context_name
from jupyter_ac.url_rows import UrlRow

if TYPE_CHECKING:
    from jupyter_ac.chat.context_items import ContextItem
    from jupyter_ac.chat.web_pages import WebPage
    from jupyter_ac.notebook.cell_selection import NotebookView

log = logging.getLogger(__name__)

MAX_EARLIER: Final = 5
MAX_OPENED: Final = 32
"""Conversations opened by their ids that stay in memory though no page shows them."""


class Conversation:
    """The state of one person's conversation, shared by all panels of one repository.

    Attributes:
        conversation_key: whose it is.
        selection: the ticked files, in the order in which they were ticked.
        by_program: those of the selection that the program has ticked, not the user; their ticks
            end with the conversation.
        pages: the web pages that were fetched, left out ones too.
        notebook_views: what the model is shown of notebooks; all cells without outputs of others.
        context_items: what the user has added to the next question.
        are_pages_kept: whether they are on disk, where other hosts see them.
        fetching: the web pages that are being fetched, by address.
        focus: what is worked on; always code aside of the panels.
        stream: the answer being made; None when there is none.
        side_streams: what else the model writes, such as the message of a commit.
        is_selection_kept: whether the selection is on disk, where other hosts see it.
    """

    def __init__(
        self, conversation_key: ConversationKey, session: SessionRecord | None = None
    ) -> None:
        self.conversation_key = conversation_key
        self.selection: tuple[RepoPath, ...] = ()
        self.by_program: frozenset[RepoPath] = frozenset()
        self.pages: Sequence[WebPage] = ()
        self.notebook_views: Mapping[RepoPath, NotebookView] = {}
        self.context_items: tuple[ContextItem, ...] = ()
        self.are_pages_kept = True
        self.fetching: dict[str, UrlRow] = {}
        self.focus = Focus()
        self.stream: ActiveStream | None = None
        self.side_streams: dict[RequestId, ActiveStream] = {}
        self.is_selection_kept = True
        self._session = Session(session or SessionRecord(new_session_id()))
        self._earlier: deque[Session] = deque(maxlen=MAX_EARLIER)

    @property
    def session(self) -> Session:
        """What is talked in."""
        return self._session

    @session.setter
    def session(self, session: Session) -> None:
        if self._session.turns:
            self._earlier.append(self._session)
        self._session = session

    @property
    def recent_sessions(self) -> list[Session]:
        """The session, and those before it whose edits may still be unsaved in open notebooks."""
        others = {known.session_id: known for known in self._earlier}
        others.pop(self._session.session_id, None)
        return [self._session, *others.values()]

    @property
    def url_rows(self) -> list[UrlRow]:
        """The web pages as front ends show them, also those that are being fetched."""
        rows = {page.url: page.row() for page in self.pages}
        return list((rows | self.fetching).values())

    @property
    def kept_as(self) -> Identity:
        """The name under which its ticks, mode, web pages and notebook views are kept on disk."""
        identity = self.conversation_key.identity
        if not self.conversation_key.opened:
            return identity
        return context_name(identity, self.session.session_id)

    @property
    def is_idle(self) -> bool:
        """Whether nothing runs in it, and nothing waits for its next question."""
        running = (self.stream, self.side_streams, self.fetching)
        return not (any(running) or self.context_items)

    @property
    def place(self) -> TurnPosition:
        """The position of the next turn."""
        return TurnPosition(self.conversation_key, self.session.session_id, self.session.revision)

    def as_if(
        self,
        selection: Sequence[RepoPath] | None = None,
        pages: "Sequence[WebPage] | None" = None,
    ) -> Self:
        """Return this conversation with other files or pages, to look at its next request."""
        other = copy(self)
        other.selection = self.selection if selection is None else tuple(selection)
        other.pages = self.pages if pages is None else tuple(pages)
        return other

    def require_idle(self, doing: str) -> None:
        """Refuse something that can't be done while an answer is being made.

        Raises:
            Busy: an answer is being made.
        """
        if self.stream is not None:
            raise Busy(f"An answer is still being made; press Stop or wait before {doing}.")

    def running(self, request_id: str) -> ActiveStream | None:
        """Return the stream of this name while it runs."""
        if self.stream is not None and self.stream.request_id == RequestId(request_id):
            return self.stream
        return self.side_streams.get(RequestId(request_id))


def no_session(session_id: str) -> NotFound:
    """Return the error for a session that isn't in a person's history."""
    return NotFound(f"There is no session {session_id[:64]!r} in your history here.")


Mend = Callable[[Session], Awaitable[None]]


async def _nothing_lost(_session: Session) -> None:
    pass


class ConversationRegistry:
    """All conversations of one workspace, restored from disk when they are first asked for.

    Args:
        history: the store of conversations.
        files: the files that may be selected.
        focuses: the store of modes (code or documents).
        pages: the store of web pages.
        views: the store of what is shown of notebooks.

    Attributes:
        mend: looks after what was lost in a session that is opened or read again.
        shown: returns the keys of the conversations that pages show; these stay in memory.
    """

    def __init__(
        self,
        history: HistoryStore,
        files: RepositoryFiles,
        focuses: FocusStore,
        pages: PageStore,
        views: NotebookViewStore,
    ) -> None:
        self._history = history
        self._files = files
        self._focuses = focuses
        self._context = KeptContext(history, focuses, pages, views, files)
        self._open: dict[ConversationKey, Conversation] = {}
        self._opening = asyncio.Lock()
        self.mend: Mend = _nothing_lost
        self.shown: Callable[[], Collection[ConversationKey]] = tuple

    def of(self, identity: Identity | None = None) -> list[Conversation]:
        """Return the conversations of a person that are open; None for everybody's."""
        opened = self._open.values()
        return [one for one in opened if identity in {None, one.conversation_key.identity}]

    async def open(
        self, conversation_key: ConversationKey, like: Conversation | None = None
    ) -> Conversation:
        """Return the conversation with this key, with its selection.

        It goes on from the session used last, under a new name unless another process is in that
        one. A conversation aside begins with an empty one; so does any when the disk can't be
        read, and the log says why. One that was opened by its id goes on from its own session.

        Args:
            conversation_key: which one.
            like: whose ticks, mode, web pages and notebook views an opened one begins with, when
                none are kept of its own.

        Raises:
            NotFound: an opened one's session isn't in the person's history.
            AcError: the disk fails; of an opened one only.
        """
        async with self._opening:
            if conversation_key not in self._open:
                self._open[conversation_key] = await self._restore(conversation_key, like)
                self._make_room()
            return self._open[conversation_key]

    async def select(
        self,
        conversation: Conversation,
        paths: Sequence[object],
        by_program: Collection[RepoPath] | None = None,
    ) -> list[RepoPath]:
        """Replace the selection by those of `paths` that are files, and keep it.

        Args:
            conversation: whose.
            paths: all that is ticked from now on.
            by_program: those that the program has ticked; None: of those that stay, as before.
        """
        kept = await self._files.known(paths)
        marked = conversation.by_program if by_program is None else by_program
        conversation.selection = tuple(kept)
        conversation.by_program = frozenset(marked).intersection(kept)
        await self._context.keep_ticks(conversation)
        return kept

    async def set_focus(self, conversation: Conversation, focus: Focus) -> None:
        """Work on something else from the next question on, and keep that.

        Raises:
            Busy: an answer is being made.
        """
        conversation.require_idle("changing the mode")
        conversation.focus = focus
        await self._context.keep_focus(conversation)

    async def unknown(self, paths: Sequence[object]) -> tuple[str, ...]:
        """Return the names among `paths` of which there is no file, or an excluded one."""
        names = dict.fromkeys(path for path in paths if isinstance(path, str))
        return tuple([name for name in names if not await self._files.known([name])])

    async def new_session(self, conversation: Conversation) -> None:
        """Start an empty session; the user's selection stays.

        Raises:
            Busy: an answer is being made.
        """
        conversation.require_idle("beginning a new conversation")
        conversation.session = Session(SessionRecord(new_session_id()))
        await self._end_program_ticks(conversation)
        if conversation.conversation_key.aside:
            return
        try:
            await self._history.start_session(
                conversation.conversation_key, conversation.session.session_id
            )
        except AcError as error:
            log.warning("the new session is not kept: %s", error)
        await self._context.keep_all(conversation)

    async def load(self, conversation: Conversation, session_id: str) -> None:
        """Go on with an earlier session of this person.

        Raises:
            Busy: an answer is being made.
            Conflict: another conversation beside this one shows it.
            NotFound: the person has no such session here.
            AcError: the disk fails.
        """
        doing = "loading another session"
        conversation.require_idle(doing)
        self._require_shown_nowhere(conversation, session_id)
        kept = await self._history.claim(conversation.conversation_key, SessionId(session_id))
        if kept is None:
            raise no_session(session_id)
        conversation.require_idle(doing)
        is_other = kept.session_id != conversation.session.session_id
        conversation.session = session = Session(kept)
        if is_other:
            await self._end_program_ticks(conversation)
            await self._context.keep_all(conversation)
        await self.mend(session)

    async def reopen(self, conversation: Conversation) -> None:
        """Read a conversation again after its history was trusted.

        One in which nothing was asked yet goes on from the session used last.

        Raises:
            Busy: an answer is being made.
            AcError: the disk fails.
        """
        conversation_key, session = conversation.conversation_key, conversation.session
        if session.turns or conversation_key.opened:
            kept = await self._history.claim(conversation_key, session.session_id)
        else:
            kept = await self._history.resume(conversation_key.identity, new_session_id())
        conversation.require_idle("reading the conversation again")
        if kept is not None and conversation.session is session:
            conversation.session = Session(kept)
            await self.mend(conversation.session)
        await self.refresh_selection(conversation)
        if not conversation_key.aside:
            conversation.focus = await self._focuses.read(conversation.kept_as)

    async def refresh(self, conversation: Conversation) -> bool:
        """Take over what other hosts have done to this conversation since; say whether they had.

        While an answer is being made here, nothing changes; its turn joins them by itself.
        """
        if conversation.stream is not None:
            return False
        session, revision = conversation.session, conversation.session.revision
        try:
            kept = await self._history.session(session.session_id, unless=revision)
        except AcError as error:
            log.warning("the history can't be read again: %s", error)
            return False
        is_same = conversation.session is session and session.revision == revision
        if kept is None or conversation.stream is not None or not is_same:
            return False
        session.rejoin(kept)
        await self.mend(session)
        return True

    async def refresh_selection(self, conversation: Conversation) -> bool:
        """Take over the files and web pages that another host has selected since.

        Returns:
            Whether there are other files.
        """
        return await self._context.refresh(conversation)

    async def _end_program_ticks(self, conversation: Conversation) -> None:
        """Untick what the program has ticked in the conversation that ends."""
        marked = conversation.by_program
        if marked:
            users = [path for path in conversation.selection if path not in marked]
            await self.select(conversation, users, ())

    async def _restore(
        self, conversation_key: ConversationKey, like: Conversation | None
    ) -> Conversation:
        if conversation_key.aside:
            return Conversation(conversation_key)
        if conversation_key.opened:
            return await self._restore_opened(conversation_key, like)
        try:
            kept = await self._history.resume(conversation_key.identity, new_session_id())
            conversation = Conversation(conversation_key, kept)
            await self._context.read(conversation)
        except AcError as error:
            log.warning("the history can't be read: %s", error)
            return Conversation(conversation_key)
        await self.mend(conversation.session)
        return conversation

    async def _restore_opened(
        self, conversation_key: ConversationKey, like: Conversation | None
    ) -> Conversation:
        first = conversation_key.first_session
        kept = await self._history.claim(conversation_key, first)
        if kept is None:
            raise no_session(first)
        conversation = Conversation(conversation_key, kept)
        await self._context.read(conversation, like)
        await self.mend(conversation.session)
        return conversation

    def _require_shown_nowhere(self, conversation: Conversation, session_id: str) -> None:
        if conversation.conversation_key.aside:
            return
        for other in self.of(conversation.conversation_key.identity):
            is_beside = other is not conversation and not other.conversation_key.aside
            if is_beside and other.session.session_id == session_id:
                raise Conflict("That conversation is open beside this one; go on with it there.")

    def _make_room(self) -> None:
        """Forget conversations that were opened by their ids, and that nobody needs."""
        opened = [each for key, each in self._open.items() if key.opened]
        shown = self.shown() if len(opened) > MAX_OPENED else ()
        newest = opened[-1:]
        idle = [
            each.conversation_key
            for each in opened
            if each.is_idle and each not in newest and each.conversation_key not in shown
        ]
        for key in idle[: max(0, len(opened) - MAX_OPENED)]:
            del self._open[key]
