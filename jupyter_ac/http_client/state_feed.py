"""Follows a host's state by Server-Sent Events, and connects again when they end."""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Final

import httpx

from jupyter_ac.errors import AcError, ConnectionClosed
from jupyter_ac.http_client.endpoint import (
    CONNECT_S,
    EVENT_STREAM,
    Endpoint,
    require_accepted,
    translated,
)
from jupyter_ac.http_client.retrying import Pauses, may_pass, ordered_pause_s
from jupyter_ac.http_client.server_events import EventParser

_logger = logging.getLogger(__name__)

SILENT_S: Final = 90.0
"""Three times the longest pause between two keep-alive comments of a server."""

State = dict[str, object]


class StateFeed:
    """The state of a host as it was told last.

    Args:
        endpoint: the host's addresses.
        session: sends the requests; not closed here.
        pauses: between two attempts.
        on_open: called when the stream begins, also again.
        on_state: called with each state.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        session: httpx.AsyncClient,
        pauses: Pauses,
        on_open: Callable[[], None],
        on_state: Callable[[State], None],
    ) -> None:
        self._endpoint = endpoint
        self._session = session
        self._pauses = pauses
        self._on_open = on_open
        self._on_state = on_state
        self._tried = 0
        self.settled = asyncio.Event()
        """Set when the first state is there, or the first attempt has failed."""

    async def run(self) -> AcError:
        """Follow until the server refuses for good; returns its reason."""
        while True:
            try:
                error = await self._attempt()
            finally:
                self.settled.set()
            if not may_pass(error):
                return error
            _logger.debug("%s; it is opened again", error)
            length_s = self._pauses.length_s(self._tried, ordered_pause_s(error))
            self._tried += 1
            await self._pauses.sleep(length_s)

    async def _attempt(self) -> AcError:
        try:
            async with translated("events"):
                await self._follow()
        except AcError as error:
            return error
        return ConnectionClosed("the stream of events has ended")

    async def _follow(self) -> None:
        parser = EventParser()
        timeout = httpx.Timeout(SILENT_S, connect=CONNECT_S)
        headers = {"Accept": EVENT_STREAM}
        address = self._endpoint.events
        async with self._session.stream("GET", address, headers=headers, timeout=timeout) as answer:
            await require_accepted(answer)
            self._on_open()
            async for chunk in answer.aiter_bytes():
                for data in parser.feed(chunk):
                    self._take(data)

    def _take(self, data: str) -> None:
        try:
            state = json.loads(data)
        except (ValueError, RecursionError):
            _logger.warning("an event that is no JSON is skipped")
            return
        if isinstance(state, dict):
            self._tried = 0
            self._on_state(state)
            self.settled.set()
