"""All that is recorded of one watched target, and all that can be done with it."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeAlias

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.console_log import ConsoleLog
from jupyter_ac.browser.element_selection import ElementSelection
from jupyter_ac.browser.filters import Filters
from jupyter_ac.browser.har import har_entry, har_log
from jupyter_ac.browser.network_log import NetworkLog, NetworkQuery
from jupyter_ac.browser.page_redaction import PageRedactor
from jupyter_ac.browser.request_details import request_details
from jupyter_ac.browser.row_ids import RowIds
from jupyter_ac.browser.target import Taker, Target
from jupyter_ac.errors import InvalidParams
from jupyter_ac.version import __version__

Act: TypeAlias = Callable[..., Awaitable[object]]

MAX_HAR: Final = 2000
"""Requests of an exported file; the newest."""


class WatchedPage:
    """One watched target. Belongs to one event loop.

    Args:
        target: the connection to it.
        row_ids: for its requests and messages.
        filters: the repository's.
        on_change: called when `state` has changed; returns at once.
    """

    def __init__(
        self,
        target: Target,
        row_ids: RowIds,
        filters: Filters,
        on_change: Callable[[], None],
    ) -> None:
        self._target = target
        self._filters = filters
        self._on_change = on_change
        self._redactor = PageRedactor()
        self._requests = NetworkLog(row_ids, target=target.id, redactor=self._redactor)
        self._console = ConsoleLog(row_ids, target=target.id, redactor=self._redactor)
        self._elements: ElementSelection | None = None
        self._actions: Mapping[str, Act] = {
            "clear": self._clear,
            "network": self._network,
            "request": self._request,
            "console": self._list_messages,
            "export_har": self._export_har,
        }

    def takers(self, session: CdpSession) -> tuple[Taker, ...]:
        """Return what takes the events of one of the target's sessions."""
        session_id = session.session_id

        def record(method: str, params: Json) -> None:
            self._requests.take(method, params, session_id)
            self._console.take(method, params, session_id)
            self._on_change()

        return (record,)

    async def act(self, action: str, arguments: Json) -> object:
        """Do something with the target; the host has checked the arguments.

        Raises:
            AcError: as the action says.
        """
        act = self._actions.get(action)
        if act is None:
            raise InvalidParams(f"There is no action {action[:50]!r}.")
        return await act(**arguments)

    def end(self) -> None:
        """The target has gone."""
