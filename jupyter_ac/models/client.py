"""The client of the models worker: one request out, increments of text in.

Owns the values that describe a request and its outcome, and the translation of the worker's
errors into `ProviderError`s. Holds no conversation: a request says everything.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, cast

from jupyter_ac.errors import (
    ConnectionClosed,
    NotReady,
    ProviderAuth,
    ProviderBadRequest,
    ProviderContext,
    ProviderError,
    ProviderRateLimit,
    ProviderUnavailable,
    RemoteError,
    TimedOut,
)
from jupyter_ac.models.choice import EMBEDDED_MODEL
from jupyter_ac.workers.process import Worker
from jupyter_ac.workers.wire import CompletionWire, InfoWire, ListedModel, OutcomeWire

_GRACE_S: Final = 30.0
"""Added to the worker's own limits before the host gives up on the worker itself."""

_ERRORS: Final[Mapping[str, type[ProviderError]]] = {
    kind.type: kind
    for kind in (
        ProviderAuth,
        ProviderRateLimit,
        ProviderContext,
        ProviderUnavailable,
        ProviderBadRequest,
    )
}


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """One request to a model.

    Attributes:
        model: litellm's name, with the provider in front where it needs one.
        messages: `{"role", "content"}` in order; content is a string or a list of text
            parts, and of parts `{"type": "image_file", "path", "mime"}`, which the worker reads.
            The first may be the system message; the last is the turn that asks.
        max_tokens: length of the answer; None takes the model's own, within reason.
        api_base: another address than the provider's.
        env: variables on top of the host's environment, for this call (`env` of `llm.json`).
        cache: whether marks for the provider's prompt cache may be set.
        request_timeout_s: for the whole answer.
        first_chunk_timeout_s: from the request to the first sign of life.
        chunk_timeout_s: between two chunks.
        retries: how often a request that failed for a passing reason before the answer began is
            sent again, all within `request_timeout_s`.
        cache_min_tokens: marks are set from here on, when the provider's own least is smaller.
        cache_buffer_multiplier: how far above the least a prompt must be to be marked.
        passing_parts: at the end of the last message; the next request won't have them, so that
            no mark stands on them.
    """

    model: str
    messages: Sequence[Mapping[str, object]]
    max_tokens: int | None = None
    api_base: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    cache: bool = True
    request_timeout_s: float = 300.0
    first_chunk_timeout_s: float = 60.0
    chunk_timeout_s: float = 120.0
    retries: int = 0
    cache_min_tokens: int = 0
    cache_buffer_multiplier: float = 1.0
    passing_parts: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """What a request used; tokens as the provider counts them.

    Attributes:
        input_tokens: all tokens of the prompt, those served by the cache included.
        output_tokens: all tokens of the answer, those of its reasoning included.
        cache_read_tokens: part of the input that the provider's cache served.
        cache_write_tokens: part of the input that was written to the cache.
        cost_usd: None when the price isn't known.
        reasoning_tokens: part of the output that isn't shown.
        estimated: nobody has counted; a guess from the lengths of the texts, at the plain price.
    """

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cost_usd: float | None = None
    reasoning_tokens: int = 0
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class CompletedAnswer:
    """The whole answer.

    Attributes:
        text: exactly the increments that went to `on_text`, joined.
        finish_reason: `stop`, `length`, `content_filter`, … or None when the provider gave none.
        usage: tokens and cost.
        reasoning: what the model wrote before it answered; "" from most.
    """

    text: str
    finish_reason: str | None
    usage: Usage
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is known of a model without asking its provider.

    Attributes:
        max_input_tokens: size of the context window.
        max_output_tokens: longest answer.
        input_cost: USD for one token, or None when unknown.
        output_cost: the same for the answer.
        takes_cache_marks: whether the provider is sent marks for its prompt cache.
        known: False when the limits are guesses for a model that isn't listed.
        provider: litellm's word for it, "" when there is none.
        cache_minimum_tokens: shortest prompt that the provider's cache takes.
        takes_images: whether it sees images; taken for granted of a model that isn't listed.
    """

    max_input_tokens: int
    max_output_tokens: int
    input_cost: float | None
    output_cost: float | None
    takes_cache_marks: bool
    known: bool
    provider: str = ""
    cache_minimum_tokens: int = 1024
    takes_images: bool = True


@dataclass(frozen=True, slots=True)
class PromptProgress:
    """How far the embedded model has read the prompt, in tokens."""

    read: int
    total: int


@dataclass(frozen=True, slots=True)
class Retry:
    """A request failed for a passing reason and will be sent again.

    Attributes:
        attempt: which repetition comes, from 1.
        attempts: how many there may be.
        wait_s: until then.
        reason: what went wrong, in a sentence.
        error_type: the word of the error's `type`.
    """

    attempt: int
    attempts: int
    wait_s: float
    reason: str
    error_type: str = "provider_unavailable"


class ModelsClient:
    """Language models, asked through one worker process.

    Args:
        worker: a `Worker("models")`; it is started when needed and stays the caller's to close.
        catalogue: a `Worker("tokens")`, which knows listed models seconds before the other has
            loaded; None to ask the other always.
    """

    def __init__(self, worker: Worker, catalogue: Worker | None = None) -> None:
        self._worker = worker
        self._catalogue = catalogue
        self._known: dict[str, ModelInfo] = {}
        self._has_loaded = False
        self._listed: list[ListedModel] | None = None

    async def complete(
        self,
        request: CompletionRequest,
        on_text: Callable[[str], None],
        on_progress: Callable[[PromptProgress | Retry], None] | None = None,
        on_reasoning: Callable[[str], None] | None = None,
    ) -> CompletedAnswer:
        """Stream one answer.

        Cancelling the awaiting task closes the connection to the provider within a second.

        Args:
            request: what to ask.
            on_text: gets each increment, in order, on this loop; it must be quick.
            on_progress: gets how far the prompt is read, which only the embedded model says, and
                what is being waited for before the request is sent again.
            on_reasoning: gets the increments of the model's reasoning, from models that show it.

        Raises:
            ProviderError: one of its subclasses; what `on_text` got stays valid.
        """
        parts: list[str] = []
        thoughts: list[str] = []

        def receive(event: object) -> None:
            match event:
                case ["text", str(text)]:
                    parts.append(text)
                    on_text(text)
                case ["reasoning", str(text)]:
                    thoughts.append(text)
                    if on_reasoning is not None:
                        on_reasoning(text)
                case ["progress", int(read), int(total)] if on_progress is not None:
                    on_progress(PromptProgress(read, total))
                case ["retry", int(attempt), int(of), int() | float() as wait_s, *why]:
                    if on_progress is not None:
                        on_progress(Retry(attempt, of, wait_s, *map(str, why)))

        wire = _wire(request, progress=on_progress is not None)
        limit_s = request.request_timeout_s + _GRACE_S
        with _provider_errors():
            answer = await self._worker.run(
                "Models.complete", wire, on_event=receive, timeout_s=limit_s
            )
        outcome = cast("OutcomeWire", answer)
        usage = Usage(**outcome["usage"])
        return CompletedAnswer("".join(parts), outcome["finish_reason"], usage, "".join(thoughts))

    async def describe(self, model: str) -> ModelInfo:
        """Say what is known of `model`, from the list bundled with litellm; never asks a network.

        Raises:
            ProviderUnavailable: the worker can't answer.
        """
        info = self._known.get(model)
        if info is None:
            with _provider_errors():
                answer = None
                if self._catalogue is not None:
                    answer = await self._catalogue.call("Tokens.describe", model)
                if answer is None:
                    answer = await self._worker.call("Models.describe", model)
            info = ModelInfo(**cast("InfoWire", answer))
            self._known[model] = info
        return info

    async def catalogue(self) -> Sequence[ListedModel]:
        """Give the models for talk in the list bundled with litellm, by provider.

        Raises:
            ProviderUnavailable: the worker can't answer.
        """
        if self._listed is None and self._catalogue is not None:
            with _provider_errors():
                answer = await self._catalogue.call("Tokens.list_models")
            self._listed = cast("list[ListedModel]", answer)
        return self._listed or []

    async def load(self) -> None:
        """Wait until the worker has loaded the SDK; at once when it has once.

        Raises:
            ProviderUnavailable: the worker can't be started.
        """
        if not self._has_loaded:
            with _provider_errors():
                await self._worker.call("Models.load")
            self._has_loaded = True

    async def warm(self, request: CompletionRequest | None = None) -> None:
        """Start the worker and load the SDK, so that the first request leaves at once.

        Args:
            request: the kind of request to expect; its messages are not sent anywhere.

        Raises:
            ProviderUnavailable: the worker can't be started.
        """
        wire = None if request is None else _wire(request, progress=False)
        with _provider_errors():
            await self._worker.call("Models.warm", wire)


def _wire(request: CompletionRequest, *, progress: bool) -> CompletionWire:
    return {
        "model": request.model,
        "messages": [dict(message) for message in request.messages],
        "max_tokens": request.max_tokens,
        "api_base": request.api_base,
        "env": dict(request.env),
        "cache": request.cache,
        "progress": progress and request.model == EMBEDDED_MODEL,
        "request_timeout_s": request.request_timeout_s,
        "first_chunk_timeout_s": request.first_chunk_timeout_s,
        "chunk_timeout_s": request.chunk_timeout_s,
        "retries": request.retries,
        "cache_min_tokens": request.cache_min_tokens,
        "cache_buffer_multiplier": request.cache_buffer_multiplier,
        "passing_parts": request.passing_parts,
    }


@contextmanager
def _provider_errors() -> Iterator[None]:
    """Turn what goes wrong between here and the provider into `ProviderError`s."""
    try:
        yield
    except RemoteError as error:
        found = _ERRORS.get(error.remote_type)
        if found is None:
            raise ProviderUnavailable(f"the models worker failed: {error.message}") from error
        wait_s = error.data.get("retry_after") if isinstance(error.data, dict) else None
        raise found(error.message, wait_s) from error
    except ConnectionClosed as error:
        raise ProviderUnavailable(
            f"{error.message} during the request; ask again (it is started anew), or look into "
            "the log of the server"
        ) from error
    except (NotReady, TimedOut) as error:
        raise ProviderUnavailable(error.message) from error
