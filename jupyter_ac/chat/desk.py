"""The one place where a turn meets the language model: which one, its limits, its answers."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from jupyter_ac.errors import NotReady
from jupyter_ac.models.choice import NO_MODEL_MESSAGE, ModelChoice
from jupyter_ac.models.client import Completion, ModelInfo, Outcome, Progress


class ModelClient(Protocol):
    """Language models by name; `jupyter_ac.models.client.Models` is one."""

    async def complete(
        self,
        request: Completion,
        on_text: Callable[[str], None],
        on_progress: Callable[[Progress], None] | None = None,
    ) -> Outcome:
        """Stream one answer; raises `ProviderError`."""

    async def describe(self, model: str) -> ModelInfo:
        """Say what is known of a model."""

    async def load(self) -> None:
        """Wait until a request would leave at once."""


@dataclass(frozen=True, slots=True)
class Listener:
    """What is told while an answer is made.

    Attributes:
        text: gets each increment.
        progress: gets how far the prompt is read, from models that say so.
    """

    text: Callable[[str], None]
    progress: Callable[[Progress], None] | None = None


def _no_env() -> Mapping[str, str]:
    return {}


def _no_model() -> str:
    return NO_MODEL_MESSAGE


class ModelDesk:
    """The chosen model; the choice may change between two turns.

    Args:
        client: the models.
        choice: says which model answers now, None when there is none.
        environment: variables for the model's provider, such as keys.
        embedded_base: starts the embedded model's server if need be, and gives its address.
        why_none: says in a sentence or two why there is no model, and what to do.
    """

    def __init__(
        self,
        client: ModelClient,
        choice: Callable[[], ModelChoice | None],
        environment: Callable[[], Mapping[str, str]] = _no_env,
        embedded_base: Callable[[], Awaitable[str]] | None = None,
        why_none: Callable[[], str] = _no_model,
    ) -> None:
        self._client = client
        self._choice = choice
        self._environment = environment
        self._embedded_base = embedded_base
        self._why_none = why_none
        self._infos: dict[str, ModelInfo] = {}

    def choice(self) -> ModelChoice | None:
        """Say which model answers now."""
        return self._choice()

    def absence(self) -> str:
        """Say why no model answers now; "" when one does."""
        return "" if self._choice() is not None else self._why_none()

    def require(self) -> ModelChoice:
        """Say which model answers now.

        Raises:
            NotReady: there is none; the message says what to set.
        """
        choice = self._choice()
        if choice is None:
            raise NotReady(self._why_none())
        return choice

    async def info(self, choice: ModelChoice) -> ModelInfo:
        """Say what is known of the model; asked once for each."""
        if choice.model not in self._infos:
            self._infos[choice.model] = await self._client.describe(choice.model)
        return self._infos[choice.model]

    async def load(self) -> None:
        """Wait until what asks the models has loaded; raises `ProviderUnavailable`."""
        await self._client.load()

    async def complete(
        self,
        choice: ModelChoice,
        messages: Sequence[Mapping[str, object]],
        max_tokens: int | None,
        listener: Listener,
    ) -> Outcome:
        """Stream one answer.

        Raises:
            ProviderError: one of its subclasses; what the listener got stays valid.
        """
        api_base = choice.api_base
        if api_base is None and choice.demo and self._embedded_base is not None:
            if listener.progress is not None:
                listener.progress(Progress(0, 1))  # its server may have to start first
            api_base = await self._embedded_base()
        request = Completion(
            model=choice.model,
            messages=messages,
            max_tokens=max_tokens,
            api_base=api_base,
            env=self._environment(),
        )
        return await self._client.complete(request, listener.text, listener.progress)
