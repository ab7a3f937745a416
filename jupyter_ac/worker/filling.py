"""Fills a gap in a text by a model that continues texts: one request, without a stream."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Final

import litellm

from jupyter_ac.worker.environment import CallEnvironment
from jupyter_ac.worker.failures import CallFacts, provider_error, too_late
from jupyter_ac.worker.usage import estimate_usage, prompt_size, read_usage
from jupyter_ac.workers.wire import MAX_ANSWER_CHARS, CompletionOutcome, CompletionRequest

_OF_TALK: Final = frozenset({"messages", "stream", "stream_options"})


async def fill_gap(
    request: CompletionRequest,
    arguments: Mapping[str, object],
    facts: CallFacts,
    environment: CallEnvironment,
    emit: Callable[[object], None],
) -> CompletionOutcome:
    """Ask once; the text goes out as one event.

    Args:
        request: with a suffix.
        arguments: litellm's, for a talk.
        facts: for an error's text.
        environment: shared by all requests of the process.
        emit: sends the text to the host.

    Raises:
        ProviderError: one of its subclasses.
    """
    limit_s = request.options.request_timeout_seconds
    plain = {name: value for name, value in arguments.items() if name not in _OF_TALK}
    prompt = str(request.messages[0]["content"])
    try:
        async with asyncio.timeout(limit_s) as limit, environment.applied(request.env):
            answer = await litellm.atext_completion(
                **plain, prompt=prompt, suffix=request.suffix, stream=False
            )
    except Exception as error:
        if limit.expired():
            raise too_late(facts, "did not finish within", limit_s) from error
        raise provider_error(error, facts, has_begun=False) from error
    choice = next(iter(answer.choices), None)
    text = (getattr(choice, "text", None) or "")[:MAX_ANSWER_CHARS]
    if text:
        emit(["text", text])
    reported = getattr(answer, "usage", None)
    usage = (
        estimate_usage(prompt_size(request.messages) + len(request.suffix or ""), len(text))
        if reported is None
        else read_usage(request.model, reported)
    )
    return CompletionOutcome(getattr(choice, "finish_reason", None), usage)
