"""`GET /events` of the stand-alone server: the state of the conversation as Server-Sent Events."""

from contextlib import AsyncExitStack

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.edge.event_stream import (
    EventStream,
    as_refusal,
    close_connection,
    connection_of,
    open_stream,
    read_request,
)
from jupyter_ac.hosts.edge.request_body import HttpRefusal
from jupyter_ac.hosts.standalone.base_handler import LocalHandler
from jupyter_ac.hosts.standalone.socket import Served, require_same
from jupyter_ac.rpc.context import Remote


class LocalEventsHandler(LocalHandler):
    """One client that follows the state."""

    _events: EventStream | None = None

    def initialize(self, served: Served) -> None:
        """Take what the application passes to each request."""
        self._served = served

    def decode_argument(self, value: bytes, name: str | None = None) -> str:
        """Take a folder's name as it is, also when it is not UTF-8."""
        del name
        return value.decode("utf-8", "surrogateescape")

    async def get(self) -> None:
        """Send the state, and then each change, to who shows the token."""
        served = self._served
        async with AsyncExitStack() as following:
            try:
                self.demand_token(served.token)
                asked = read_request(self)
                require_same(served.repository, self.get_query_argument("repo", "", strip=False))
                remote = Remote(served.identity)
                feed = await following.enter_async_context(
                    served.connections.follow(served.repository, remote)
                )
            except (AcError, HttpRefusal) as error:
                self._refuse(as_refusal(error))
                return
            stream = connection_of(self)
            if stream is not None:
                served.admit(stream)
            self._events = open_stream(self, feed, asked)
            await self._events.run()
            close_connection(self)

    def on_connection_close(self) -> None:
        """Note that the client has gone."""
        if self._events is not None:
            self._events.end()

    def _refuse(self, refusal: HttpRefusal) -> None:
        for name, value in refusal.headers.items():
            self.set_header(name, value)
        self.set_header("Cache-Control", "no-store")
        self.refuse_request(refusal.status, refusal.sentence)
