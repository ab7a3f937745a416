"""The token budget of a request: what a model takes, without room for images and the answer."""

from typing import Final

from jupyter_ac.chat.images import IMAGE_TOKENS
from jupyter_ac.models.client import ModelInfo

LONGEST_ANSWER: Final = 32_768
"""Room kept for an answer at most, however long the model could write."""


def input_limit(info: ModelInfo, images: int = 0) -> int:
    """Return how many tokens of text a request may have, so that images and answer have room.

    The window holds the answer too. Some models list an answer as long as the window itself, so at
    most a quarter of it is kept free.
    """
    window = info.max_input_tokens
    kept = min(info.max_output_tokens, LONGEST_ANSWER, window // 4)
    return window - kept - IMAGE_TOKENS * images
