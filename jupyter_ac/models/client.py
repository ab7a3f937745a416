"""Client of the models worker: sends a request, receives the answer in increments.

Defines the values of an answer, and translates the worker's errors to
`ProviderError`s. Stateless: a request contains the whole conversation.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
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
from jupyter_ac.workers.wire import (
    CompletionOutcome,
    CompletionRequest,
    ListedModel,
    ModelInfo,
    ServedModels,
    ServedModelsRequest,
    ToolCall,
    Usage,
    decoded_record,
)

__all__ = [
    "CompletedAnswer",
    "CompletionRequest",
    "ModelInfo",
    "ModelsClient",
    "PromptProgress",
    "Retry",
    "Usage",
]

_GRACE_S: Final = 30.0
"""Added to the worker's own time limits before the host gives up on the worker itself."""

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
class CompletedAnswer:
    """A complete answer.

    Attributes:
        text: exactly the increments passed to `on_text`, joined.
        finish_reason: `stop`, `length`, `content_filter`, … or None if the provider gave none.
        usage: tokens and cost.
        reasoning: the model's reasoning before the answer; "" for most models.
        calls: of tools.
        thinking: signed parts of the reasoning, which go back with the results of the calls.
    """

    text: str
    finish_reason: str | None
    usage: Usage
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    thinking: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class PromptProgress:
    """Progress of the embedded model in reading the prompt, in tokens."""

    read: int
    total: int


@dataclass(frozen=True, slots=True)
class Retry:
    """A temporary failure, after which the request will be sent again.

    Attributes:
        attempt: number of the coming retry, from 1.
        attempts: maximum number of retries.
        wait_s: delay before it.
        reason: what failed, as a sentence.
        error_type: the error's `type`.
    """

    attempt: int
    attempts: int
    wait_s: float
    reason: str
    error_type: str = "provider_unavailable"


class ModelsClient:
    """Access to language models through one worker process.

    Args:
        worker: a `Worker("models")`; started when needed, closed by the caller.
        catalogue: a `Worker("tokens")`, which can describe listed models seconds before the other
            one has loaded; None to use always the other.
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
            request: the request.
            on_text: callback for each increment, in order, on this loop; must be fast.
            on_progress: callback for progress in reading the prompt (embedded model only) and for
                waits before a retry.
            on_reasoning: callback for increments of the model's reasoning, if it shows it.

        Raises:
            ProviderError: one of its subclasses; text already passed to `on_text` stays valid.
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

        progress = on_progress is not None and request.model == EMBEDDED_MODEL
        request = replace(request, progress=progress)
        limit_s = request.options.request_timeout_seconds + _GRACE_S
        with _provider_errors():
            answer = await self._worker.run(
                "Models.complete", request, on_event=receive, timeout_s=limit_s
            )
        outcome = decoded_record(CompletionOutcome, answer)
        return CompletedAnswer(
            "".join(parts),
            outcome.finish_reason,
            outcome.usage,
            "".join(thoughts),
            tuple(ToolCall(*call) for call in outcome.calls),
            tuple(outcome.thinking),
        )

    async def describe(self, model: str) -> ModelInfo:
        """Describe a model from the list bundled with litellm; no network access.

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
            info = decoded_record(ModelInfo, answer)
            self._known[model] = info
        return info

    async def catalogue(self) -> Sequence[ListedModel]:
        """Return the chat models in the list bundled with litellm, by provider.

        Raises:
            ProviderUnavailable: the worker can't answer.
        """
        if self._listed is None and self._catalogue is not None:
            with _provider_errors():
                answer = await self._catalogue.call("Tokens.list_models")
            self._listed = cast("list[ListedModel]", answer)
        return self._listed or []

    async def served(self, request: ServedModelsRequest) -> ServedModels:
        """Ask a server which models it has.

        Raises:
            ProviderError: it can't be reached, refuses, or has no list; says what to do.
        """
        with _provider_errors():
            answer = await self._worker.run(
                "Models.served", request, on_event=lambda _: None, timeout_s=_GRACE_S
            )
        return decoded_record(ServedModels, answer)

    async def load(self) -> None:
        """Wait until the worker has loaded the SDK; returns immediately if it has.

        Raises:
            ProviderUnavailable: the worker can't be started.
        """
        if not self._has_loaded:
            with _provider_errors():
                await self._worker.call("Models.load")
            self._has_loaded = True

    async def warm(self, request: CompletionRequest | None = None) -> None:
        """Start the worker and load the SDK, to reduce the latency of the first request.

        Args:
            request: an example of the expected request; its messages are not sent.

        Raises:
            ProviderUnavailable: the worker can't be started.
        """
        with _provider_errors():
            await self._worker.call("Models.warm", request)


@contextmanager
def _provider_errors() -> Iterator[None]:
    """Translate errors of the worker and the provider to `ProviderError`s."""
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
            f"{error.message} during the request; try again (it is restarted), or check "
            "the log of the server"
        ) from error
    except (NotReady, TimedOut) as error:
        raise ProviderUnavailable(error.message) from error
