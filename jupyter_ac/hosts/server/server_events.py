"""`{base_url}jupyter-ac/events`: the state of a conversation as Server-Sent Events."""

import asyncio
from contextlib import AsyncExitStack

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from tornado.web import authenticated

from jupyter_ac.errors import AcError
from jupyter_ac.git.repository import Repository
from jupyter_ac.hosts.connections import Connections
from jupyter_ac.hosts.edge.event_stream import (
    EventStream,
    as_refusal,
    close_connection,
    open_stream,
    read_request,
)
from jupyter_ac.hosts.edge.request_body import HttpRefusal
from jupyter_ac.hosts.server.access import (
    AUTH_RESOURCE,
    AllowedFolders,
    check_nonce,
    identity_of,
)
from jupyter_ac.rpc.context import Remote


class JupyterEventsHandler(APIHandler):
    """One client that follows the state; the authorizer is asked for `read`."""

    auth_resource = AUTH_RESOURCE

    # A client that only looks on is no reason to keep the server alive.
    _track_activity = False

    _events: EventStream | None = None

    def initialize(self, connections: Connections, territory: AllowedFolders) -> None:
        """Take what the extension passes to each request."""
        self._connections = connections
        self._territory = territory

    def decode_argument(self, value: bytes, name: str | None = None) -> str:
        """Take a folder's name as it is, also when it is not UTF-8."""
        del name
        return value.decode("utf-8", "surrogateescape")

    def set_cors_headers(self) -> None:
        """Let no other site's page read it; Jupyter would, for a request that shows the token."""

    @authenticated
    @authorized
    async def get(self) -> None:
        """Send the state, and then each change."""
        async with AsyncExitStack() as following:
            try:
                asked = read_request(self)
                self._connections.require_stream_room()
                repository = await self._repository()
                remote = Remote(identity_of(self))
                feed = await following.enter_async_context(
                    self._connections.follow(repository, remote)
                )
            except (AcError, HttpRefusal) as error:
                await self._refuse(as_refusal(error))
                return
            self._events = open_stream(self, feed, asked)
            await self._events.run()
            close_connection(self)

    def on_connection_close(self) -> None:
        """Note that the client has gone."""
        if self._events is not None:
            self._events.end()

    async def _repository(self) -> Repository:
        asked = self.get_query_argument("repo", None, strip=False)
        repository = await self._territory.repository(asked)
        nonce = self.get_query_argument("nonce", "")
        if nonce:
            await asyncio.to_thread(check_nonce, repository, nonce)
        return repository

    async def _refuse(self, refusal: HttpRefusal) -> None:
        """Answer as `HTTPError` would; that logs the URL, which may hold the token."""
        for name, value in refusal.headers.items():
            self.set_header(name, value)
        self.set_header("Cache-Control", "no-store")
        self.set_status(refusal.status)
        await self.finish({"message": refusal.sentence, "reason": None})
