"""What an answer used, as a front end gets it."""

from typing import NotRequired, TypedDict


class MessageUsage(TypedDict):
    """What an answer used, in tokens as the provider counts them.

    Attributes:
        input_tokens: all tokens of the prompt, those served by the cache included.
        output_tokens: all tokens of the answer, those of its reasoning included.
        cache_read_tokens: part of the input that the provider's cache served.
        cache_write_tokens: part of the input that was written to the cache.
        reasoning_tokens: part of the output that isn't shown.
        cost_usd: null when the price isn't known.
        estimated: true when the answer ended before the provider could count; absent else.
    """

    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    reasoning_tokens: int
    cost_usd: float | None
    estimated: NotRequired[bool]


class TokenUsage(MessageUsage):
    """What an answer used, under our names and those that other clients read.

    Attributes:
        prompt_tokens: `input_tokens`.
        completion_tokens: `output_tokens`.
        prompt_cached_tokens: `cache_read_tokens`.
    """

    prompt_tokens: int
    completion_tokens: int
    prompt_cached_tokens: int
