"""Keeps on disk what a conversation sends with its questions: ticks, mode, pages, notebook views.

Each conversation keeps it under its own name (`Conversation.kept_as`), which is the person's for
the one that all panels show. One aside keeps nothing. What the disk refuses is only logged: the
conversation goes on with what is in memory.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Protocol

from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.chat.history.mode_store import FocusStore
from jupyter_ac.chat.history.notebook_views import NotebookViewStore
from jupyter_ac.chat.history.page_store import PageStore
from jupyter_ac.chat.history.store import HistoryStore
from jupyter_ac.chat.records import Focus, Ticks
from jupyter_ac.chat.web_pages import WebPage
from jupyter_ac.errors import AcError
from jupyter_ac.ids import ConversationKey, Identity, RepoPath
from jupyter_ac.notebook.cell_selection import NotebookView

log = logging.getLogger(__name__)


class HasContext(Protocol):
    """A conversation, as far as this module looks at it; see `Conversation`."""

    conversation_key: ConversationKey
    selection: tuple[RepoPath, ...]
    by_program: frozenset[RepoPath]
    focus: Focus
    pages: Sequence[WebPage]
    notebook_views: Mapping[RepoPath, NotebookView]
    is_selection_kept: bool
    are_pages_kept: bool

    @property
    def kept_as(self) -> Identity:
        """The name under which all of it is kept on disk."""


class KeptContext:
    """What the conversations of one workspace send with their questions, on disk.

    Args:
        history: keeps the ticks.
        focuses: keeps the modes (code or documents).
        pages: keeps the web pages.
        views: keeps what is shown of notebooks.
        files: tells which are excluded and not ticked any more, whatever is on disk.
    """

    def __init__(
        self,
        history: HistoryStore,
        focuses: FocusStore,
        pages: PageStore,
        views: NotebookViewStore,
        files: RepositoryFiles,
    ) -> None:
        self._files = files
        self._history, self._focuses = history, focuses
        self._pages, self._views = pages, views

    async def read(self, conversation: HasContext, like: HasContext | None = None) -> None:
        """Take over what is kept.

        Args:
            conversation: whose.
            like: another one, whose context it gets when no ticks are kept of its own.

        Raises:
            AcError: the disk fails.
        """
        kept_as = conversation.kept_as
        none_kept = Ticks()
        ticks = await self._history.selection(kept_as, none_kept)
        if ticks is none_kept and like is not None:
            await self._copy(like, conversation)
            return
        conversation.selection, conversation.by_program = ticks.paths, ticks.by_program
        conversation.focus = await self._focuses.read(kept_as)
        conversation.pages = await self._pages.read(kept_as)
        conversation.notebook_views = await self._views.read(kept_as)
        await self._untick_excluded(conversation)

    async def keep_ticks(self, conversation: HasContext) -> None:
        """Keep the ticks."""
        if conversation.conversation_key.aside:
            return
        ticks = Ticks(conversation.selection, conversation.by_program)
        try:
            await self._history.keep_selection(conversation.kept_as, ticks)
        except AcError as error:
            conversation.is_selection_kept = False
            log.warning("the selection is not kept: %s", error)
        else:
            conversation.is_selection_kept = True

    async def keep_focus(self, conversation: HasContext) -> None:
        """Keep the mode."""
        if conversation.conversation_key.aside:
            return
        try:
            await self._focuses.keep(conversation.kept_as, conversation.focus)
        except AcError as error:
            log.warning("the mode is not kept: %s", error)

    async def keep_all(self, conversation: HasContext) -> None:
        """Keep everything again, since an opened conversation has gone on to another session."""
        if not conversation.conversation_key.opened:
            return
        kept_as = conversation.kept_as
        await self.keep_ticks(conversation)
        await self.keep_focus(conversation)
        try:
            await self._pages.keep(kept_as, conversation.pages)
            for path, view in conversation.notebook_views.items():
                await self._views.keep(kept_as, path, view)
        except AcError as error:
            log.warning("the web pages and cells of a conversation are not kept: %s", error)

    async def refresh(self, conversation: HasContext) -> bool:
        """Take over the files and web pages that another host has selected or excluded since.

        Returns:
            Whether there are other files.
        """
        is_other = await self._take_over(conversation)
        try:
            return await self._untick_excluded(conversation) or is_other
        except AcError as error:
            log.warning("which files are excluded can't be read: %s", error)
            return is_other

    async def _take_over(self, conversation: HasContext) -> bool:
        before, marked = conversation.selection, conversation.by_program
        if conversation.conversation_key.aside or not conversation.is_selection_kept:
            return False
        kept_as, pages = conversation.kept_as, conversation.pages
        try:
            found = await self._history.selection(kept_as)
            found_pages = await self._pages.read(kept_as)
        except AcError as error:
            log.warning("the selection can't be read again: %s", error)
            return False
        if conversation.kept_as != kept_as:
            return False
        if conversation.are_pages_kept and conversation.pages is pages and found_pages != pages:
            conversation.pages = found_pages
        if conversation.selection is not before or found == Ticks(before, marked):
            return False
        conversation.selection, conversation.by_program = found.paths, found.by_program
        return True

    async def _untick_excluded(self, conversation: HasContext) -> bool:
        """Untick files that are excluded now, and links to such files; keep that.

        Returns:
            whether there were any.

        Raises:
            AcError: which files are excluded can't be known.
        """
        excluded = await self._files.excluded()
        links = await self._files.links_to(conversation.selection, excluded)
        left = [path for path in excluded.sent(conversation.selection) if path not in links]
        if len(left) == len(conversation.selection):
            return False
        conversation.selection = tuple(left)
        conversation.by_program = conversation.by_program.intersection(conversation.selection)
        await self.keep_ticks(conversation)
        return True

    async def _copy(self, like: HasContext, conversation: HasContext) -> None:
        users = [path for path in like.selection if path not in like.by_program]
        conversation.selection, conversation.focus = tuple(users), like.focus
        conversation.pages, conversation.notebook_views = like.pages, like.notebook_views
        await self.keep_all(conversation)
