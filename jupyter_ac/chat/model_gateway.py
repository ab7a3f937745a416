"""The gateway from turns to the language model: its choice, its limits, its answers."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from jupyter_ac.errors import NotReady, ProviderBadRequest
from jupyter_ac.models.choice import NO_MODEL_MESSAGE, ModelChoice
from jupyter_ac.models.client import (
    CompletedAnswer,
    CompletionRequest,
    ModelInfo,
    PromptProgress,
    Retry,
    Usage,
)
from jupyter_ac.models.providers import smaller_choice
from jupyter_ac.workers.wire import ASKED_ONCE, RequestOptions


class ModelClient(Protocol):
    """Language models by name; `jupyter_ac.models.client.ModelsClient` is one."""

    async def complete(
        self,
        request: CompletionRequest,
        on_text: Callable[[str], None],
        on_progress: Callable[[PromptProgress | Retry], None] | None = None,
        on_reasoning: Callable[[str], None] | None = None,
    ) -> CompletedAnswer:
        """Stream one answer; raises `ProviderError`."""

    async def describe(self, model: str) -> ModelInfo:
        """Say what is known of a model."""

    async def load(self) -> None:
        """Wait until a request would leave at once."""


@dataclass(frozen=True, slots=True)
class AnswerListener:
    """The callbacks while an answer is generated.

    Attributes:
        text: gets each increment.
        progress: gets how far the prompt is read, from models that report it, and each retry.
        reasoning: gets each increment of the model's reasoning, from models that show it.
    """

    text: Callable[[str], None]
    progress: Callable[[PromptProgress | Retry], None] | None = None
    reasoning: Callable[[str], None] | None = None


@dataclass(frozen=True, slots=True)
class AnswerWishes:
    """What a turn wants of a request besides its messages.

    Attributes:
        passing: parts at the end of the last message that the next request won't have.
        effort: how much the model reasons, see `CompletionRequest`.
        tools: that it may call.
    """

    passing: int = 0
    effort: str = ""
    tools: Sequence[Mapping[str, object]] = ()


NO_WISHES: Final = AnswerWishes()


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model is asked.

    Attributes:
        environment: variables for its provider, keys among them.
        max_output_tokens: a limit below the model's own; None: there is none.
        smaller_model: for side tasks; "" for the same model.
        requests: time limits, repetitions, and what is worth a mark for the prompt cache.
    """

    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    max_output_tokens: int | None = None
    smaller_model: str = ""
    requests: RequestOptions = ASKED_ONCE


@dataclass(frozen=True, slots=True)
class SideTaskResult:
    """The result of a side task.

    Attributes:
        text: the whole answer.
        usage: tokens and cost.
        finish_reason: the provider's word for why it ended; `length`: it was cut.
        model: who answered.
    """

    text: str
    usage: Usage
    finish_reason: str | None
    model: str


@dataclass(frozen=True, slots=True)
class CodeRequest:
    """A request for a completion of code.

    Attributes:
        messages: what is sent.
        suffix: what stands behind a gap, see `CompletionRequest`; None: the model talks.
        max_tokens: the longest answer.
    """

    messages: Sequence[Mapping[str, object]]
    suffix: str | None
    max_tokens: int


TOO_SMALL: Final = (
    "The demo model is too small for this task; set up another model, or name one for side tasks "
    "as smaller_model in llm.json."
)


class AnswerSource(Protocol):
    """Where the answer of a turn comes from: the models, or a recorded answer."""

    def choice(self) -> ModelChoice | None:
        """Say which model answers now, if there is one."""

    def require(self) -> ModelChoice:
        """Say which model answers now; raises `NotReady`."""

    async def info(self, choice: ModelChoice) -> ModelInfo:
        """Say what is known of the model."""

    async def load(self) -> None:
        """Wait until a request would leave at once; raises `ProviderUnavailable`."""

    async def complete(
        self,
        choice: ModelChoice,
        messages: Sequence[Mapping[str, object]],
        max_tokens: int | None,
        listener: AnswerListener,
        wishes: AnswerWishes = NO_WISHES,
    ) -> CompletedAnswer:
        """Stream one answer; raises `ProviderError`."""


_PLAIN: Final = ModelOptions()


def _plain_terms() -> ModelOptions:
    return _PLAIN


async def _nothing_new() -> None:
    pass


def _no_model() -> str:
    return NO_MODEL_MESSAGE


class ModelGateway:
    """The chosen model; the choice may change between two turns.

    Args:
        client: the models.
        choice: says which model answers now, None when there is none.
        terms: say how it is asked.
        embedded_base: starts the embedded model's server if need be, and gives its address.
        why_none: says in a sentence or two why there is no model, and what to do.
        renew: looks whether the choice has changed on disk; awaited before each turn.

    Attributes:
        side_task_done: called with each answer to a side task.
    """

    def __init__(
        self,
        client: ModelClient,
        choice: Callable[[], ModelChoice | None],
        terms: Callable[[], ModelOptions] = _plain_terms,
        embedded_base: Callable[[], Awaitable[str]] | None = None,
        why_none: Callable[[], str] = _no_model,
        renew: Callable[[], Awaitable[None]] = _nothing_new,
    ) -> None:
        self._client = client
        self._choice = choice
        self._terms = terms
        self._embedded_base = embedded_base
        self._why_none = why_none
        self.renew = renew
        self.side_task_done: Callable[[SideTaskResult], None] = _uncounted
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
        """Say what is known of the model, which is asked once for each, within our own limits."""
        if choice.model not in self._infos:
            self._infos[choice.model] = await self._client.describe(choice.model)
        info, most = self._infos[choice.model], self._terms().max_output_tokens
        if most is None or most >= info.max_output_tokens:
            return info
        return replace(info, max_output_tokens=most)

    async def load(self) -> None:
        """Wait until what asks the models has loaded; raises `ProviderUnavailable`."""
        await self._client.load()

    async def complete(
        self,
        choice: ModelChoice,
        messages: Sequence[Mapping[str, object]],
        max_tokens: int | None,
        listener: AnswerListener,
        wishes: AnswerWishes = NO_WISHES,
    ) -> CompletedAnswer:
        """Stream one answer.

        Args:
            choice: of the model.
            messages: of the request.
            max_tokens: the longest answer.
            listener: gets text and progress.
            wishes: what else the turn wants.

        Raises:
            ProviderError: one of its subclasses; the text that the listener got stays valid.
        """
        terms = self._terms()
        api_base = choice.api_base
        if api_base is None and choice.demo and self._embedded_base is not None:
            if listener.progress is not None:
                listener.progress(PromptProgress(0, 1))  # its server may need to start first
            api_base = await self._embedded_base()
        limits = [limit for limit in (max_tokens, terms.max_output_tokens) if limit is not None]
        request = CompletionRequest(
            model=choice.model,
            messages=messages,
            max_tokens=min(limits, default=None),
            api_base=api_base,
            env=terms.environment,
            passing_parts=wishes.passing,
            options=terms.requests,
            effort=wishes.effort,
            tools=tuple(wishes.tools),
        )
        return await self._client.complete(
            request, listener.text, listener.progress, listener.reasoning
        )

    def side_choice(self, name: str = "") -> ModelChoice:
        """Say which model does side tasks now.

        Args:
            name: of a model for this kind of task; "" for that of all side tasks.

        Raises:
            NotReady: there is none.
            ProviderBadRequest: it is the embedded model, which is too small for any task.
        """
        choice = smaller_choice(self.require(), name or self._terms().smaller_model)
        if choice.demo:
            raise ProviderBadRequest(TOO_SMALL)
        return choice

    async def ask(
        self,
        system: str,
        text: str,
        max_tokens: int,
        on_text: Callable[[str], None] | None = None,
    ) -> SideTaskResult:
        """Ask the model for side tasks; nothing is stored.

        The answer must be complete within the time limit for side tasks. Cancelling the awaiting
        task ends the request.

        Args:
            system: what to do.
            text: with what.
            max_tokens: the longest answer worth having.
            on_text: gets each increment; None: nobody follows.

        Raises:
            NotReady: there is no model.
            ProviderError: one of its subclasses; the embedded model is too small for any task.
        """
        terms = self._terms()
        choice = self.side_choice()
        most = terms.max_output_tokens or max_tokens
        request = CompletionRequest(
            model=choice.model,
            messages=[{"role": "system", "content": system}, {"role": "user", "content": text}],
            max_tokens=min(max_tokens, most),
            api_base=choice.api_base,
            env=terms.environment,
            cache=False,
            options=terms.requests.for_side_task(),
        )
        outcome = await self._client.complete(request, on_text or _unheard)
        result = SideTaskResult(outcome.text, outcome.usage, outcome.finish_reason, choice.model)
        self.side_task_done(result)
        return result

    async def complete_code(self, choice: ModelChoice, code: CodeRequest) -> SideTaskResult:
        """Ask once for what stands at the cursor; nothing is stored.

        Args:
            choice: of `side_choice`.
            code: what is sent.

        Raises:
            ProviderError: one of its subclasses.
        """
        terms = self._terms()
        most = terms.max_output_tokens or code.max_tokens
        request = CompletionRequest(
            model=choice.model,
            messages=code.messages,
            max_tokens=min(code.max_tokens, most),
            api_base=choice.api_base,
            env=terms.environment,
            passing_parts=1,
            options=replace(terms.requests.for_side_task(), num_retries=0),
            suffix=code.suffix,
        )
        outcome = await self._client.complete(request, _unheard)
        result = SideTaskResult(outcome.text, outcome.usage, outcome.finish_reason, choice.model)
        self.side_task_done(result)
        return result


def _uncounted(_answer: SideTaskResult) -> None:
    pass


def _unheard(_text: str) -> None:
    pass
