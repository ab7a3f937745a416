"""The stand-alone server's `POST /rpc`."""

import asyncio
from collections.abc import Awaitable
from http import HTTPStatus
from typing import Final

from tornado.http1connection import HTTP1Connection
from tornado.web import stream_request_body

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.assembly import allow_everything
from jupyter_ac.hosts.edge.post import Exchange, PostRequest, answer, refusal_of, refuse_early
from jupyter_ac.hosts.edge.request_body import HttpRefusal
from jupyter_ac.hosts.standalone.base_handler import LocalHandler
from jupyter_ac.hosts.standalone.socket import Served, require_same
from jupyter_ac.ids import ClientId
from jupyter_ac.rpc.context import Remote

DRAINED_BYTES: Final = 1 << 20
"""Of a refused body, read so that the client sees the answer and not a broken connection."""

DRAINED_TIMES: Final = 4
"""The same for who has shown the token: so many times what is allowed."""


@stream_request_body
class LocalPostHandler(LocalHandler):
    """One request; its body isn't read before the token was shown."""

    _posted: PostRequest | None = None
    _is_refused = False
    _is_gone = False
    _serving: "asyncio.Task[None] | None" = None

    def initialize(self, served: Served) -> None:
        """Take what the application passes to each request."""
        self._served = served

    def decode_argument(self, value: bytes, name: str | None = None) -> str:
        """Take a folder's name as it is, also when it is not UTF-8."""
        del name
        return value.decode("utf-8", "surrogateescape")

    def prepare(self) -> None:
        """Refuse who is a stranger, and what is no JSON, by the headers alone."""
        super().prepare()
        if self._finished:
            return
        if self.request.method != "POST":
            self.set_header("Allow", "POST")
            say = "Send JSON-RPC here by POST, or open a WebSocket."
            self.refuse_request(HTTPStatus.METHOD_NOT_ALLOWED, say)
            return
        self._limit_body(DRAINED_BYTES)
        try:
            self._check()
        except HttpRefusal as refusal:
            self._refuse_early(refusal)

    def data_received(self, chunk: bytes) -> None:
        """Gather the body."""
        if self._is_refused or self._posted is None:
            return
        try:
            self._posted.body.add(chunk)
        except HttpRefusal as refusal:
            self._refuse_early(refusal)

    async def post(self) -> None:
        """Carry out the calls and answer them."""
        if self._is_refused or self._posted is None:
            self.finish()
            return
        if self._connection is not None:
            self._served.admit(self._connection.stream)
        try:
            await answer(self, self._posted, self._serve)
        except HttpRefusal as refusal:
            self.refuse_with(refusal)
        except AcError as error:
            self.refuse_with(refusal_of(error))
        except asyncio.CancelledError:
            if not self._is_gone:
                raise

    def on_connection_close(self) -> None:
        """Stop the calls of a client that doesn't wait for their answers."""
        self._is_gone = True
        if self._serving is not None:
            self._serving.cancel()

    def _check(self) -> None:
        served = self._served
        self.demand_token(served.token)
        try:
            require_same(served.repository, self.get_query_argument("repo", "", strip=False))
        except AcError as error:
            raise refusal_of(error) from error
        most = served.connections.max_message_bytes
        self._limit_body(DRAINED_TIMES * most)
        self._posted = PostRequest.of(self, most)

    def _refuse_early(self, refusal: HttpRefusal) -> None:
        self._is_refused = True
        refuse_early(self, refusal)

    def _limit_body(self, most_bytes: int) -> None:
        if self._connection is not None:
            self._connection.set_max_body_size(most_bytes)

    @property
    def _connection(self) -> HTTP1Connection | None:
        connection = self.request.connection
        return connection if isinstance(connection, HTTP1Connection) else None

    def _serve(self, exchange: Exchange) -> Awaitable[None]:
        served = self._served
        remote = Remote(served.identity, ClientId(exchange.client), has_login=bool(served.token))
        self._serving = served.connections.serve_exchange(
            served.repository,
            exchange.transport,
            remote,
            allow_everything,
            exchange.profile,
            takes_events=exchange.takes_events,
        )
        return self._serving
