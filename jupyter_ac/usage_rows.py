"""Wire types of an answer's token usage.

`Usage` in `workers/wire.py` is the same as a record. `MessageUsage` stays beside it because
`estimated` is absent here where it says nothing new, as no member of a record can be.
"""

from typing import NotRequired, TypedDict


class MessageUsage(TypedDict):
    """The tokens of an answer, as counted by the provider.

    Attributes:
        input_tokens: all tokens of the prompt, including those from the cache.
        output_tokens: all tokens of the answer, including reasoning.
        cache_read_tokens: part of the input that was read from the provider's cache.
        cache_write_tokens: part of the input that was written to the cache.
        reasoning_tokens: part of the output that isn't shown.
        cost_usd: null if the price is unknown.
        estimated: true if the answer ended before the provider could count; otherwise absent.
    """

    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int
    cost_usd: float | None
    estimated: NotRequired[bool]


class TokenUsage(MessageUsage):
    """The usage of an answer, with our names and those that other clients read.

    Attributes:
        prompt_tokens: `input_tokens`.
        completion_tokens: `output_tokens`.
        prompt_cached_tokens: `cache_read_tokens`.
    """

    prompt_tokens: int
    completion_tokens: int
    prompt_cached_tokens: int


class DaySpend(TypedDict):
    """What a person's answers of one day have used.

    Attributes:
        day: where the host is, ISO 8601.
        answers: their number, those of side tasks included.
        input_tokens: all tokens of their prompts, those from the provider's cache included.
        cached_tokens: part of the input that was read from the provider's cache.
        output_tokens: all tokens of the answers.
        usd: what they have cost, as far as that is known; null if it is of none.
    """

    day: str
    answers: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    usd: float | None
