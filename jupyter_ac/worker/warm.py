"""Warms up a worker, so that the first real request is as fast as later ones.

litellm and the SDKs load modules, build clients and read certificates for their first request,
which takes half a second. So small requests are sent to our own server on the loopback address,
which answers one word in the format of the expected provider. Nothing leaves the machine.
"""

import asyncio
import contextlib
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import litellm

from jupyter_ac.errors import AcError
from jupyter_ac.worker.completion import Completions
from jupyter_ac.worker.info import litellm_provider
from jupyter_ac.workers.wire import ASKED_ONCE, CompletionRequest

_LIMIT_S: Final = 10.0

_OPTIONS: Final = replace(
    ASKED_ONCE,
    request_timeout_seconds=_LIMIT_S,
    first_chunk_timeout_seconds=_LIMIT_S,
    chunk_timeout_seconds=_LIMIT_S,
)

_ROUTES: Final = {
    "openai": ("openai/warm", "/v1"),
    "anthropic": ("anthropic/claude-sonnet-4-5", ""),
}
"""Provider → a model whose request goes through the same code, and the path of its address."""

_LONG_ENOUGH: Final = "word " * 2000
"""Longer than the minimum prompt for cache marks."""


async def warm_up(completions: Completions, request: CompletionRequest | None) -> None:
    """Send warm-up requests for the provider of `request`, or for the common providers.

    Args:
        completions: the object to warm up.
        request: an example of the expected requests; its messages aren't used.
    """
    expected = litellm_provider(request.model) if request is not None else "anthropic"
    env: Mapping[str, str] = request.env if request is not None else {}
    server = await asyncio.start_server(_answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        for provider in dict.fromkeys(["openai", expected]):
            if provider in _ROUTES:
                with contextlib.suppress(AcError):
                    await completions.complete(_request(provider, port, env), _nowhere)
    if request is not None and expected not in _ROUTES:
        await _pretend(request.model)


def _request(provider: str, port: int, env: Mapping[str, str]) -> CompletionRequest:
    model, path = _ROUTES[provider]
    return CompletionRequest(
        model,
        [{"role": "user", "content": _LONG_ENOUGH}],
        max_tokens=1,
        api_base=f"http://127.0.0.1:{port}{path}",
        env=env,
        options=_OPTIONS,
    )


def _nowhere(_event: object) -> None:
    pass


async def _answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer any request with one word, as OpenAI or Anthropic would stream it."""
    with contextlib.suppress(OSError, asyncio.IncompleteReadError):
        path = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1]
        events = _ANTHROPIC if path.endswith(b"/messages") else _OPENAI
        data = "".join(f"data: {event}\n\n" for event in events).encode()
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n"
            b"content-length: %d\r\n\r\n%s" % (len(data), data)
        )
        await writer.drain()
    writer.close()


def _chunk(delta: dict[str, str], finish: str | None) -> str:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    shell = {"id": "warm", "object": "chat.completion.chunk", "created": 0, "model": "warm"}
    return json.dumps({**shell, "choices": [choice]})


_OPENAI: Final = [_chunk({"content": "ok"}, None), _chunk({}, "stop"), "[DONE]"]

_USAGE: Final = {"input_tokens": 1, "output_tokens": 1}
_STARTED: Final[dict[str, object]] = {
    "id": "warm",
    "type": "message",
    "role": "assistant",
    "content": [],
    "model": "warm",
    "stop_reason": None,
    "usage": _USAGE,
}
_ANTHROPIC: Final = [
    json.dumps(event)
    for event in (
        {"type": "message_start", "message": _STARTED},
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "text", "text": ""},
        },
        {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "text_delta", "text": "ok"},
        },
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": _USAGE},
        {"type": "message_stop"},
    )
]


async def _pretend(model: str) -> None:
    """Load litellm's modules for a provider whose format this server doesn't support."""
    messages = [{"role": "user", "content": "hello"}]
    with contextlib.suppress(Exception):
        stream = await litellm.acompletion(
            model=model, messages=messages, stream=True, mock_response="hello"
        )
        async for _ in stream:
            pass
