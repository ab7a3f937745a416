"""One streamed answer from litellm: request, increments, usage, errors."""

import asyncio
import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final

import litellm
import tiktoken

from jupyter_ac.errors import ProviderAuth, ProviderError
from jupyter_ac.worker.cache_control import with_marks, without_marks
from jupyter_ac.worker.deltas import PAUSE_S, DeltaBuffer
from jupyter_ac.worker.environment import CallEnvironment
from jupyter_ac.worker.failures import (
    CallFacts,
    is_passing,
    missing_key,
    pause_s,
    provider_error,
    too_late,
)
from jupyter_ac.worker.filling import fill_gap
from jupyter_ac.worker.images import with_images
from jupyter_ac.worker.info import answer_limit, describe
from jupyter_ac.worker.tokens import count_tokens
from jupyter_ac.worker.tool_calls import SIGNING_FAMILIES, ToolCallCollector, without_thinking
from jupyter_ac.worker.usage import estimate_usage, prompt_size, read_usage
from jupyter_ac.workers.redaction import hidden_in
from jupyter_ac.workers.wire import (
    MAX_ANSWER_CHARS,
    TOO_LONG,
    CompletionOutcome,
    CompletionRequest,
    Usage,
)

Emit = Callable[[object], None]
"""Sends an event to the host: `["text", increment]`, `["reasoning", increment]`,
`["progress", read, total]` or `["retry", attempt, attempts, wait_s, reason, error_type]`."""

_KEYLESS: Final = "no-key"
"""Placeholder key for the user's own server that needs none, because the SDKs require a key."""

_PLAIN_KEY: Final = "_API_KEY"

_TABLE: Final = "cl100k_base"
"""Counts fewer tokens than the tokenizers of the models that take marks."""


@dataclass(slots=True)
class _Reply:
    """The part of an answer received so far."""

    characters: int = 0
    thought: int = 0
    finish_reason: str | None = None
    reported: object = None
    has_begun: bool = False
    calls: ToolCallCollector = field(default_factory=ToolCallCollector)


class _Parts:
    """Sends increments of the answer and the reasoning, each joined, in the order of arrival."""

    def __init__(self, emit: Emit) -> None:
        self._text = DeltaBuffer(lambda text: emit(["text", text]))
        self._reasoning = DeltaBuffer(lambda text: emit(["reasoning", text]))

    def say(self, text: str) -> None:
        self._reasoning.flush()
        self._text.add(text)

    def think(self, text: str) -> None:
        self._text.flush()
        self._reasoning.add(text)

    def flush(self) -> None:
        self._text.flush()
        self._reasoning.flush()


class Completions:
    """Sends completion requests to models.

    Args:
        environment: shared by all requests of the process.
    """

    def __init__(self, environment: CallEnvironment) -> None:
        self._environment = environment

    async def complete(self, request: CompletionRequest, emit: Emit) -> CompletionOutcome:
        """Stream one answer; if it is empty, and the request had marks, retry without marks.

        Raises:
            ProviderError: one of its subclasses.
        """
        request = await asyncio.to_thread(with_images, request)
        async with self._environment.applied(request.env):
            arguments, facts, marks = prepare(request)
        if request.suffix is not None:
            return await fill_gap(request, arguments, facts, self._environment, emit)
        reply = await self._persist(request, arguments, facts, emit)
        is_empty = not reply.characters and not reply.thought and not reply.calls.has_any
        if marks and is_empty and reply.finish_reason in {"stop", None}:
            arguments["messages"] = without_marks(request.messages)
            reply = await self._persist(request, arguments, facts, emit)
        return CompletionOutcome(
            reply.finish_reason,
            _usage(request, reply),
            tuple(reply.calls.calls()),
            tuple(reply.calls.thinking()),
        )

    async def _persist(
        self,
        request: CompletionRequest,
        arguments: Mapping[str, object],
        facts: CallFacts,
        emit: Emit,
    ) -> _Reply:
        """Retry the request after a transient failure before the start of the answer."""
        loop = asyncio.get_running_loop()
        end = loop.time() + request.options.request_timeout_seconds
        for attempt in range(1, request.options.num_retries + 1):
            try:
                return await self._attempt(request, arguments, facts, emit)
            except _PassingError as passing:
                wait_s = pause_s(attempt, passing.error.retry_after_s)
                if loop.time() + wait_s >= end:
                    raise passing.error from passing
                reason = f"{passing.error.message.partition(': ')[0]}."
                kind = passing.error.type
                emit(["retry", attempt, request.options.num_retries, wait_s, reason, kind])
            await asyncio.sleep(wait_s)
        try:
            return await self._attempt(request, arguments, facts, emit)
        except _PassingError as passing:
            raise passing.error from passing

    async def _attempt(
        self,
        request: CompletionRequest,
        arguments: Mapping[str, object],
        facts: CallFacts,
        emit: Emit,
    ) -> _Reply:
        reply = _Reply()
        parts = _Parts(emit)
        limit_s = request.options.request_timeout_seconds
        try:
            async with asyncio.timeout(limit_s) as limit:
                async with aclosing(self._chunks(request, arguments, emit)) as chunks:
                    await _read(chunks, request, reply, parts)
        except _TooLateError as late:
            raise too_late(facts, late.what, late.waited_s) from late
        except Exception as error:
            if limit.expired():
                raise too_late(facts, "did not finish within", limit_s) from error
            raised = provider_error(error, facts, has_begun=reply.has_begun)
            if not reply.has_begun and is_passing(error, raised):
                raise _PassingError(raised) from error
            raise raised from error
        finally:
            parts.flush()
        return reply

    async def _chunks(
        self, request: CompletionRequest, arguments: Mapping[str, object], emit: Emit
    ) -> AsyncGenerator[object, None]:
        """Yield the chunks; closing the generator closes the connection at any point."""
        stream = None
        try:
            async with self._environment.applied(request.env):
                stream = await litellm.acompletion(**arguments)
                if request.progress:
                    stream.completion_stream = _emit_progress(stream.completion_stream, emit)
                first = await anext(stream, None)
            if first is not None:
                yield _as_sent(first, stream)
            async for chunk in stream:
                _forget_text(stream)
                yield _as_sent(chunk, stream)
        finally:
            if stream is not None:
                await stream.aclose()


def prepare(request: CompletionRequest) -> tuple[dict[str, object], CallFacts, int]:
    """Return litellm's arguments, the facts for an error's text, and the number of marks.

    Raises:
        ProviderAuth: the key is missing, and the provider requires one.
    """
    model, api_base = request.model, request.api_base
    info = describe(model)
    secrets = tuple(hidden_in(request.env))
    facts = CallFacts(model, info.provider, api_base, info.max_input_tokens, secrets)
    messages, marks = without_marks(request.messages), 0
    if not info.provider.startswith(SIGNING_FAMILIES):
        messages = without_thinking(messages)
    if request.cache and info.takes_cache_marks:
        table = tiktoken.get_encoding(_TABLE)
        least = max(info.cache_minimum_tokens, request.options.cache_min_tokens)
        minimum = int(least * request.options.cache_buffer_multiplier)
        passing = request.passing_parts
        messages, marks = with_marks(
            messages, minimum, lambda text: count_tokens(table, text), passing
        )
    arguments: dict[str, object] = {
        "model": model,
        "messages": messages,
        "max_tokens": request.max_tokens or answer_limit(info),
        "stream": True,
        "stream_options": {"include_usage": True},
        "timeout": request.options.request_timeout_seconds,
        "num_retries": 0,
        "max_retries": 0,
        "drop_params": True,
    }
    if api_base:
        arguments["api_base"] = api_base
    if _lacks_key(facts):
        if not api_base:
            raise ProviderAuth(missing_key(facts))
        arguments["api_key"] = _KEYLESS
    if request.effort and info.takes_effort:
        arguments["reasoning_effort"] = request.effort
    if request.tools:
        arguments["tools"] = list(request.tools)
        # Without it, litellm looks for the `mcp` package with every request that has tools.
        arguments["_skip_mcp_handler"] = True
    if request.progress:
        arguments["extra_body"] = {"return_progress": True}
    return arguments, facts, marks


def _lacks_key(facts: CallFacts) -> bool:
    """Return whether a plain key is missing; other kinds of credentials can't be checked here."""
    if os.environ.get(facts.key_name) == "":
        return True
    missing = litellm.validate_environment(facts.model).get("missing_keys") or []
    if not missing or not all(str(name).endswith(_PLAIN_KEY) for name in missing):
        return False
    # For some providers litellm also reads variables that its own check doesn't know.
    return not (facts.provider and litellm.get_llm_provider(facts.model)[2])


class _TooLateError(Exception):
    """A time limit passed without data."""

    def __init__(self, what: str, waited_s: float) -> None:
        super().__init__(what, waited_s)
        self.what = what
        self.waited_s = waited_s


class _PassingError(Exception):
    """A transient failure of the request."""

    def __init__(self, error: ProviderError) -> None:
        super().__init__(error)
        self.error = error


_NO_REASON: Final = "Stream ended before a finish_reason was received"


async def _read(
    chunks: AsyncIterator[object], request: CompletionRequest, reply: _Reply, parts: _Parts
) -> None:
    loop = asyncio.get_running_loop()
    limit_s = request.options.first_chunk_timeout_seconds
    paused_at = loop.time()
    while True:
        try:
            async with asyncio.timeout(limit_s) as limit:
                chunk = await anext(chunks, None)
        except TimeoutError as error:
            if limit.expired():
                what = "sent nothing more for" if reply.has_begun else "did not answer within"
                raise _TooLateError(what, limit_s) from error
            raise
        except Exception as error:
            # litellm from 1.110 on raises where a stream ends without a reason: the answer is cut.
            if _NO_REASON not in str(error):
                raise
            return
        if chunk is None:
            return
        reply.has_begun = True
        limit_s = request.options.chunk_timeout_seconds
        _take(chunk, reply, parts)
        if max(reply.characters, reply.thought) >= MAX_ANSWER_CHARS:
            reply.finish_reason = TOO_LONG
            return
        if loop.time() - paused_at > PAUSE_S:
            # Chunks that have arrived are read without waiting, so other tasks would never run.
            await asyncio.sleep(0)
            paused_at = loop.time()


def _take(chunk: object, reply: _Reply, parts: _Parts) -> None:
    reply.reported = getattr(chunk, "usage", None) or reply.reported
    for choice in getattr(chunk, "choices", ()):
        # litellm gives the reasoning of every provider under this name.
        thought = getattr(choice.delta, "reasoning_content", None)
        if thought:
            thought = thought[: MAX_ANSWER_CHARS - reply.thought]
            reply.thought += len(thought)
            parts.think(thought)
        text = getattr(choice.delta, "content", None)
        if text:
            text = text[: MAX_ANSWER_CHARS - reply.characters]
            reply.characters += len(text)
            parts.say(text)
        reply.calls.take(choice.delta)
        reply.finish_reason = getattr(choice, "finish_reason", None) or reply.finish_reason


def _as_sent(chunk: object, stream: object) -> object:
    """Return a chunk without the "stop" that litellm adds at the end of any stream.

    Otherwise a connection that is closed early looks like a complete answer.
    """
    names = ("received_finish_reason", "intermittent_finish_reason")
    if all(getattr(stream, name, "") is None for name in names):
        for choice in getattr(chunk, "choices", ()):
            choice.finish_reason = None
    return chunk


def _forget_text(stream: object) -> None:
    """Drop the chunks that litellm collects, except for those with usage.

    At the end of the stream it would build the whole answer from them again.
    """
    collected = getattr(stream, "chunks", None)
    if isinstance(collected, list):
        collected[:] = [chunk for chunk in collected if getattr(chunk, "usage", None) is not None]


async def _emit_progress(chunks: AsyncIterator[object], emit: Emit) -> AsyncIterator[object]:
    """Yield llama.cpp's chunks, and send the host their progress in reading the prompt."""
    try:
        async for chunk in chunks:
            progress = getattr(chunk, "prompt_progress", None)
            if isinstance(progress, dict):
                emit(["progress", progress.get("processed", 0), progress.get("total", 0)])
            yield chunk
    finally:
        close = getattr(chunks, "close", None)
        if close is not None:
            await close()


def _usage(request: CompletionRequest, reply: _Reply) -> Usage:
    if reply.reported is None:
        written = reply.characters + reply.thought + reply.calls.characters
        return estimate_usage(prompt_size(request.messages), written)
    return read_usage(request.model, reply.reported)
