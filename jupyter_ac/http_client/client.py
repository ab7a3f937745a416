"""The client: calls that keep the epoch and are sent again, the state, and what may be called."""

import asyncio
import logging
import secrets
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from typing import Final, Literal, Self

from jupyter_ac.errors import AcError, Conflict, MethodNotFound, RemoteError
from jupyter_ac.http_client.endpoint import Endpoint
from jupyter_ac.http_client.exchange import Exchange, Message
from jupyter_ac.http_client.retrying import TRIES, Pauses, acts, is_stale, may_pass, ordered_pause_s
from jupyter_ac.http_client.state_feed import State, StateFeed
from jupyter_ac.rpc.messages import VERSION
from jupyter_ac.rpc.signatures import AUTH, sign

_logger = logging.getLogger(__name__)

TIMEOUT_S: Final = 30.0
DISCOVER: Final = "rpc.discover"

Params = Mapping[str, object] | list[object] | None
Happening = Literal["state", "progress", "error"]
Callback = Callable[..., object]

_UNKNOWN: Final = frozenset({MethodNotFound.code, "METHOD_NOT_FOUND"})
_PAUSES: Final = Pauses()


class HttpClient:
    """A client of one host; an async context manager, or `connect` and `aclose`.

    It knows the epoch of the page that the host debugs: it takes it from every answer and every
    state, sends it with its calls, and sends a call that came too late once more.

    Args:
        url: of the host, see `endpoint.Endpoint`; its query may have `token`, `repo`, `client`.
        token: of the host; overrides that of the address.
        hmac_key: signs the calls, see docs/settings.md; at least 32 bytes.
        timeout_s: the longest time for an answer, and between two parts of a stream.
        pauses: how it waits between two attempts.

    Raises:
        InvalidParams: `url` is no address of a host.
    """

    def __init__(
        self,
        url: str,
        token: str | None = None,
        hmac_key: bytes | None = None,
        *,
        timeout_s: float = TIMEOUT_S,
        pauses: Pauses = _PAUSES,
    ) -> None:
        endpoint = Endpoint(url, token)
        self._session = endpoint.session()
        self._exchange = Exchange(
            endpoint, self._session, self._adopt, lambda params: self._tell("progress", params)
        )
        self._feed = StateFeed(endpoint, self._session, pauses, self._forget_epoch, self._changed)
        self._hmac_key = hmac_key
        self._timeout_s = timeout_s
        self._pauses = pauses
        self._epoch = 0
        self._state: State = {}
        self._methods: Mapping[str, object] = {}
        self._callbacks: dict[Happening, list[Callback]] = {}
        self._following: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        try:
            await self.connect()
        except BaseException:
            await self.aclose()
            raise
        return self

    async def __aexit__(self, *_raised: object) -> None:
        await self.aclose()

    @property
    def state(self) -> State:
        """The state that the host told last, as in seed 003; {} before the first one."""
        return self._state

    @property
    def epoch(self) -> int:
        """The epoch that is sent with calls; 0 while none is known, and then none is sent."""
        return self._epoch

    async def connect(self) -> None:
        """Ask for the methods, follow the state, and wait for the first one.

        A host that doesn't tell its state, or its methods, can be called all the same. Calls need
        no `connect`.

        Raises:
            AcError: the host can't be reached, or refuses the client.
        """
        try:
            found = await self.call(DISCOVER)
        except RemoteError as error:
            if error.remote_code not in _UNKNOWN:
                raise
            found = None
        methods = found.get("methods") if isinstance(found, dict) else None
        self._methods = methods if isinstance(methods, dict) else {}
        if self._following is None:
            self._following = asyncio.create_task(self._follow(), name="the state of a host")
        await self._feed.settled.wait()

    async def aclose(self) -> None:
        """End the stream of states, and the connections."""
        if self._following is not None:
            self._following.cancel()
            await asyncio.wait({self._following})
        await self._session.aclose()

    def on(self, happening: Happening, callback: Callback) -> Callable[[], None]:
        """Call back whenever something happens; returns what ends it.

        Args:
            happening: "state", with the whole state; "progress", with `{token, value}` of a call
                that is streamed; "error", with the `AcError` that ended the stream of states.
            callback: a plain function; called on the event loop.
        """
        callbacks = self._callbacks.setdefault(happening, [])
        callbacks.append(callback)

        def end() -> None:
            if callback in callbacks:
                callbacks.remove(callback)

        return end

    def can_call(self, method: str) -> bool:
        """Return whether the host has a method and allows it in its present state."""
        rules = self._methods.get(method)
        if not isinstance(rules, dict):
            return False
        required = rules.get("requires_state")
        return not required or self._state.get("connectionState") in required

    canCall = can_call

    async def call(
        self,
        method: str,
        params: Params = None,
        *,
        timeout_s: float | None = None,
        idempotency_key: str | None = None,
    ) -> object:
        """Call a method and return its result.

        A call that failed for a reason that may pass is sent again, at most three times in all:
        reading methods as they are, all others with a key by which the host does them once.

        Args:
            method: its name.
            params: by name or by position.
            timeout_s: the longest time for an answer, after which the host stops the call; None:
                the client's.
            idempotency_key: calls with the same key are done once within ten minutes; None: the
                client makes one.

        Raises:
            RemoteError: the answer is an error, with `remote_code` (a string where seed 003 has
                one), `remote_type` and `data`.
            TimedOut: there was no answer in time.
            ConnectionClosed: the connection failed.
            AcError: the host refused the request.
        """
        message = self._message(method, params)
        key = idempotency_key
        if key is None and not self._may_repeat(method):
            key = uuid.uuid4().hex
        if key is not None:
            message["idempotency_key"] = key
        limit_s = self._timeout_s if timeout_s is None else timeout_s
        tried = 1
        while True:
            try:
                return await self._attempt(message, limit_s)
            except AcError as error:
                if tried == TRIES or not may_pass(error):
                    raise
                ordered_s = ordered_pause_s(error)
            await self._pauses.sleep(self._pauses.length_s(tried - 1, ordered_s))
            tried += 1

    def stream(
        self, method: str, params: Params = None, *, timeout_s: float | None = None
    ) -> "StreamedCall":
        """Call a method that answers with a stream of text; see `StreamedCall`.

        Args:
            method: its name.
            params: by name or by position.
            timeout_s: the longest time without a part or a report of progress; None: the client's.
        """
        message = self._prepared(self._message(method, params), self._epoch)
        limit_s = self._timeout_s if timeout_s is None else timeout_s
        return StreamedCall(message, self._exchange.streamed(message, limit_s))

    def _message(self, method: str, params: Params) -> Message:
        message: Message = {"jsonrpc": VERSION, "method": method, "id": uuid.uuid4().hex}
        if params is not None:
            message["params"] = params if isinstance(params, list) else dict(params)
        return message

    def _prepared(self, message: Message, epoch: int) -> Message:
        """Return a call as it is sent: with the epoch, and signed."""
        sent = {**message, "epoch": epoch} if epoch else dict(message)
        if self._hmac_key is not None:
            nonce = secrets.token_hex(16)
            sent[AUTH] = sign(self._hmac_key, sent, int(time.time()), nonce)
        return sent

    async def _attempt(self, message: Message, limit_s: float) -> object:
        """Send a call, and once more if its epoch was an old one and it doesn't act in a page."""
        try:
            return await self._exchange.whole(self._prepared(message, self._epoch), limit_s)
        except RemoteError as error:
            if not is_stale(error) or acts(str(message["method"])):
                raise
            epoch = _present_epoch(error, self._epoch)
        return await self._exchange.whole(self._prepared(message, epoch), limit_s)

    def _may_repeat(self, method: str) -> bool:
        rules = self._methods.get(method)
        return method == DISCOVER or (isinstance(rules, dict) and rules.get("access") == "read")

    async def _follow(self) -> None:
        self._tell("error", await self._feed.run())

    def _adopt(self, epoch: int) -> None:
        self._epoch = epoch

    def _forget_epoch(self) -> None:
        # Another host may have taken the place of the one that counted it.
        self._epoch = 0

    def _changed(self, state: State) -> None:
        self._state = state
        epoch = state.get("epoch")
        if isinstance(epoch, int) and not isinstance(epoch, bool):
            self._adopt(epoch)
        self._tell("state", state)

    def _tell(self, happening: Happening, value: object) -> None:
        for callback in tuple(self._callbacks.get(happening, ())):
            try:
                callback(value)
            except Exception:
                _logger.exception("a callback for %r failed", happening)


class StreamedCall:
    """The answer of a call as it is written: iterate once over the parts of its text.

    The call is sent when the iteration begins. It is never sent again by itself: its first parts
    may have been shown already. Iterating raises what `HttpClient.call` raises, and `Conflict` when
    a part got lost on the way.
    """

    def __init__(self, message: Message, parts: AsyncGenerator[str, None]) -> None:
        self._message = message
        self._parts = parts

    async def __aiter__(self) -> AsyncIterator[str]:
        async with aclosing(self._parts) as parts:
            async for part in parts:
                yield part

    @property
    def result(self) -> object:
        """The call's result.

        Raises:
            Conflict: the iteration has not come to the end.
        """
        if "result" not in self._message:
            raise Conflict("The result is there when all parts have been read.")
        return self._message["result"]


def _present_epoch(error: RemoteError, known: int) -> int:
    """Return the epoch of the call's own target, which may not be the page."""
    found = error.data.get("current_epoch") if isinstance(error.data, dict) else None
    return found if isinstance(found, int) and not isinstance(found, bool) else known
