"""What the host and the models worker say to each other, as JSON objects."""

from typing import Final, TypedDict

EMBEDDED_NAME: Final = "SmolLM2-135M-Instruct"
"""The embedded demo model, as its server and we call it."""

EMBEDDED_CONTEXT: Final = 8192
"""Its context window, in tokens."""

MAX_ANSWER_CHARS: Final = 2_000_000
"""Characters of one answer, and of its reasoning: four times what a model of our day can write."""

TOO_LONG: Final = "too_long"
"""The finish reason of an answer that was stopped there."""


class CompletionWire(TypedDict):
    """A request to a model; its members mean what `models.client.CompletionRequest` says."""

    model: str
    messages: list[dict[str, object]]
    max_tokens: int | None
    api_base: str | None
    env: dict[str, str]
    cache: bool
    progress: bool
    """Whether the server is llama.cpp's and shall tell how far it has read the prompt."""
    request_timeout_s: float
    first_chunk_timeout_s: float
    chunk_timeout_s: float
    retries: int
    cache_min_tokens: int
    cache_buffer_multiplier: float
    passing_parts: int


class UsageWire(TypedDict):
    """Tokens and cost; the members mean what `jupyter_ac.models.client.Usage` says."""

    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int
    cost_usd: float | None


class OutcomeWire(TypedDict):
    """How an answer ended; its text went ahead in events."""

    finish_reason: str | None
    usage: UsageWire


class InfoWire(TypedDict):
    """What is known of a model; the members mean what `jupyter_ac.models.client.ModelInfo` says."""

    max_input_tokens: int
    max_output_tokens: int
    input_cost: float | None
    output_cost: float | None
    takes_cache_marks: bool
    known: bool
    provider: str
    cache_minimum_tokens: int
    takes_images: bool


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
