"""A page that shows a panel: what it has of the tree, and whether it keeps up."""

import logging
from typing import Final, Protocol

from jupyter_ac.errors import AcError
from jupyter_ac.services.panels.pending_changes import Change

BACKLOG_BYTES: Final = 64 * 1024
"""A page that has to read more than that is left out until it has read it."""

_logger = logging.getLogger(__name__)


class PageLink(Protocol):
    """The connection to a page; `Peer` is one."""

    @property
    def closed(self) -> bool:
        """Whether it has ended."""

    def queued_bytes(self) -> int:
        """Return how many bytes wait for the page to read."""

    def notify(self, method: str, /, *args: object) -> None:
        """Send a notification without waiting.

        Raises:
            AcError: it can't be sent.
        """


class PageView:
    """One page that shows one panel.

    Args:
        panel_id: the first argument of what it is sent.
        page: its connection.
        knows_moves: it can apply `moveBefore`.

    Attributes:
        knows_moves: as given.
        needs_tree: it has not got the tree, or has missed a change of it.
    """

    def __init__(self, panel_id: str, page: PageLink, *, knows_moves: bool) -> None:
        self.knows_moves = knows_moves
        self.needs_tree = True
        self._panel_id = panel_id
        self._page = page

    @property
    def is_behind(self) -> bool:
        """Whether the page has yet to read what it was sent."""
        return self._page.queued_bytes() > BACKLOG_BYTES

    @property
    def waits_for_tree(self) -> bool:
        """Whether it needs the tree and can take it now."""
        return self.needs_tree and not self._page.closed and not self.is_behind

    def show(self, change: Change) -> None:
        """Send a change, if the page keeps up and can apply it."""
        if self.is_behind:
            self.needs_tree = True
        elif change.is_tree:
            self.needs_tree = not self.tell(change.method, change.payload)
        elif not self.needs_tree:
            is_known = self.knows_moves or not change.has_moves
            self.needs_tree = not (is_known and self.tell(change.method, change.payload))

    def tell(self, name: str, *args: object) -> bool:
        """Send a notification; returns whether the page can have got it."""
        if self._page.closed or self.is_behind:
            return False
        try:
            self._page.notify(f"Panels.{name}", self._panel_id, *args)
        except AcError as error:
            _logger.warning("%s of a panel was not sent: %s", name, error.message)
            return False
        return True
