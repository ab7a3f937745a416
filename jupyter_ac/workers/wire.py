"""The messages between the host and the models worker, and how records are decoded from them.

Frozen dataclasses are encoded as JSON objects as they are; the other end rebuilds them with
`decoded_record`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass, replace
from typing import TYPE_CHECKING, Final, Self, TypedDict, TypeVar, get_origin, get_type_hints

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Record = TypeVar("Record", bound="DataclassInstance")

EMBEDDED_NAME: Final = "SmolLM2-135M-Instruct"
"""The embedded demo model, as its server and we call it."""

EMBEDDED_CONTEXT: Final = 8192
"""Its context window, in tokens."""

MAX_ANSWER_CHARS: Final = 2_000_000
"""Characters of one answer, and of its reasoning: four times what a model of our day can write."""

TOO_LONG: Final = "too_long"
"""The finish reason of an answer that was stopped there."""

_SECONDS: Final = {"least": 1, "most": 86_400}


@dataclass(frozen=True, slots=True)
class RequestOptions:
    """Options of requests to models, with the names that they have in `llm.json`.

    It travels whole from the settings to the worker, so that a further option is a field here and
    its use. The metadata of a field is its rule and its texts in the settings.
    """

    num_retries: int = field(
        default=4,
        metadata={
            "title": "Retries",
            "about": "How often a request that failed for a passing reason before the answer began "
            "is sent again, all within the time for a whole answer.",
            "least": 0,
            "most": 100,
        },
    )
    request_timeout_seconds: float = field(
        default=300.0,
        metadata={
            "title": "Time for a whole answer",
            "about": "In seconds.",
            **_SECONDS,
        },
    )
    first_chunk_timeout_seconds: float = field(
        default=60.0,
        metadata={
            "title": "Time until an answer begins",
            "about": "In seconds, from the request to the first sign of life.",
            **_SECONDS,
        },
    )
    chunk_timeout_seconds: float = field(
        default=120.0,
        metadata={
            "title": "Time between two parts of an answer",
            "about": "In seconds.",
            **_SECONDS,
        },
    )
    aux_request_timeout_seconds: float = field(
        default=60.0,
        metadata={
            "title": "Time for a short task",
            "about": "In seconds, for a whole answer of the smaller model.",
            **_SECONDS,
        },
    )
    cache_min_tokens: int = field(
        default=1024,
        metadata={
            "title": "Shortest cached prompt",
            "about": "In tokens; a shorter prompt is not marked for the provider's cache, unless "
            "the model's own minimum is higher.",
            "least": 0,
            "most": 10_000_000,
        },
    )
    cache_buffer_multiplier: float = field(
        default=1.1,
        metadata={
            "title": "Margin for cached prompts",
            "about": "Factor for that minimum, since our count of tokens only approximates the "
            "provider's.",
            "least": 1,
            "most": 100,
        },
    )

    def for_side_task(self) -> Self:
        """Return these options with the time limit of side tasks for the whole answer."""
        limit_s = self.aux_request_timeout_seconds
        return replace(
            self,
            request_timeout_seconds=limit_s,
            first_chunk_timeout_seconds=min(limit_s, self.first_chunk_timeout_seconds),
            chunk_timeout_seconds=min(limit_s, self.chunk_timeout_seconds),
        )


ASKED_ONCE: Final = RequestOptions(num_retries=0, cache_min_tokens=0, cache_buffer_multiplier=1.0)
"""The usual time limits; no repetition, and the provider's own least for its cache."""


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
        passing_parts: at the end of the last message; the next request won't have them, so that
            no mark stands on them.
        options: time limits, repetitions, and what is worth a mark for the cache.
        progress: whether the server is llama.cpp's and reports its progress in reading the prompt.
        effort: how much the model reasons before it answers: `minimal`, `low`, `medium` or `high`;
            "" for its own default.
        tools: that the model may call, in OpenAI's form; none: it is offered none.
        suffix: the text behind a gap; the only message has the text before it, and the answer is
            what is between. None: it is a talk.
    """

    model: str
    messages: Sequence[Mapping[str, object]]
    max_tokens: int | None = None
    api_base: str | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    cache: bool = True
    passing_parts: int = 0
    options: RequestOptions = ASKED_ONCE
    progress: bool = False
    effort: str = ""
    tools: tuple[Mapping[str, object], ...] = ()
    suffix: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """The token usage of a request, as the provider counts it.

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
class ToolCall:
    """A call of a tool as the model wrote it.

    Attributes:
        call_id: the provider's, verbatim; "" for a call that the model wrote into its text.
        name: of the tool; there may be none of this name.
        arguments: JSON text, verbatim; may be broken.
    """

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class CompletionOutcome:
    """The outcome of an answer; its text was sent before, in events.

    Attributes:
        finish_reason: `stop`, `length`, `content_filter`, … or None when the provider gave none.
        usage: tokens and cost.
        calls: of tools, `[id, name, arguments]` each, the arguments as JSON text.
        thinking: parts of the reasoning with their signatures, as the provider wants them back
            with the results of the calls.
    """

    finish_reason: str | None
    usage: Usage
    calls: tuple[Sequence[str], ...] = ()
    thinking: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """The facts of a model that are known without a request to its provider.

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
        takes_effort: whether it can be told how much to reason; likewise.
        takes_tools: whether it can call tools; never taken for granted.
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
    takes_effort: bool = True
    takes_tools: bool = False


MAX_MODEL_NAME: Final = 200
"""Characters of a model's name."""


@dataclass(frozen=True, slots=True)
class ServedModelsRequest:
    """A request for the names of a server's models.

    Attributes:
        provider: litellm's word for the kind of server.
        api_base: its address.
        key: "" for none.
    """

    provider: str
    api_base: str
    key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class ServedModels:
    """The models of a server.

    Attributes:
        api_base: the address at which it takes requests; `/v1` may be added to the one asked for.
        names: without a provider in front.
    """

    api_base: str
    names: tuple[str, ...]


class ListedModel(TypedDict):
    """A model for talk in the bundled list.

    Attributes:
        name: with the provider in front, as litellm takes it.
        provider: litellm's word for it.
        max_input_tokens: size of the context window.
        input_cost: USD for one token, or None when unknown.
        output_cost: the same for the answer.
    """

    name: str
    provider: str
    max_input_tokens: int
    input_cost: float | None
    output_cost: float | None


def decoded_record(kind: type[Record], value: object) -> Record:
    """Deserialize a record from the JSON of a worker's pipe.

    The two ends are one installation: it has all members, and no others.
    """
    if not isinstance(value, dict):
        raise TypeError(f"{kind.__name__} came as {type(value).__name__}")
    hints = get_type_hints(kind)
    return kind(**{name: _decoded(hints[name], member) for name, member in value.items()})


def _decoded(hint: object, value: object) -> object:
    if isinstance(hint, type) and is_dataclass(hint):
        return decoded_record(hint, value)
    if get_origin(hint) is tuple and isinstance(value, list):
        return tuple(value)
    return value
