"""One request to a host, and its answer: a whole one, or a stream of events that ends with it."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import aclosing
from typing import Final

import httpx

from jupyter_ac.errors import ConnectionClosed, InvalidRequest, RemoteError, TimedOut
from jupyter_ac.http_client.endpoint import EVENT_STREAM, Endpoint, require_accepted, translated
from jupyter_ac.http_client.server_events import EventParser
from jupyter_ac.rpc.codec import decode, encode
from jupyter_ac.rpc.text_streams import DATA, END, START, StreamReceiver

PROGRESS: Final = "$/progress"
_OWN: Final = frozenset({START, DATA, END, PROGRESS})

Message = dict[str, object]


class Exchange:
    """Sends requests to one host.

    Args:
        endpoint: its addresses.
        session: sends them; not closed here.
        on_epoch: called with the epoch of each answer, also of those that are errors.
        on_progress: called with the params of each `$/progress`.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        session: httpx.AsyncClient,
        on_epoch: Callable[[int], None],
        on_progress: Callable[[Message], None],
    ) -> None:
        self._endpoint = endpoint
        self._session = session
        self._on_epoch = on_epoch
        self._on_progress = on_progress

    async def whole(self, message: Message, limit_s: float) -> object:
        """Send a call and return its result.

        Args:
            message: the call.
            limit_s: the longest time until the answer is there.

        Raises:
            RemoteError: the answer is an error.
            TimedOut: there is none in time.
            ConnectionClosed: the connection failed.
            AcError: the server refused the request.
        """
        name = str(message["method"])
        try:
            async with asyncio.timeout(limit_s), translated(name):
                response = await self._session.post(
                    self._endpoint.rpc, content=encode(message), headers=_HEADERS
                )
                await require_accepted(response)
        except TimeoutError as error:
            raise _timed_out(name, limit_s) from error
        return self._settle(message, decode(response.content))

    async def streamed(self, message: Message, limit_s: float) -> AsyncGenerator[str, None]:
        """Send a call and yield the parts of its text; returns when it was answered.

        `message` has its result under `result` then.

        Args:
            message: the call.
            limit_s: the longest time without a part or a report.

        Raises:
            Conflict: a part is missing.
            RemoteError: the answer is an error.
            TimedOut: nothing came in time.
            ConnectionClosed: the connection failed.
            AcError: the server refused the request.
        """
        receiver = StreamReceiver()
        async with aclosing(self._messages(message, limit_s)) as messages:
            async for came in messages:
                name, params = came.get("method"), came.get("params")
                if name is None and came.get("id") == message["id"]:
                    message["result"] = self._settle(message, came)
                    return
                if isinstance(params, dict) and name in _OWN:
                    text = self._take(receiver, str(name), params)
                    if text:
                        yield text
        raise ConnectionClosed(f"{message['method']}: the answer is missing")

    def _take(self, receiver: StreamReceiver, name: str, params: Message) -> str:
        match name:
            case "stream_start":
                receiver.start(params)
            case "stream_data":
                return receiver.data(params)
            case "stream_end":
                receiver.end(params)
            case _:
                self._on_progress(params)
        return ""

    async def _messages(self, message: Message, limit_s: float) -> AsyncGenerator[Message, None]:
        """Yield what comes; only what belongs to the call starts its time anew."""
        name = str(message["method"])
        clock = asyncio.get_running_loop().time
        latest_s = clock() + limit_s
        async with aclosing(self._received(message)) as received:
            while True:
                try:
                    async with asyncio.timeout_at(latest_s):
                        came = await anext(received, None)
                except TimeoutError as error:
                    raise _timed_out(name, limit_s) from error
                if came is None:
                    return
                if came.get("method") in _OWN:
                    latest_s = clock() + limit_s
                yield came

    async def _received(self, message: Message) -> AsyncGenerator[Message, None]:
        headers = {**_HEADERS, "Accept": EVENT_STREAM}
        parser = EventParser()
        async with (
            translated(str(message["method"])),
            self._session.stream(
                "POST", self._endpoint.rpc, content=encode(message), headers=headers
            ) as response,
        ):
            await require_accepted(response)
            async for chunk in response.aiter_bytes():
                for data in parser.feed(chunk):
                    came = decode(data)
                    if isinstance(came, dict):
                        yield came

    def _settle(self, message: Message, answer: object) -> object:
        """Return the result of an answer, and tell its epoch."""
        if not isinstance(answer, dict):
            raise InvalidRequest(f"{message['method']}: the answer is no JSON-RPC")
        epoch = answer.get("epoch")
        if isinstance(epoch, int) and not isinstance(epoch, bool):
            self._on_epoch(epoch)
        error = answer.get("error")
        if error is None:
            return answer.get("result")
        raise _failure(error if isinstance(error, Mapping) else {})


_HEADERS: Final = {"Content-Type": "application/json"}


def _failure(error: Mapping[str, object]) -> RemoteError:
    code, text = error.get("code"), error.get("message")
    return RemoteError(
        text if isinstance(text, str) else "The call failed.",
        code if isinstance(code, int | str) else 0,
        error.get("data"),
    )


def _timed_out(name: str, limit_s: float) -> TimedOut:
    return TimedOut(f"{name}: nothing came for {limit_s:g} s; ask for less, or allow more time.")
