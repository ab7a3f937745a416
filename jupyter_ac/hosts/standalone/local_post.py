"""The stand-alone server's `POST /rpc`."""

from asyncio import Task
from http import HTTPStatus
from typing import Final

from tornado.http1connection import HTTP1Connection
from tornado.web import stream_request_body

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.assembly import allow_everything
from jupyter_ac.hosts.edge.post import Exchange, PostDoor, refusal_of
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

    _door: PostDoor | None = None

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
        self._door = PostDoor(self)
        try:
            self._check(self._door)
        except HttpRefusal as refusal:
            self._door.refuse(refusal)

    def data_received(self, chunk: bytes) -> None:
        """Gather the body."""
        if self._door is not None:
            self._door.receive(chunk)

    async def post(self) -> None:
        """Carry out the calls and answer them."""
        if self._door is not None:
            await self._door.answer(self._serve)

    def on_connection_close(self) -> None:
        """Stop the calls of a client that doesn't wait for their answers."""
        if self._door is not None:
            self._door.leave()

    def _check(self, door: PostDoor) -> None:
        served = self._served
        self.demand_token(served.token)
        try:
            require_same(served.repository, self.get_query_argument("repo", "", strip=False))
        except AcError as error:
            raise refusal_of(error) from error
        most = served.connections.max_message_bytes
        self._limit_body(DRAINED_TIMES * most)
        door.begin(most)

    def _limit_body(self, most_bytes: int) -> None:
        if self._connection is not None:
            self._connection.set_max_body_size(most_bytes)

    @property
    def _connection(self) -> HTTP1Connection | None:
        connection = self.request.connection
        return connection if isinstance(connection, HTTP1Connection) else None

    async def _serve(self, exchange: Exchange) -> Task[None]:
        served = self._served
        if self._connection is not None:
            served.admit(self._connection.stream)
        remote = Remote(served.identity, ClientId(exchange.client), has_login=bool(served.token))
        return served.connections.serve_exchange(
            served.repository,
            exchange.transport,
            remote,
            allow_everything,
            exchange.profile,
            takes_events=exchange.takes_events,
        )
