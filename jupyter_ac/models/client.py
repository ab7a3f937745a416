"""The client of the models worker: one request out, increments of text in.

Owns the values that describe an answer, and the translation of the worker's errors into
`ProviderError`s. Holds no conversation: a request says everything.
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

        progress = on_progress is not None and request.model == EMBEDDED_MODEL
        request = replace(request, progress=progress)
        limit_s = request.options.request_timeout_seconds + _GRACE_S
        with _provider_errors():
            answer = await self._worker.run(
                "Models.complete", request, on_event=receive, timeout_s=limit_s
            )
        outcome = decoded_record(CompletionOutcome, answer)
        return CompletedAnswer(
            "".join(parts), outcome.finish_reason, outcome.usage, "".join(thoughts)
        )

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
            info = decoded_record(ModelInfo, answer)
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
        with _provider_errors():
            await self._worker.call("Models.warm", request)


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
